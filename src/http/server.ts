/** Builds the HTTP application and, apart from that, listens with it. Knows routes, not what they do. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

import { systemClock } from '../lib/clock.ts';
import type { AppEnv, HTTPDeps } from './app-env.ts';
import type { Upgrade } from './compat/piston/connect.ts';
import { surfaceRoutes } from './compat/surfaces.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { accessLog } from './middleware/access-log/access-log.ts';
import { createByteBudget } from './middleware/body/byte-budget.ts';
import { methodNotAllowed, onError, onNotFound } from './middleware/errors/errors.ts';
import { requestId } from './middleware/request-id/request-id.ts';
import { secureHeaders } from './middleware/secure-headers/secure-headers.ts';
import { traceRequests } from './middleware/trace/trace.ts';
import { nativeRoutes } from './native/routes.ts';
import { sendJSON } from './send-json.ts';

/** Clients and proxies keep idle connections for up to 60 s; ours outlive theirs, so no request meets a closing one. */
const KEEP_ALIVE_MS = 120_000;
/** Time for a request's headers, from the connection or the last request's end; bodies have limits of their own. */
const HEADERS_MS = 30_000;
/** Node looks for overdue headers this often in that time. */
const HEADER_LOOKS = 4;
/**
 * A request that is on its way when the end begins is answered: for so long connections are still taken, and for so long
 * again one that is new may send its first request.
 */
const LINGER_MS = 250;
/** Trainers open hundreds of connections at once; the kernel lowers it to its own maximum. */
const BACKLOG = 4096;

/** The application, without a socket: answers `app.request()`. */
export function createApp(deps: HTTPDeps): Hono<AppEnv> {
  const bodyBudget = createByteBudget(deps.config.bodiesMaxBytes);
  const app = new Hono<AppEnv>();
  const { surfaceOf, parts } = allRoutes(deps);
  app.use(requestId(), accessLog(deps, surfaceOf), secureHeaders());
  if (deps.traces !== null) app.use(traceRequests(deps.traces, surfaceOf));
  app.use(async (c, next) => {
    c.set('bodyBudget', bodyBudget);
    await next();
    const code = c.get('rejection');
    if (code !== undefined) deps.service.rejected(code);
  });
  app.get('/healthz', (c) => sendJSON(c, { status: 'ok' }));
  app.get('/readyz', (c) => {
    const { ready, reasons } = deps.service.readiness();
    return sendJSON(c, { ready, reasons, degraded: deps.degraded() }, ready ? 200 : 503);
  });
  for (const path of ['/healthz', '/readyz']) app.all(path, methodNotAllowed(['GET', 'HEAD']));
  for (const routes of parts) app.route('/', routes);
  app.onError(onError(deps));
  app.notFound(onNotFound());
  return app;
}

/** What is served besides health, and whose a route is; what nobody's is is the service's own. */
function allRoutes(deps: HTTPDeps) {
  const own = [metricsRoutes(deps), dashboardRoutes(deps), docsRoutes()];
  const surfaces = [{ surface: 'native', routes: nativeRoutes(deps) }, ...surfaceRoutes(deps)];
  const bySurface = new Map(
    surfaces.flatMap(({ surface, routes }) => routes.routes.map(({ path }) => [path, surface])),
  );
  return {
    parts: [...own, ...surfaces.map(({ routes }) => routes)],
    surfaceOf: (route: string) => bySurface.get(route) ?? 'own',
  };
}

export interface Listening {
  /** Where it listens, e.g. `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /**
   * Ends what is there after the requests that run or are on their way, and keeps no connection for another; closes what
   * is left when `signal` aborts. Resolves when every connection is closed.
   */
  close(signal?: AbortSignal): Promise<void>;
}

/** An address that is ours; requests wait for the application. */
export interface Bound extends Listening {
  /**
   * Answers with the application, what has come before included, and hands on connections that ask to be upgraded. Call it
   * once.
   */
  serve(app: Hono<AppEnv>, upgrade: Upgrade): void;
}

type Answerer = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

interface Address {
  readonly host: string;
  readonly port: number;
  /** Time for a request's headers, ms. */
  readonly headersMs?: number;
}

/** Listens; port 0 takes a free one. Rejects when the address cannot be had. */
export async function listen(
  app: Hono<AppEnv>,
  address: Address,
  upgrade: Upgrade = (_, socket) => socket.destroy(),
): Promise<Listening> {
  const bound = await bind(address);
  bound.serve(app, upgrade);
  return bound;
}

/** Takes an address before there is an application, so that a taken port is known before anything else is started. */
export async function bind({ host, port, headersMs = HEADERS_MS }: Address): Promise<Bound> {
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: headersMs,
    connectionsCheckingInterval: headersMs / HEADER_LOOKS,
    // A batch is read for as long as it is judged.
    requestTimeout: 0,
    noDelay: true,
  };
  const application = Promise.withResolvers<Answerer>();
  let answer: Answerer = async (incoming, outgoing) => {
    const answerer = await application.promise;
    await answerer(incoming, outgoing);
  };
  let isClosing = false;
  const running = new Set<ServerResponse>();
  /** Connections without a request so far: Node counts them as busy until their headers are overdue. */
  const unused = new Set<Socket>();
  const onRequest: RequestListener = (incoming, outgoing) => {
    unused.delete(incoming.socket);
    running.add(outgoing);
    // A client that keeps its connection would otherwise keep a closing server open.
    if (isClosing) outgoing.shouldKeepAlive = false;
    outgoing.once('close', () => {
      running.delete(outgoing);
      if (isClosing) server.closeIdleConnections();
    });
    void answer(incoming, outgoing);
  };
  const server = createServer(options, onRequest);
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  /** Node no longer knows them. */
  const upgraded = new Set<Duplex>();
  let onUpgrade: Upgrade = (_, socket) => socket.destroy();
  server.on('upgrade', (incoming, socket, head) => {
    unused.delete(incoming.socket);
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    onUpgrade(incoming, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${boundPort}`,
    port: boundPort,
    serve(app, upgrade) {
      onUpgrade = upgrade;
      // HTTP/1.0 has requests without a Host; they are answered like any other.
      const listener = getRequestListener(app.fetch, { hostname: host });
      answer = async (incoming, outgoing) => {
        await listener(incoming, outgoing);
      };
      application.resolve(answer);
    },
    close(signal) {
      isClosing = true;
      for (const outgoing of running) outgoing.shouldKeepAlive = false;
      return closeServer(server, { unused, upgraded, signal });
    },
  };
}

interface Connections {
  readonly unused: ReadonlySet<Socket>;
  readonly upgraded: ReadonlySet<Duplex>;
  readonly signal: AbortSignal | undefined;
}

async function closeServer(
  server: Server,
  { unused, upgraded, signal }: Connections,
): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const force = (): void => {
    server.closeAllConnections();
    for (const socket of upgraded) socket.destroy();
    aborted.resolve();
  };
  if (signal?.aborted === true) force();
  signal?.addEventListener('abort', force, { once: true });
  await Promise.race([systemClock.sleep(LINGER_MS), aborted.promise]);
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  await Promise.race([systemClock.sleep(LINGER_MS), closed, aborted.promise]);
  for (const socket of unused) socket.destroy();
  if (signal?.aborted === true) force();
  await closed;
  signal?.removeEventListener('abort', force);
}
