/**
 * Jobs in a file of SQLite, for one machine: nothing else to install. Every call is one short transaction on this thread;
 * services that share the file share its jobs.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

import { z } from 'zod';

import type { Clock } from '../lib/clock.ts';
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

const SCHEMA = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS jobs (
  id TEXT PRIMARY KEY, tenant TEXT NOT NULL, weight REAL NOT NULL, state TEXT NOT NULL,
  total INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL DEFAULT 0, accepted INTEGER NOT NULL DEFAULT 0,
  faults INTEGER NOT NULL DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL, started INTEGER, ended INTEGER, served INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS jobs_of_tenant ON jobs (tenant, created);
CREATE INDEX IF NOT EXISTS jobs_in_state ON jobs (state);
CREATE INDEX IF NOT EXISTS jobs_served ON jobs (served);
CREATE TABLE IF NOT EXISTS items (
  job TEXT NOT NULL, line INTEGER NOT NULL, body TEXT NOT NULL, faults INTEGER NOT NULL DEFAULT 0,
  free_at INTEGER NOT NULL DEFAULT 0, token INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS item_of_job ON items (job, line);
CREATE INDEX IF NOT EXISTS free_items ON items (job, free_at, line);
CREATE TABLE IF NOT EXISTS results (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, line INTEGER NOT NULL, json TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS result_of_item ON results (job, line);
CREATE INDEX IF NOT EXISTS results_of_job ON results (job, seq);
`;

const JobRow = z.object({
  id: z.string(),
  tenant: z.string(),
  weight: z.number(),
  state: z.enum(['receiving', 'running', 'done', 'cancelled']),
  total: z.int(),
  bytes: z.int(),
  done: z.int(),
  accepted: z.int(),
  faults: z.int(),
  rejected: z.int(),
  created: z.int(),
  started: z.int().nullable(),
  ended: z.int().nullable(),
});
const ItemRow = z.object({
  line: z.int(),
  body: z.string(),
  faults: z.int(),
  token: z.int(),
});
const ResultItem = z.object({ seq: z.int(), json: z.string() });
const Pages = z.object({ page_count: z.int() });
const Free = z.object({ freelist_count: z.int() });
const Size = z.object({ page_size: z.int() });
const Sum = z.object({ sum: z.int() });
const Column = z.object({ name: z.string() });

/** The name under which SQLite keeps no file. */
const MEMORY = ':memory:';
/** How long another process may hold the file, ms. */
const BUSY_MS = 5000;
/** Rows deleted in one step, so that no step holds up requests. */
const STEP_ROWS = 2000;
/** Columns of a job that a kind of result counts in, besides `done`. */
const COUNTED = {
  accepted: 'accepted',
  failed: null,
  fault: 'faults',
  rejected: 'rejected',
} as const;

