/**
 * Ears on this host for a test of its walls: whatever a probe sends to them has got out. Random ports of loopback and an
 * abstract name, for as long as the test takes. Each hears itself at the end: so nothing that was on its way is missed,
 * and an ear that is deaf is no proof.
 */
import { createSocket } from 'node:dgram';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

import { unlessAborted } from '../../lib/cancel.ts';
import { NETWORK_ATTEMPTS, type NetworkAttempt } from './verdict.ts';

export interface Listeners extends AsyncDisposable {
  /** What there is to be reached, and where: a port, or a name. */
  readonly places: ReadonlyMap<NetworkAttempt, string>;
  /** Hears all out; what of them was reached. Rejects with the signal's reason where one does not hear itself. */
  arrived(signal: AbortSignal): Promise<readonly NetworkAttempt[]>;
}

interface Ear {
  /** Port or name. */
  readonly place: string;
  /** Sends it a text as a program of this host would. */
  readonly say: (text: string) => void;
  /** Resolves when nobody who has come is still talking. */
  readonly quiet: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

type Hear = (text: string) => void;

/** Of what one connection says, characters; connections at once. */
const HEARD_MAX = 1024;
const CONNECTIONS_MAX = 64;

const EARS: Readonly<Record<NetworkAttempt, (hear: Hear, token: string) => Promise<Ear>>> = {
  tcp4: (hear) => acceptOn(hear, { host: '127.0.0.1', port: 0 }),
  udp4: (hear) => receiveOn(hear, 'udp4', '127.0.0.1'),
  dns: (hear) => receiveOn(hear, 'udp4', '127.0.0.1'),
  tcp6: (hear) => acceptOn(hear, { host: '::1', port: 0 }),
  udp6: (hear) => receiveOn(hear, 'udp6', '::1'),
  abstract: (hear, token) => acceptOn(hear, { path: `\0wall-test-${token}` }),
};

/** Where the host has no IPv6 there is nothing to be reached. */
const OPTIONAL: ReadonlySet<NetworkAttempt> = new Set(['tcp6', 'udp6']);

interface Tokens {
  /** What the probe says. */
  readonly probe: string;
  /** What is said here, to hear whether it is heard. */
  readonly own: string;
}

/** Rejects where this host does not let us listen. */
export async function listenForProbe({ probe, own }: Tokens): Promise<Listeners> {
  await using undo = new AsyncDisposableStack();
  const reached = new Set<NetworkAttempt>();
  const selfHeard: Promise<void>[] = [];
  const ears = new Map<NetworkAttempt, Ear>();
  for (const attempt of NETWORK_ATTEMPTS) {
    const itself = Promise.withResolvers<void>();
    const hear: Hear = (text) => {
      if (text.includes(probe)) reached.add(attempt);
      else if (text.includes(own)) itself.resolve();
    };
    const ear = await EARS[attempt](hear, probe).catch((error: unknown) => {
      if (OPTIONAL.has(attempt)) return null;
      throw error;
    });
    if (ear === null) continue;
    undo.defer(ear.close);
    ears.set(attempt, ear);
    selfHeard.push(itself.promise);
  }
  const open = undo.move();
  return {
    places: new Map([...ears].map(([attempt, { place }]) => [attempt, place])),
    async arrived(signal) {
      for (const { say } of ears.values()) say(own);
      await unlessAborted(Promise.all(selfHeard), signal);
      const quiet = [...ears.values()].map((ear) => ear.quiet());
      await unlessAborted(Promise.all(quiet), signal);
      return [...reached];
    },
    [Symbol.asyncDispose]: async () => await open.disposeAsync(),
  };
}

async function acceptOn(
  hear: Hear,
  where: { readonly host: string; readonly port: number } | { readonly path: string },
): Promise<Ear> {
  const talking = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    talking.set(socket, promise);
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text = (text + piece).slice(-HEARD_MAX);
      hear(text);
    });
    // One that was cut off has said what it had to say.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      talking.delete(socket);
      resolve();
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => resolve());
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const target: NetConnectOpts = 'path' in where ? where : { host: where.host, port };
  return {
    place: 'path' in where ? where.path.slice(1) : String(port),
    say: (text) => {
      const socket = connect(target, () => socket.end(text));
      socket.on('error', () => undefined);
      socket.resume();
    },
    quiet: () => Promise.all(talking.values()),
    close: async () => {
      for (const socket of talking.keys()) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function receiveOn(hear: Hear, family: 'udp4' | 'udp6', host: string): Promise<Ear> {
  const socket = createSocket(family);
  socket.on('message', (message) => hear(message.toString('latin1')));
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, host, resolve);
  });
  socket.on('error', () => undefined);
  const { port } = socket.address();
  return {
    place: String(port),
    say: (text) => socket.send(text, port, host),
    quiet: async () => undefined,
    close: () =>
      new Promise<void>((resolve) => {
        socket.close(() => resolve());
      }),
  };
}
