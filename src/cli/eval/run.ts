/**
 * An evaluation from its file of samples to its rows: reads as fast as is judged, skips what is on file, and appends each
 * result as it comes. Holds a few bytes a sample and what is under way.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Api } from '../api.ts';
import type { Language } from '../program-file.ts';
import { CountTable } from './count-table.ts';
import { sha256 } from './digest.ts';
import { judgeSample, refusedRow, type SampleFacts } from './judge-sample.ts';
import { LINE_BYTES_MAX, readLines } from './lines.ts';
import type { EvalProblem, EvalProblems, EvalSettings } from './problems.ts';
import type { ProgressCounts } from './progress.ts';
import { toRequests } from './request.ts';
import { readResults, type ResultRow, ResultsFile } from './results-file.ts';
import { parseSample, type Sample } from './sample.ts';
import { Accumulator } from './summary.ts';

export interface EvalOptions {
  readonly samples: string;
  /** The file of results; begun or gone on with. */
  readonly results: string;
  readonly api: Api;
  readonly problems: EvalProblems;
  readonly languages: readonly Language[];
  readonly settings: EvalSettings;
  /** How often a fault is tried again. */
  readonly retries: number;
  /** Samples under way at once. */
  readonly inFlight: number;
  readonly clock: Clock;
  /** Aborts to stop: what is under way is left, what is done is on file. */
  readonly signal: AbortSignal;
  readonly onProgress: (counts: ProgressCounts) => void;
}

export interface EvalCounts {
  readonly table: CountTable;
  /** Samples of the file. */
  readonly read: number;
  readonly counts: ProgressCounts;
}

/** Judges what has no reward on file. Throws the signal's reason when it aborts, UsageError where no service answers. */
export async function evaluate(options: EvalOptions): Promise<EvalCounts> {
  const { api, clock, signal, retries, onProgress } = options;
  const table = new CountTable();
  const details = new DetailBudget();
  const digest = settingsDigest(options.settings);
  await using results = await ResultsFile.open(options.results);
  for await (const row of readResults(options.results)) {
    if (row.reward !== null) table.addSettled(row.key);
    details.note(row);
  }
  const counts = { done: 0, right: 0, unjudged: 0, skipped: 0 };
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const judge = async (work: Work): Promise<void> => {
    const row =
      work.kind === 'refused'
        ? refusedRow(work.facts, work.reason)
        : await judgeSample(work.facts, work, { api, clock, signal: either, retries });
    await results.append(details.cut(row));
    if (row.reward !== null) table.addSettled(row.key);
    counts.done += 1;
    if (row.reward === null) counts.unjudged += 1;
    else if (row.verdict === 'accepted') counts.right += 1;
    onProgress(counts);
  };
  let read = 0;
  const pool = new TaskPool(options.inFlight, () => stop.abort());
  try {
    for await (const line of readLines(options.samples)) {
      read += 1;
      // `release` gives room in a budget that only this file uses; its bytes are text from here on.
      line.release();
      const work = toWork(line, digest, options);
      if (!table.see(work.facts.key)) {
        counts.skipped += 1;
        onProgress(counts);
        continue;
      }
      await pool.start(() => judge(work));
      if (either.aborted) break;
    }
  } finally {
    await pool.ended();
  }
  pool.throwFirst();
  signal.throwIfAborted();
  return { table, read, counts };
}

/** All rows that belong to samples of the file, one a sample. */
export async function accumulate(name: string, table: CountTable): Promise<Accumulator> {
  const all = new Accumulator();
  for await (const row of readResults(name))
    if (table.take(row.key, row.reward !== null)) all.add(row);
  return all;
}

/** What a change of the command line makes other results of. */
function settingsDigest({ language, profile, limits, isRaw }: EvalSettings): string {
  const sorted = Object.entries(limits).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sha256(JSON.stringify([language, profile, sorted, isRaw]));
}

type Work =
  | {
      readonly kind: 'requests';
      readonly facts: SampleFacts;
      readonly bodies: readonly string[];
      readonly code: string;
    }
  | { readonly kind: 'refused'; readonly facts: SampleFacts; readonly reason: string };

function toWork(
  line: { readonly number: number; readonly bytes: Uint8Array | null },
  settingsKey: string,
  options: EvalOptions,
): Work {
  const { number, bytes } = line;
  if (bytes === null) {
    const key = sha256('unread', String(number));
    const facts = { key, line: number, task_id: '' };
    return { kind: 'refused', facts, reason: `a line is at most ${LINE_BYTES_MAX} bytes` };
  }
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const sample = parseSample(text);
  const problem = sample.kind === 'task' ? options.problems.find(sample.taskId) : null;
  const facts = {
    key: sha256(settingsKey, problem?.digest ?? '', bytes),
    line: number,
    task_id: sample.kind === 'unreadable' ? '' : (problem?.id ?? sample.taskId),
  };
  const made = requestsOf(sample, problem, options);
  return made.kind === 'refusal'
    ? { kind: 'refused', facts, reason: made.reason }
    : { kind: 'requests', facts, bodies: made.bodies, code: made.code };
}

function requestsOf(sample: Sample, problem: EvalProblem | null, options: EvalOptions) {
  if (sample.kind === 'unreadable') return { kind: 'refusal', reason: sample.reason } as const;
  if (sample.kind === 'native')
    return { kind: 'requests', bodies: [sample.text], code: sample.code } as const;
  if (problem === null)
    return { kind: 'refusal', reason: 'there is no problem of this name' } as const;
  const { settings, languages } = options;
  return toRequests(sample, { problem, settings, languages });
}

/** Failures whose program is kept with the result: in all, and of one problem. */
const DETAILED_MAX = 2000;
const DETAILED_OF_PROBLEM_MAX = 20;

/** Keeps files of results small: only some failures carry the program and what it wrote. */
class DetailBudget {
  readonly #ofProblem = new Map<string, number>();
  #all = 0;

  note({ task_id: id, code }: ResultRow): void {
    if (code === undefined) return;
    this.#all += 1;
    this.#ofProblem.set(id, (this.#ofProblem.get(id) ?? 0) + 1);
  }

  cut(row: ResultRow): ResultRow {
    const isFull =
      this.#all >= DETAILED_MAX ||
      (this.#ofProblem.get(row.task_id) ?? 0) >= DETAILED_OF_PROBLEM_MAX;
    if (!isFull) {
      this.note(row);
      return row;
    }
    const { code: _code, stdout: _stdout, stderr: _stderr, ...rest } = row;
    return rest;
  }
}

/** Tasks at once, no more than so many; the first failure is kept, told, and thrown when it is asked for. */
class TaskPool {
  readonly #most: number;
  readonly #onFailure: () => void;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;

  constructor(most: number, onFailure: () => void) {
    this.#most = most;
    this.#onFailure = onFailure;
  }

  /** Resolves once there is room for another. */
  async start(task: () => Promise<void>): Promise<void> {
    const running: Promise<void> = task()
      .catch((error: unknown) => {
        this.#failure ??= { error };
        this.#onFailure();
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
    if (this.#running.size >= this.#most) await Promise.race(this.#running);
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  throwFirst(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
