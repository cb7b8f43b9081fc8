/**
 * Bytes and leases that replicas share in Redis (`lua/`): what is kept for a while, within a sum, and who works on what. Where
 * Redis does not answer, bytes are kept in the memory of this process, and nobody waits for another's work. What work came to is
 * remembered there in any case: it holds on while Redis is away.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { z } from 'zod';

import { mayBeKept, type Kept, type KeptStats } from '../../lib/kept.ts';
import type { Presence } from '../../lib/presence.ts';
import type { Begun, Holder, SharedWork } from '../../lib/shared-flight.ts';
import { runBufferScript, toScript, type Connection, type Script } from './connection.ts';

export interface RedisKeptOptions {
  readonly connection: Connection;
  /** Whether Redis answers. */
  readonly presence: Presence;
  /** Of what is kept; a word. */
  readonly name: string;
  /** Over all replicas. */
  readonly bytesMax: number;
  /** How long something is kept at most, ms. */
  readonly ttlMs: number;
  /** What keeps bytes of this process. */
  readonly own: Kept;
}

const NAMES = ['get', 'put', 'begin', 'renew', 'finish'] as const;
type Scripts = Readonly<Record<(typeof NAMES)[number], Script>>;

const bytes = z.instanceof(Uint8Array);
const PutAnswer = z.tuple([z.number(), z.coerce.number(), z.number()]);
const BeginAnswer = z.tuple([bytes.transform(text), bytes]);

export class RedisKept implements Kept, SharedWork {
  readonly #options: RedisKeptOptions;
  readonly #scripts: Scripts;
  /** As the last answer told. */
  #told = { entries: 0, bytes: 0 };
  #evicted = 0;

  private constructor(options: RedisKeptOptions, scripts: Scripts) {
    this.#options = options;
    this.#scripts = scripts;
  }

  static async create(options: RedisKeptOptions): Promise<RedisKept> {
    const read = async (name: string): Promise<string> =>
      await readFile(path.join(import.meta.dirname, 'lua', `${name}.lua`), 'utf8');
    const common = await read('kept');
    const load = async (name: string): Promise<Script> =>
      toScript(`${common}\n${await read(name)}`);
    const [get, put, begin, renew, finish] = await Promise.all([
      ...[load('get'), load('put'), load('begin'), load('renew'), load('finish')],
    ]);
    if (!get || !put || !begin || !renew || !finish)
      throw new Error('five scripts were to be read');
    return new RedisKept(options, { get, put, begin, renew, finish });
  }

  async get(key: string): Promise<Uint8Array | null> {
    const found = await this.#run('get', [nameOf(key)]);
    // What came while Redis was away is here alone.
    return found === null || found.answer === null
      ? await this.#options.own.get(key)
      : bytes.parse(found.answer);
  }

  async put(key: string, value: Uint8Array): Promise<void> {
    const { bytesMax, ttlMs, own } = this.#options;
    if (!mayBeKept(value.byteLength, bytesMax)) return;
    const args = [nameOf(key), toBuffer(value), String(ttlMs), String(bytesMax)];
    const put = await this.#run('put', args);
    if (put === null) return await own.put(key, value);
    const [entries, sum, evicted] = PutAnswer.parse(put.answer);
    this.#told = { entries, bytes: sum };
    this.#evicted += evicted;
  }

  /** Of all replicas, as this one heard last; its own while Redis is away. */
  stats(): KeptStats {
    const { own, presence, bytesMax } = this.#options;
    const { evicted, ...held } = own.stats();
    return {
      ...(presence.isAway ? held : { ...this.#told, bytesMax }),
      evicted: this.#evicted + evicted,
    };
  }

  async begin(key: string, { token, mark }: Holder, leaseMs: number): Promise<Begun | null> {
    const kept = await this.#options.own.get(key);
    if (kept !== null) return { kind: 'done', bytes: kept };
    const begun = await this.#run('begin', [nameOf(key), token, mark, String(leaseMs)], key);
    if (begun === null) return null;
    const [kind, told] = BeginAnswer.parse(begun.answer);
    if (kind === 'done') {
      await this.#options.own.put(key, told);
      return { kind, bytes: told };
    }
    return kind === 'mine' ? { kind } : { kind: 'others', mark: text(told) };
  }

  async renew(key: string, { token }: Holder, leaseMs: number): Promise<void> {
    await this.#run('renew', [token, String(leaseMs)], key);
  }

  async finish(key: string, holder: Holder, value: Uint8Array | null): Promise<Uint8Array | null> {
    const { bytesMax, ttlMs, own } = this.#options;
    const isKept = value !== null && mayBeKept(value.byteLength, bytesMax);
    const finished = await this.#run(
      'finish',
      [
        ...[nameOf(key), holder.token, String(ttlMs), String(bytesMax)],
        ...(isKept ? [toBuffer(value)] : []),
      ],
      key,
    );
    const known = bytes.nullable().parse(finished?.answer ?? null);
    const lasting = known ?? (isKept ? value : null);
    if (lasting !== null) await own.put(key, lasting);
    return known;
  }

  /** Null where Redis does not answer. The braces keep all keys on one node of a cluster. */
  async #run(
    script: keyof Scripts,
    args: readonly (string | Buffer)[],
    lease?: string,
  ): Promise<{ readonly answer: unknown } | null> {
    const { connection, presence, name } = this.#options;
    const at = `assay:{${name}}`;
    const keys = [`${at}:bytes`, `${at}:ends`, `${at}:sum`];
    if (lease !== undefined) keys.push(`${at}:lease:${nameOf(lease)}`);
    return await presence.tryAsk(async () => ({
      answer: await runBufferScript(connection, this.#scripts[script], keys, args),
    }));
  }
}

/** Short, and nothing of the caller's. */
function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function toBuffer(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function text(value: Uint8Array): string {
  return Buffer.from(value).toString();
}
