/**
 * Piston's `/connect`: a program that a client talks with over a WebSocket while it runs. One program a connection. What
 * a client sends ahead of its program is read no faster than the program takes it.
 */
import type { IncomingMessage } from 'node:http';
import { constants } from 'node:os';
import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

import { WebSocketServer, type WebSocket } from 'ws';

import { Rejection } from '../../../domain/errors.ts';
import type { RunReport } from '../../../domain/report.ts';
import type { LiveTalk, LiveVoice } from '../../../judge/door.ts';
import { reportFields } from '../../../observe/submission-log.ts';
import type { HTTPDeps } from '../../app-env.ts';
import { callerOf } from '../../middleware/caller/caller.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { ofFault, toAnswer } from './errors.ts';
import { toJob } from './job.ts';
import { runtimesOf } from './languages.ts';
import { fieldsOf, PistonError } from './schema.ts';
import { toCompileStage, toStage } from './stage.ts';

/** Takes connections that ask to be upgraded. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const PATHS = new Set(['/api/v2/connect', '/api/v2/piston/connect']);
/** Connections at once, and bytes of one message: together what may be held. */
const CONNECTIONS_MAX = 256;
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** Within which the first message must come. */
const INIT_MS = 1000;
/** Of output that the client has not taken, bytes; then the program waits. */
const UNSENT_BYTES_MAX = 1024 * 1024;

const CLOSE = {
  alreadyInitialized: [4000, 'Already Initialized'],
  initializationTimeout: [4001, 'Initialization Timeout'],
  notified: [4002, 'Notified Error'],
  notInitialized: [4003, 'Not yet initialized'],
  onlyStdin: [4004, 'Can only write to stdin'],
  invalidSignal: [4005, 'Invalid signal'],
  completed: [4999, 'Job Completed'],
} as const;

/** Answers upgrades to Piston's paths, and refuses all others. */
export function pistonUpgrade(deps: HTTPDeps): Upgrade {
  const server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES_MAX });
  return (request, socket, head) => {
    // A socket that breaks while it is refused has nobody to tell.
    socket.on('error', () => socket.destroy());
    const refuse = (status: string): void => {
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    };
    const isServed = deps.config.surfaces.includes('piston');
    const refusal = isServed ? refusalOf(request, server.clients.size) : '404 Not Found';
    if (refusal !== null) return refuse(refusal);
    const { headers, socket: connection } = request;
    callerOf(deps, { headers, address: connection.remoteAddress ?? null }).then(
      (caller) => {
        // Others may have come meanwhile.
        const late = refusalOf(request, server.clients.size);
        if (late !== null) return refuse(late);
        const service = caller.service({ waits: true });
        server.handleUpgrade(request, socket, head, (client) => {
          new Connection(client, { ...deps, service }).open();
        });
      },
      (error: unknown) => refuse(statusOf(error)),
    );
  };
}

function statusOf(error: unknown): string {
  const isKeys = error instanceof Rejection && error.code === 'unknown_key';
  return isKeys
    ? '401 Unauthorized\r\nWWW-Authenticate: Bearer realm="assay"'
    : '503 Service Unavailable';
}

/** A status line, or null. Pages of other sites may open WebSockets to any address: theirs are refused. */
function refusalOf({ url, headers }: IncomingMessage, open: number): string | null {
  const path = (url ?? '').split('?', 1)[0] ?? '';
  if (!PATHS.has(path.replace(/\/$/, ''))) return '404 Not Found';
  const { origin, host } = headers;
  if (origin !== undefined && URL.parse(origin)?.host !== host) return '403 Forbidden';
  return open < CONNECTIONS_MAX ? null : '503 Service Unavailable';
}

type Job = Extract<ReturnType<typeof toJob>, { readonly kind: 'run' }>;

class Connection {
  readonly #client: WebSocket;
  readonly #deps: HTTPDeps;
  readonly #gone = new AbortController();
  #job: Job | null = null;
  #voice: LiveVoice | null = null;
  /** Told before the program could be told anything. */
  #early: ((voice: LiveVoice) => Promise<void> | undefined)[] = [];
  #earlyBytes = 0;

  constructor(client: WebSocket, deps: HTTPDeps) {
    this.#client = client;
    this.#deps = deps;
  }

