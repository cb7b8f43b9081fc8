/**
 * Jobs in Redis, for services that share no folder: a queue of BullMQ for each tenant, which owns leases (its locks), delays
 * and what a dead worker leaves, and beside it the facts and results of each job. An item's priority is its place in its job,
 * so jobs of a tenant go on side by side.
 */
import { randomUUID } from 'node:crypto';

import { Queue, Worker, type Job as QueueItem } from 'bullmq';
import { Redis } from 'ioredis';
import { z } from 'zod';

import type { Clock } from '../lib/clock.ts';
import { RECONNECTING } from '../lib/reconnecting.ts';
import { toFacts, toJob, type Facts } from './redis-facts.ts';
import { KEEP_RESULT } from './redis-script.ts';
import {
  LEASE_MS,
  type Claim,
  type ItemResult,
  type Job,
  type JobStore,
  type NewItem,
  type PageQuery,
  type ResultPage,
  NO_EXCEPTION,
  type ClaimOptions,
} from './store.ts';

interface Item {
  readonly job: string;
  readonly line: number;
  readonly body: string;
  readonly faults: number;
}

/** Items that are sent to Redis at once. */
const CHUNK_ITEMS = 500;
/** Items of ended jobs that one claim clears away. */
const CLEARED_MAX = 1000;
const SOON_MS = 200;
const RESULTS_AT_ONCE = 20;
/** Nothing here blocks, so what takes longer will not come: a caller is told instead of held, ms. */
const COMMAND_MS = 5000;
/** What the client says of a command without an answer, and Redis while it reads its data. */
const AWAY = /Command timed out|Connection is closed|Socket timeout|ECONN|EPIPE|^LOADING/;

interface TenantQueue {
  readonly queue: Queue<Item>;
  readonly worker: Worker<Item>;
}

export class RedisJobStore implements JobStore {
  readonly #redis: Redis;
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #queues = new Map<string, TenantQueue>();
  /** What this process has claimed. Whoever gives a claim up without a word, as while Redis is away, leaves nothing here. */
  readonly #held = new WeakMap<Claim, QueueItem<Item>>();
  readonly #onError: (error: unknown) => void;
  readonly #lookMs: number;

  private constructor(redis: Redis, options: RedisStoreOptions) {
    this.#redis = redis;
    this.#clock = options.clock;
    this.#prefix = options.prefix ?? 'assay';
    this.#onError = options.onError;
    this.#lookMs = options.lookMs ?? LEASE_MS / 4;
  }

  /** Begins to connect, and goes on trying: `isConnected` tells. Resolves with the first answer, good or bad. */
  static async open(url: string, options: RedisStoreOptions): Promise<RedisJobStore> {
    const redis = new Redis(url, {
      maxRetriesPerRequest: null,
      lazyConnect: true,
      ...RECONNECTING,
      commandTimeout: COMMAND_MS,
      socketTimeout: COMMAND_MS,
    });
    // Without a listener a lost connection would end the process; the client connects again by itself.
    redis.on('error', options.onError);
    // Where it is away the listener was told; it is tried again.
    await redis.connect().catch(() => undefined);
    return new RedisJobStore(redis, options);
  }

  get isConnected(): boolean {
    return this.#redis.status === 'ready';
  }

  /** Whether an error says that Redis did not answer, rather than what. */
  static isAway(error: unknown): boolean {
    return error instanceof Error && AWAY.test(error.message);
  }

  async create({ id, payer }: Pick<Job, 'id' | 'payer'>): Promise<void> {
    const order = await this.#redis.incr(this.#key('order'));
    await this.#atOnce((all) =>
      all
        .hset(this.#key('job', id), {
          ...{ tenant: payer.tenant, weight: payer.weight, state: 'receiving' },
          ...{ total: 0, bytes: 0, size: 0, done: 0, accepted: 0, fault: 0, rejected: 0 },
          created: this.#now(),
        })
        .zadd(this.#key('jobs-of', payer.tenant), order, id)
        .zadd(this.#key('jobs'), order, id),
    );
  }