export class SqliteJobStore implements JobStore {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** `file` is made where there is none; `:memory:` for jobs that end with the process. */
  static open(file: string, clock: Clock): SqliteJobStore {
    // What tenants hand in is nobody else's to read; the files beside it are made like it.
    if (file !== MEMORY) closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file, { timeout: BUSY_MS });
    database.exec(SCHEMA);
    addSize(database);
    return new SqliteJobStore(database, clock);
  }

  async create({ id, payer }: Pick<Job, 'id' | 'payer'>): Promise<void> {
    this.#run(
      `INSERT INTO jobs (id, tenant, weight, state, created) VALUES (?, ?, ?, 'receiving', ?)`,
      ...[id, payer.tenant, payer.weight, this.#now()],
    );
  }

  async add(id: string, items: readonly NewItem[]): Promise<void> {
    this.#atOnce(() => {
      let bytes = 0;
      for (const { line, body } of items) {
        this.#run('INSERT INTO items (job, line, body) VALUES (?, ?, ?)', id, line, body);
        bytes += Buffer.byteLength(body);
      }
      const { changes } = this.#run(
        `UPDATE jobs SET total = total + ?, bytes = bytes + ?, size = size + ?
         WHERE id = ? AND state = 'receiving'`,
        ...[items.length, bytes, bytes, id],
      );
      if (changes !== 1) throw new Error('the job takes no more items');
    });
  }

  async seal(id: string): Promise<void> {
    // From here on the caller relies on it, so it is brought to the disk.
    this.#database.exec('PRAGMA synchronous = FULL');
    try {
      this.#run(
        `UPDATE jobs SET state = iif(total = 0, 'done', 'running'), ended = iif(total = 0, ?, NULL)
         WHERE id = ? AND state = 'receiving'`,
        ...[this.#now(), id],
      );
    } finally {
      this.#database.exec('PRAGMA synchronous = NORMAL');
    }
  }

  async get(id: string): Promise<Job | null> {
    const row = this.#statement('SELECT * FROM jobs WHERE id = ?').get(id);
    return row === undefined ? null : toJob(row);
  }

  async list(tenant: string): Promise<readonly Job[]> {
    const sql = 'SELECT * FROM jobs WHERE tenant = ? ORDER BY created DESC, rowid DESC';
    return this.#statement(sql).all(tenant).map(toJob);
  }

  async cancel(id: string): Promise<void> {
    const sql = `UPDATE jobs SET state = 'cancelled', ended = ? WHERE id = ? AND ended IS NULL`;
    if (this.#run(sql, this.#now(), id).changes === 1) await this.#deleteRows('items', id);
  }

  async remove(id: string): Promise<void> {
    await this.cancel(id);
    await this.#deleteRows('items', id);
    await this.#deleteRows('results', id);
    this.#run('DELETE FROM jobs WHERE id = ?', id);
  }

  async claim({ except }: ClaimOptions = NO_EXCEPTION): Promise<Claim | null> {
    const now = this.#now();
    return this.#atOnce(() => {
      // The tenant that was served longest ago, and of its jobs the one that was.
      const found = this.#statement(
        `SELECT * FROM jobs WHERE state = 'running' AND tenant NOT IN (SELECT value FROM json_each(?))
           AND EXISTS (SELECT 1 FROM items WHERE job = jobs.id AND free_at <= ?)
         ORDER BY (SELECT max(served) FROM jobs AS other WHERE other.tenant = jobs.tenant), served
         LIMIT 1`,
      ).get(JSON.stringify([...except]), now);
      if (found === undefined) return null;
      const job = toJob(found);
      const item = ItemRow.parse(
        this.#statement(
          `UPDATE items SET free_at = ?, token = token + 1 WHERE rowid =
             (SELECT rowid FROM items WHERE job = ? AND free_at <= ? ORDER BY free_at, line LIMIT 1)
           RETURNING line, body, faults, token`,
        ).get(now + LEASE_MS, job.id, now),
      );
      this.#run(
        `UPDATE jobs SET served = (SELECT max(served) FROM jobs) + 1,
           started = coalesce(started, ?) WHERE id = ?`,
        ...[now, job.id],
      );
      return { job: job.id, payer: job.payer, ...item, token: String(item.token) };
    });
  }

  async renew(claims: readonly Claim[]): Promise<void> {
    const until = this.#now() + LEASE_MS;
    this.#atOnce(() => {
      for (const claim of claims)
        this.#run(`UPDATE items SET free_at = ? WHERE ${OF_CLAIM}`, until, ...placeOf(claim));
    });
  }

  async putBack(
    claim: Claim,
    { delayMs, isFault }: { readonly delayMs: number; readonly isFault: boolean },
  ): Promise<void> {
    const sql = `UPDATE items SET free_at = ?, faults = faults + ? WHERE ${OF_CLAIM}`;
    this.#run(sql, this.#now() + delayMs, isFault ? 1 : 0, ...placeOf(claim));
  }

  async complete({ job, line }: Claim, { kind, json }: ItemResult): Promise<void> {
    this.#atOnce(() => {
      const { changes } = this.#run(
        `INSERT OR IGNORE INTO results (job, line, json)
         SELECT id, ?, ? FROM jobs WHERE id = ? AND state = 'running'`,
        ...[line, json, job],
      );
      this.#run('DELETE FROM items WHERE job = ? AND line = ?', job, line);
      if (changes === 0) return;
      const counted = COUNTED[kind];
      this.#run(
        `UPDATE jobs SET done = done + 1, size = size + ?${counted === null ? '' : `, ${counted} = ${counted} + 1`},
           state = iif(done + 1 = total, 'done', state), ended = iif(done + 1 = total, ?, ended)
         WHERE id = ?`,
        ...[Buffer.byteLength(json), this.#now(), job],
      );
    });
  }

  async results(id: string, { cursor, limit, chars }: PageQuery): Promise<ResultPage> {
    const sql = 'SELECT seq, json FROM results WHERE job = ? AND seq > ? ORDER BY seq LIMIT ?';
    const results: string[] = [];
    let [last, size] = [cursor, 0];
    for (const row of this.#statement(sql).iterate(id, cursor, limit + 1)) {
      if (results.length === limit || size > chars) return { results, cursor: last, isEnd: false };
      const { seq, json } = ResultItem.parse(row);
      results.push(json);
      size += json.length;
      last = seq;
    }
    return { results, cursor: last, isEnd: true };
  }

  async bytes(tenant?: string): Promise<number> {
    if (tenant !== undefined) {
      const sql = 'SELECT coalesce(sum(size), 0) AS sum FROM jobs WHERE tenant = ?';
      return Sum.parse(this.#statement(sql).get(tenant)).sum;
    }
    const { page_count: pages } = Pages.parse(this.#statement('PRAGMA page_count').get());
    const { freelist_count: free } = Free.parse(this.#statement('PRAGMA freelist_count').get());
    const { page_size: size } = Size.parse(this.#statement('PRAGMA page_size').get());
    return (pages - free) * size;
  }

  async sweep({ ended, begun }: { readonly ended: number; readonly begun: number }): Promise<void> {
    const old = this.#statement(
      `SELECT id FROM jobs WHERE ended < ? OR (state = 'receiving' AND created < ?)`,
    ).all(ended, begun);
    for (const row of old) await this.remove(z.object({ id: z.string() }).parse(row).id);
  }

  async close(): Promise<void> {
    this.#statements.clear();
    this.#database.close();
  }

  #now(): number {
    return this.#clock.date().getTime();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#database.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  #run(sql: string, ...values: readonly SQLInputValue[]) {
    return this.#statement(sql).run(...values);
  }

  #atOnce<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  async #deleteRows(table: 'items' | 'results', job: string): Promise<void> {
    const sql = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE job = ? LIMIT ${STEP_ROWS})`;
    while (this.#run(sql, job).changes === STEP_ROWS) await this.#clock.sleep(0);
  }
}

/** Files of earlier versions do not tell what a job takes; of those, items count and results do not. */
function addSize(database: DatabaseSync): void {
  const columns = database.prepare('PRAGMA table_info(jobs)').all();
  if (columns.some((each) => Column.parse(each).name === 'size')) return;
  database.exec('ALTER TABLE jobs ADD COLUMN size INTEGER NOT NULL DEFAULT 0');
  database.exec('UPDATE jobs SET size = bytes');
}

/** The item, if nobody else has claimed it since. */
const OF_CLAIM = 'job = ? AND line = ? AND token = ?';

function placeOf({ job, line, token }: Claim): [string, number, number] {
  return [job, line, Number(token)];
}

function toJob(row: unknown): Job {
  const { id, tenant, weight, state, total, bytes, done, accepted, faults, rejected, ...at } =
    JobRow.parse(row);
  return {
    id,
    payer: { tenant, weight },
    state,
    total,
    bytes,
    counts: { done, accepted, faults, rejected },
    createdAt: at.created,
    startedAt: at.started,
    endedAt: at.ended,
  };
}