  open(): void {
    const client = this.#client;
    const late = this.#deps.clock.after(INIT_MS, () => {
      if (this.#job === null) this.#close('initializationTimeout');
    });
    client.on('message', (data, isBinary) => {
      try {
        this.#receive(toBytes(data), isBinary);
      } catch (error) {
        this.#fail(error);
      }
    });
    // What breaks a connection also closes it.
    client.on('error', () => {});
    client.on('close', () => {
      late.cancel();
      this.#gone.abort(
        new Rejection('caller_gone', { detail: 'the caller closed the connection' }),
      );
    });
  }

  #receive(data: Uint8Array, isBinary: boolean): void {
    if (isBinary) throw new PistonError('messages must be text');
    const message = fieldsOf(parseJSON(data));
    switch (message['type']) {
      case 'init':
        if (this.#job !== null) return this.#close('alreadyInitialized');
        return this.#start(message);
      case 'data':
        if (this.#job === null) return this.#close('notInitialized');
        if (message['stream'] !== 'stdin') return this.#close('onlyStdin');
        return this.#input(message['data']);
      case 'signal':
        if (this.#job === null) return this.#close('notInitialized');
        return this.#signal(message['signal']);
      default:
        throw new PistonError('type must be init, data or signal');
    }
  }

  #start(message: object): void {
    const { service } = this.#deps;
    const installed = runtimesOf(service.languages());
    const job = toJob(message, { installed, maxima: service.maxima, createId });
    if (job.kind !== 'run')
      throw new PistonError(`${job.runtime.language} judges, and cannot be talked with`);
    this.#job = job;
    const { language, version } = job.runtime;
    this.#say({ type: 'runtime', language, version });
    const context = { signal: this.#gone.signal, deadlineMs: null, isTold: true };
    service.talk(job.submission, this.#talk(), context).then(
      (report) => this.#end(job, report),
      (error: unknown) => this.#fail(error),
    );
  }

  #talk(): LiveTalk {
    const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
    return {
      onStage: (stage) => this.#say({ type: 'stage', stage }),
      onCompiled: (compile) => {
        const { stdout, stderr, code, signal } = toCompileStage(compile);
        if (stdout !== '') this.#say({ type: 'data', stream: 'stdout', data: stdout });
        if (stderr !== '') this.#say({ type: 'data', stream: 'stderr', data: stderr });
        this.#say({ type: 'exit', stage: 'compile', code, signal });
      },
      onOpen: (voice) => {
        this.#voice = voice;
        for (const tell of this.#early.splice(0)) this.#paced(tell(voice));
        this.#earlyBytes = 0;
        this.#client.resume();
      },
      onOutput: (stream, bytes) => {
        // A character may come in two pieces; half of one at the end is left out.
        const data = decoders[stream].write(Buffer.from(bytes));
        return data === '' ? undefined : this.#send({ type: 'data', stream, data });
      },
    };
  }

  #input(data: unknown): void {
    if (typeof data !== 'string') throw new PistonError('data is required as a string');
    const bytes = Buffer.from(data, 'utf8');
    this.#tell((voice) => voice.write(bytes), bytes.byteLength);
  }

  #signal(name: unknown): void {
    const known = typeof name === 'string' && Object.hasOwn(constants.signals, name);
    if (!known) return this.#close('invalidSignal');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of its own names by now
    const signal = constants.signals[name as NodeJS.Signals];
    this.#tell((voice) => {
      voice.signal(signal);
      return undefined;
    }, 0);
  }

  #tell(tell: (voice: LiveVoice) => Promise<void> | undefined, bytes: number): void {
    if (this.#voice !== null) return this.#paced(tell(this.#voice));
    this.#early.push(tell);
    // Each costs something, however short.
    this.#earlyBytes += bytes + 64;
    if (this.#earlyBytes > UNSENT_BYTES_MAX) this.#client.pause();
  }

  /** Reads nothing more from the client until the program has room. */
  #paced(written: Promise<void> | undefined): void {
    if (written === undefined) return;
    this.#client.pause();
    written.finally(() => this.#client.resume()).catch(() => {});
  }

  #end(job: Job, report: RunReport): void {
    const { logger } = this.#deps;
    const fields = { event: 'talk', id: job.id, ...reportFields(report) };
    if (report.fault !== null) logger.error(fields, 'submission');
    else logger.info(fields, 'submission');
    const { outcome } = report;
    if (report.fault !== null || outcome === null) {
      const { body } = ofFault(report.fault);
      return this.#refuse(body);
    }
    if (outcome.kind !== 'compile_error') {
      const { code, signal, message } = toStage(outcome);
      const error = message === null ? {} : { error: { message } };
      this.#say({ type: 'exit', stage: 'run', ...error, code, signal });
    }
    this.#close('completed');
  }

  #fail(error: unknown): void {
    const { body, code } = toAnswer(error);
    if (code !== null) this.#deps.service.rejected(code);
    else
      this.#deps.logger.error({ event: 'talk', id: this.#job?.id, error: String(error) }, 'talk');
    this.#refuse(body);
  }

  #refuse(body: unknown): void {
    this.#say({ type: 'error', message: fieldsOf(body)['message'] });
    this.#close('notified');
  }

  #say(message: object): void {
    void this.#send(message);
  }

  /** Undefined while the client keeps up; else resolves when it has taken this, or has gone. */
  #send(message: object): Promise<void> | undefined {
    const client = this.#client;
    if (client.readyState !== client.OPEN) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    client.send(JSON.stringify(message), () => resolve());
    return client.bufferedAmount > UNSENT_BYTES_MAX ? promise : undefined;
  }

  #close(how: keyof typeof CLOSE): void {
    const [code, reason] = CLOSE[how];
    this.#client.close(code, reason);
    this.#gone.abort(new Rejection('caller_gone', { detail: reason }));
  }
}

function toBytes(data: Buffer | ArrayBuffer | Buffer[]): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : new Uint8Array(data);
}