  async add(id: string, items: readonly NewItem[]): Promise<void> {
    const facts = await this.#facts(id);
    if (facts?.state !== 'receiving') throw new Error('the job takes no more items');
    const bytes = items.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    await this.#atOnce((all) =>
      all
        .rpush(this.#key('coming', id), ...items.map((each) => JSON.stringify(each)))
        .hincrby(this.#key('job', id), 'total', items.length)
        .hincrby(this.#key('job', id), 'bytes', bytes)
        .hincrby(this.#key('job', id), 'size', bytes)
        .incrby(this.#key('bytes'), bytes)
        .incrby(this.#key('bytes-of', facts.tenant), bytes),
    );
  }

  async seal(id: string): Promise<void> {
    const facts = await this.#facts(id);
    if (facts?.state !== 'receiving') return;
    if (facts.total === 0) {
      await this.#redis.hset(this.#key('job', id), { state: 'done', ended: this.#now() });
      return;
    }
    const { queue } = this.#queueOf(facts.tenant);
    let place = 0;
    for (;;) {
      const coming = await this.#redis.lpop(this.#key('coming', id), CHUNK_ITEMS);
      if (coming === null || coming.length === 0) break;
      const items = coming.map((text) => NewItemText.parse(JSON.parse(text)));
      await queue.addBulk(
        items.map(({ line, body }) => {
          place += 1;
          const opts = { jobId: `${id}-${place}`, priority: place, ...FORGOTTEN };
          return { name: 'item', data: { job: id, line, body, faults: 0 }, opts };
        }),
      );
    }
    await this.#atOnce((all) =>
      all
        .hset(this.#key('job', id), { state: 'running' })
        .sadd(this.#key('running', facts.tenant), id)
        .zadd(this.#key('tenants'), 'NX', 0, facts.tenant),
    );
  }

  async get(id: string): Promise<Job | null> {
    const facts = await this.#facts(id);
    return facts === null ? null : toJob(id, facts);
  }

  async list(tenant: string): Promise<readonly Job[]> {
    const ids = await this.#redis.zrevrange(this.#key('jobs-of', tenant), 0, -1);
    const jobs = await Promise.all(ids.map(async (id) => await this.get(id)));
    return jobs.filter((job) => job !== null);
  }

  async cancel(id: string): Promise<void> {
    const facts = await this.#facts(id);
    if (facts === null || facts.ended !== undefined) return;
    await this.#redis.hset(this.#key('job', id), { state: 'cancelled', ended: this.#now() });
    await this.#redis.srem(this.#key('running', facts.tenant), id);
    await this.#clear(id, facts);
  }

  async remove(id: string): Promise<void> {
    await this.cancel(id);
    const facts = await this.#facts(id);
    if (facts === null) return;
    if (facts.state !== 'done') await this.#clear(id, facts);
    // Whoever takes it away gives its bytes back, and nobody else who was told to.
    if ((await this.#redis.del(this.#key('job', id))) === 0) return;
    await this.#atOnce((all) =>
      all
        .del(...['coming', 'results', 'settled'].map((name) => this.#key(name, id)))
        .zrem(this.#key('jobs-of', facts.tenant), id)
        .zrem(this.#key('jobs'), id)
        .decrby(this.#key('bytes'), facts.size)
        .decrby(this.#key('bytes-of', facts.tenant), facts.size),
    );
  }

  async claim({ except }: ClaimOptions = NO_EXCEPTION): Promise<Claim | null> {
    const tenants = await this.#redis.zrange(this.#key('tenants'), '0', '-1');
    for (const tenant of tenants) {
      if (except.has(tenant)) continue;
      if ((await this.#redis.scard(this.#key('running', tenant))) === 0) continue;
      const claim = await this.#claimOf(tenant);
      if (claim === null) continue;
      const served = await this.#redis.incr(this.#key('served'));
      await this.#atOnce((all) =>
        all
          .zadd(this.#key('tenants'), served, tenant)
          .hsetnx(this.#key('job', claim.job), 'started', String(this.#now())),
      );
      return claim;
    }
    return null;
  }

  async renew(claims: readonly Claim[]): Promise<void> {
    for (const tenant of new Set(claims.map(({ payer }) => payer.tenant))) {
      const own = claims.filter((each) => each.payer.tenant === tenant && this.#held.has(each));
      const ids = own.map((each) => this.#held.get(each)?.id ?? '');
      const tokens = own.map(({ token }) => token);
      await this.#queueOf(tenant).worker.extendJobLocks(ids, tokens, LEASE_MS);
    }
  }

  async putBack(
    claim: Claim,
    { delayMs, isFault }: { readonly delayMs: number; readonly isFault: boolean },
  ): Promise<void> {
    const item = this.#held.get(claim);
    if (item === undefined) return;
    this.#held.delete(claim);
    await this.#unlessTaken(async () => {
      const { faults, ...data } = item.data;
      if (isFault) await item.updateData({ ...data, faults: faults + 1 });
      await item.moveToDelayed(this.#now() + Math.max(delayMs, 1), claim.token);
    });
  }

  async complete(claim: Claim, { kind, json }: ItemResult): Promise<void> {
    const { job, line, payer, token } = claim;
    const keys = [
      ...['job', 'settled', 'results'].map((name) => this.#key(name, job)),
      this.#key('running', payer.tenant),
      this.#key('bytes'),
      this.#key('bytes-of', payer.tenant),
    ];
    const values = [job, line, kind, json, Buffer.byteLength(json), this.#now()].map(String);
    await this.#redis.eval(KEEP_RESULT, keys.length, ...keys, ...values);
    const item = this.#held.get(claim);
    this.#held.delete(claim);
    if (item !== undefined)
      await this.#unlessTaken(async () => void (await item.moveToCompleted(null, token, false)));
  }

  async results(id: string, { cursor, limit, chars }: PageQuery): Promise<ResultPage> {
    const key = this.#key('results', id);
    const results: string[] = [];
    let [next, size] = [cursor, 0];
    while (results.length < limit && size <= chars) {
      const most = Math.min(RESULTS_AT_ONCE, limit - results.length);
      const some = await this.#redis.lrange(key, next, next + most - 1);
      if (some.length === 0) return { results, cursor: next, isEnd: true };
      for (const json of some) {
        if (size > chars) break;
        results.push(json);
        size += json.length;
        next += 1;
      }
    }
    return { results, cursor: next, isEnd: (await this.#redis.llen(key)) <= next };
  }

  async bytes(tenant?: string): Promise<number> {
    const key = tenant === undefined ? this.#key('bytes') : this.#key('bytes-of', tenant);
    return Number((await this.#redis.get(key)) ?? 0);
  }

  async sweep({ ended, begun }: { readonly ended: number; readonly begun: number }): Promise<void> {
    for (const id of await this.#redis.zrange(this.#key('jobs'), '0', '-1')) {
      const facts = await this.#facts(id);
      const isOld = facts?.ended !== undefined && facts.ended < ended;
      const isLost = facts?.state === 'receiving' && facts.created < begun;
      if (isOld || isLost) await this.remove(id);
    }
  }

  async close(): Promise<void> {
    for (const { queue, worker } of this.#queues.values()) {
      await worker.close(true);
      await queue.close();
    }
    this.#queues.clear();
    this.#redis.disconnect();
  }

  async #claimOf(tenant: string): Promise<Claim | null> {
    const { worker } = this.#queueOf(tenant);
    for (let cleared = 0; cleared < CLEARED_MAX; cleared += 1) {
      const token = randomUUID();
      const item = await worker.getNextJob(token, { block: false });
      if (item === undefined) return null;
      const facts = await this.#facts(item.data.job);
      if (facts?.state === 'running') {
        const { job, line, body, faults } = item.data;
        const payer = { tenant, weight: facts.weight };
        const claim: Claim = { job, payer, line, body, faults, token };
        this.#held.set(claim, item);
        return claim;
      }
      // Of a job that is still being sealed, or of one that has ended.
      if (facts?.state === 'receiving') await item.moveToDelayed(this.#now() + SOON_MS, token);
      else await item.moveToCompleted(null, token, false);
    }
    return null;
  }

  /** Removes the items of a job that nobody has; those that are held go when they are completed. */
  async #clear(id: string, { tenant, total }: Facts): Promise<void> {
    const { queue } = this.#queueOf(tenant);
    for (let from = 1; from <= total; from += CHUNK_ITEMS) {
      const places = Array.from(
        { length: Math.min(CHUNK_ITEMS, total - from + 1) },
        (_, at) => from + at,
      );
      await Promise.all(places.map(async (place) => await removeItem(queue, `${id}-${place}`)));
    }
  }

  #queueOf(tenant: string): TenantQueue {
    const known = this.#queues.get(tenant);
    if (known !== undefined) return known;
    const name = `items-${Buffer.from(tenant).toString('base64url')}`;
    const common = { connection: this.#redis, prefix: this.#prefix };
    const made = {
      queue: new Queue<Item>(name, common),
      // Without a processor: items are fetched by hand, one where there is a slot for it.
      worker: new Worker<Item>(name, null, {
        ...common,
        autorun: false,
        lockDuration: LEASE_MS,
        stalledInterval: this.#lookMs,
        maxStalledCount: Number.MAX_SAFE_INTEGER,
      }),
    };
    made.queue.on('error', this.#onError);
    made.worker.on('error', this.#onError);
    void made.worker.startStalledCheckTimer().catch(this.#onError);
    this.#queues.set(tenant, made);
    return made;
  }

  async #facts(id: string): Promise<Facts | null> {
    const facts = await this.#redis.hgetall(this.#key('job', id));
    return toFacts(facts);
  }

  async #atOnce(
    add: (all: ReturnType<Redis['multi']>) => ReturnType<Redis['multi']>,
  ): Promise<void> {
    for (const [error] of (await add(this.#redis.multi()).exec()) ?? [])
      if (error !== null) throw error;
  }

  /** Somebody else may have the item by now: then its state is theirs. */
  async #unlessTaken(move: () => Promise<void>): Promise<void> {
    try {
      await move();
    } catch (error) {
      if (
        !(error instanceof Error) ||
        !/lock|not in the active state|Missing key/i.test(error.message)
      )
        throw error;
    }
  }

  #key(...parts: readonly string[]): string {
    return [this.#prefix, 'jobs', ...parts].join(':');
  }

  #now(): number {
    return this.#clock.date().getTime();
  }
}

export interface RedisStoreOptions {
  readonly clock: Clock;
  /** Of all keys; default `assay`. */
  readonly prefix?: string;
  /** How often a queue looks for leases that ran out; two looks find one. Default a quarter of a lease, ms. */
  readonly lookMs?: number;
  /** A connection was lost, or a queue failed; both go on by themselves. */
  readonly onError: (error: unknown) => void;
}

/** The queue keeps nothing of an item that is over. */
const FORGOTTEN = { removeOnComplete: true, removeOnFail: true } as const;
const NewItemText = z.object({ line: z.int(), body: z.string() });

async function removeItem(queue: Queue<Item>, id: string): Promise<void> {
  // An item that is under way is locked and stays.
  await queue.remove(id).catch(() => undefined);
}
