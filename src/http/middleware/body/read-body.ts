/**
 * Reads a request's body: refuses encodings we do not read, counts every byte against the limit whatever
 * `Content-Length` says, gives up on a body that stops arriving, and never buffers more than the limit.
 */
import type { AppContext, HTTPDeps } from '../../app-env.ts';
import { Rejection } from '../../../domain/errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { watchArrival, type ArrivalLimits } from './arrival.ts';

/** The body's bytes together with what holds them in the app's budget; dispose when the request is over. */
export interface Body extends Disposable {
  /** The bytes, once: afterwards they are the taker's alone, and freed when it lets go of them. */
  take(): Uint8Array;
}

/**
 * The whole body. Throws Rejection: `too_large` (413), `wrong_media_type` (415, an encoded body), `request_timeout`
 * (408), `queue_full` (503, the budget of all bodies is used up), `caller_gone`.
 */
export async function readBody(c: AppContext, { config, clock }: HTTPDeps): Promise<Body> {
  refuseEncodedBody(c);
  const maxBytes = config.bodyMaxBytes;
  const budget = c.get('bodyBudget');
  let heldBytes = 0;
  const release = (): void => {
    budget.give(heldBytes);
    heldBytes = 0;
  };
  const announced = Number(c.req.header('content-length') ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  let chunks: Uint8Array[] = [];
  try {
    for await (const chunk of readChunks(c, { maxBytes, arrival: config.arrival, clock })) {
      const bodyBytes = Math.max(announced, heldBytes + chunk.byteLength);
      if (!budget.take(chunk.byteLength, bodyBytes)) throw bodiesFull();
      heldBytes += chunk.byteLength;
      chunks.push(chunk);
    }
  } catch (error) {
    release();
    throw error;
  }
  c.get('logFields')['request_bytes'] = heldBytes;
  const take = (): Uint8Array => {
    const [first] = chunks;
    const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    chunks = [];
    return bytes;
  };
  return { take, [Symbol.dispose]: release };
}

/** Throws 415 for a compressed body; the message names the encoding. */
export function refuseEncodedBody(c: AppContext): void {
  const encoding = c.req.header('content-encoding');
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return;
  throw new Rejection('wrong_media_type', {
    detail: `Content-Encoding ${JSON.stringify(encoding.slice(0, 40))} is not accepted; send the body as it is`,
  });
}

interface ReadOptions {
  /** Null: no limit in all (lines have their own). */
  readonly maxBytes: number | null;
  readonly arrival: ArrivalLimits;
  readonly clock: Clock;
}

/** The body as it arrives, read only as fast as it is consumed. */
export async function* readChunks(c: AppContext, options: ReadOptions): AsyncGenerator<Uint8Array> {
  const source = sourceOf(c);
  if (source === null) return;
  using arrival = watchArrival(options.clock, options.arrival);
  const iterator = source[Symbol.asyncIterator]();
  let total = 0;
  try {
    for (;;) {
      arrival.wait();
      const next = await nextChunk(iterator, arrival.broken);
      arrival.pause(next.done === true ? 0 : next.value.byteLength);
      if (next.done === true) return;
      total += next.value.byteLength;
      if (options.maxBytes !== null && total > options.maxBytes) throw tooLarge(options.maxBytes);
      yield next.value;
    }
  } finally {
    // Not awaited: it settles only when a read that is under way does, which a silent client decides.
    void iterator.return?.(undefined)?.catch(() => {});
  }
}

async function nextChunk(
  iterator: AsyncIterator<Uint8Array>,
  broken: Promise<never>,
): Promise<IteratorResult<Uint8Array>> {
  try {
    return await Promise.race([iterator.next(), broken]);
  } catch (error) {
    if (error instanceof Rejection) throw error;
    throw new Rejection('caller_gone', { detail: 'the body was cut off' }, { cause: error });
  }
}

/** From the socket where there is one: the web stream around it costs a copy and half the speed. */
function sourceOf(c: AppContext): AsyncIterable<Uint8Array> | null {
  const incoming = c.env?.incoming;
  // The response is still to be written when reading stops early, so the socket must outlive the iterator.
  if (incoming !== undefined)
    return { [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) };
  return c.req.raw.body;
}

function tooLarge(maxBytes: number): Rejection {
  return new Rejection('too_large', { detail: `the body is longer than ${maxBytes} bytes` });
}

/** The budget of all bodies is used up: 503, to be tried again. */
export function bodiesFull(): Rejection {
  return new Rejection('queue_full', {
    detail: 'requests in progress hold all the memory there is for bodies',
    retryAfterMs: 1000,
  });
}
