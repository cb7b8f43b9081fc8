/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a request that is sent again under its key gets the answer
 * of the first, waits for it where it is under way, and is refused where it is another request. Answers with a fault and
 * refusals are not kept: one of those that wait tries again, or whoever sends it again. What is not kept any more, or is too
 * large, is executed anew; a program that is not deterministic may then come to something else. Replicas share answers, and
 * who works on which, where there is a place for it; while that is away each knows its own
 * (../../../docs/decisions/0035-replicas.md).
 */
import { createHash } from 'node:crypto';

import { Rejection } from '../../domain/errors.ts';
import { createCallScope } from '../../judge/call-scope.ts';
import type { CallContext } from '../../judge/door.ts';
import type { Clock } from '../../lib/clock.ts';
import { SharedFlight, type SharedWork } from '../../lib/shared-flight.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import type { AppContext } from '../app-env.ts';
import { callerIn } from '../middleware/caller/caller.ts';
import { isLarge } from '../json-pieces.ts';
import { sendJSON } from '../send-json.ts';
import { invalid } from './validation.ts';

/** Beyond so many that wait for others' answers, everybody is executed. */
const WAITERS_MAX = 4096;
const KEY_LENGTH_MAX = 255;
/** A string of RFC 9651 without escapes, or, as most clients send it, its content bare. */
const KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]+)"|([\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+))$/;

/** The key of a request, null where it has none. Throws Rejection `invalid` for one that is none. */
export function idempotencyKey(c: AppContext): string | null {
  const header = c.req.header('idempotency-key');
  if (header === undefined) return null;
  const [, quoted, bare] = KEY.exec(header) ?? [];
  const key = quoted ?? bare;
  if (key === undefined || key.length > KEY_LENGTH_MAX)
    throw invalid([
      {
        path: 'Idempotency-Key',
        message: `is a header of 1 to ${KEY_LENGTH_MAX} printable ASCII characters, in double quotes or without`,
      },
    ]);
  return key;
}

interface Answer {
  /** Of the request that was answered. */
  readonly digest: string;
  readonly value: { readonly fault: unknown };
}

/** What a request with a key is told by. */
export interface RequestMark {
  readonly key: string;
  /** Of the request, as it came. */
  readonly digest: string;
}

interface IdempotentCall extends RequestMark {
  readonly context: CallContext;
  readonly work: () => Promise<{ readonly fault: unknown }>;
}

export interface IdempotencyOptions {
  /** Where answers are kept, and who works on which. */
  readonly work: SharedWork;
  /** A name for who works, unique over all replicas. */
  readonly createToken: () => string;
  readonly clock: Clock;
}

interface Answered {
  readonly answer: Answer;
  /** Whether this call did the work. */
  readonly isOwn: boolean;
}

export class Idempotency {
  readonly #flights = new SingleFlight<Answer>(WAITERS_MAX);
  /** Digests of requests under way, by key: another one is refused before it waits for their answer. */
  readonly #underWay = new Map<string, string>();
  readonly #options: IdempotencyOptions;
  readonly #shared: SharedFlight;

  constructor(options: IdempotencyOptions) {
    this.#options = options;
    this.#shared = new SharedFlight(options);
  }

  /** The answer of `work`, or of the same request before. Throws Rejection `key_reused` and what `work` throws. */
  async answer(c: AppContext, { key: name, ...call }: IdempotentCall): Promise<Response> {
    const { digest, context } = call;
    const key = JSON.stringify([callerIn(c).tenant, name]);
    if ((this.#underWay.get(key) ?? digest) !== digest) throw reused();
    using scope = createCallScope(context, { clock: this.#options.clock });
    let isWorker = false;
    const { value: answer } = await this.#flights.fly(key, scope.signal, async () => {
      this.#underWay.set(key, digest);
      try {
        const { answer: value, isOwn } = await this.#answered(key, scope.signal, call);
        isWorker = isOwn;
        return { value, forOthers: value.value.fault === null ? 'take' : 'again' };
      } finally {
        this.#underWay.delete(key);
      }
    });
    if (answer.digest !== digest) throw reused();
    if (!isWorker) c.header('Idempotent-Replayed', 'true');
    return sendJSON(c, answer.value);
  }

  /** By own work, or by what was done before, or by another replica. */
  async #answered(
    key: string,
    signal: AbortSignal,
    { digest, work }: Omit<IdempotentCall, 'key'>,
  ): Promise<Answered> {
    const own = async () => {
      const value: Answer = { digest, value: await work() };
      return { value, bytes: isKept(value) ? toBytes(value) : null };
    };
    const flown = await this.#shared.fly({ key, mark: digest, signal }, own);
    if (flown.kind === 'other') throw reused();
    if (flown.kind === 'own') return { answer: flown.value, isOwn: true };
    return { answer: toAnswer(flown.bytes), isOwn: false };
  }
}

function isKept({ value }: Answer): boolean {
  return value.fault === null && !isLarge(value);
}

function toBytes(answer: Answer): Uint8Array {
  return Buffer.from(JSON.stringify(answer));
}

function toAnswer(bytes: Uint8Array): Answer {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above
  return JSON.parse(Buffer.from(bytes).toString()) as Answer;
}

/** What makes two requests one: path and body, to the byte. */
export function requestDigest(c: AppContext, body: Uint8Array): string {
  return createHash('sha256').update(`${c.req.path}\n`).update(body).digest('base64');
}

function reused(): Rejection {
  return new Rejection('key_reused', {
    detail: 'this Idempotency-Key came with another request before; send a new key',
    errors: [{ path: 'Idempotency-Key', message: 'is that of another request' }],
  });
}
