/** The connection to Redis: every call ends soon, none waits for Redis to come back, and its address is never told. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { Redis } from 'ioredis';

import type { Clock } from '../../lib/clock.ts';
import { RECONNECTING } from '../../lib/reconnecting.ts';

/** A connection on which nothing is answered for so long is made anew, ms. */
const SILENCE_MS = 5000;

export interface Connection {
  /** Asks; throws where there is no answer in time, or no connection. */
  ask<Answer>(question: (client: Redis) => Promise<Answer>): Promise<Answer>;
  readonly isConnected: boolean;
  /** Resolves once connected, or after `ms`. */
  settled(ms: number): Promise<void>;
  close(): void;
}

interface ConnectOptions {
  readonly clock: Clock;
  /** Within which a question must be answered, ms. */
  readonly answerMs: number;
  /** Hears of each new reason once, without the address. */
  readonly onError: (reason: string) => void;
}

/** Begins to connect, and goes on trying. */
export function connectRedis(
  url: string,
  { clock, answerMs, onError }: ConnectOptions,
): Connection {
  let last = '';
  const client = new Redis(url, {
    lazyConnect: true,
    ...RECONNECTING,
    socketTimeout: SILENCE_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectionName: 'assay',
  });
  client.on('ready', () => {
    last = '';
  });
  client.on('error', (error: unknown) => {
    const reason = reasonOf(error);
    if (reason !== last) onError(reason);
    last = reason;
  });
  // A failure is told by the event, and tried again.
  client.connect().catch(() => undefined);
  return {
    get isConnected() {
      return client.status === 'ready';
    },
    async ask(question) {
      const late = Promise.withResolvers<never>();
      const onTimeout = async (): Promise<void> => {
        // Where this process itself was held up, the answer may be there and not read yet: it is read before this returns.
        await setImmediate();
        late.reject(new Error(`Redis did not answer within ${answerMs} ms`));
      };
      const timer = clock.after(answerMs, () => void onTimeout());
      try {
        return await Promise.race([question(client), late.promise]);
      } finally {
        timer.cancel();
      }
    },
    async settled(ms) {
      if (client.status === 'ready') return;
      const { promise, resolve } = Promise.withResolvers<void>();
      client.once('ready', resolve);
      const timer = clock.after(ms, resolve);
      await promise;
      timer.cancel();
      client.off('ready', resolve);
    },
    close: () => client.disconnect(),
  };
}

/** A code where there is one: messages may hold the address. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Calls a script by its digest; sends its text where Redis does not know it (it has restarted). */
export async function runScript(
  connection: Connection,
  script: Script,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const words = [keys.length, ...keys, ...args] as const;
  return await connection.ask((client) =>
    known(
      () => client.evalsha(script.digest, ...words),
      () => client.eval(script.text, ...words),
    ),
  );
}

/** The same with bytes: arguments as they are, texts of the answer as buffers. */
export async function runBufferScript(
  connection: Connection,
  script: Script,
  keys: readonly string[],
  args: readonly (string | Buffer)[],
): Promise<unknown> {
  const words = [keys.length, ...keys, ...args] as const;
  return await connection.ask((client) =>
    known(
      () => client.callBuffer('EVALSHA', script.digest, ...words),
      () => client.callBuffer('EVAL', script.text, ...words),
    ),
  );
}

async function known(
  byDigest: () => Promise<unknown>,
  byText: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await byDigest();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return await byText();
  }
}

export interface Script {
  readonly text: string;
  readonly digest: string;
}

export function toScript(text: string): Script {
  return { text, digest: createHash('sha1').update(text).digest('hex') };
}
