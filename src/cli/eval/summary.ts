/** What all results come to: counts, pass@k, kinds of failure, distributions. Pure; holds a few numbers a problem. */
import { meanPassAtK, type PassAtK } from './pass-at-k.ts';
import type { ResultRow } from './results-file.ts';

/** Bounds of a histogram: three to a decade; the last bin is open. */
const TIME_EDGES_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const MEMORY_EDGES_MB = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const MIB = 1024 * 1024;

/** Kinds of failure that are told apart; programs choose their names, so there is an end to it. */
const KINDS_MAX = 60;
const SLOWEST = 15;
/** Failures that are shown with their program: in all, and of one problem. */
const SHOWN_MAX = 500;
const SHOWN_OF_PROBLEM_MAX = 20;
/** Samples without a reward that are listed. */
const LISTED_MAX = 1000;
const PROBLEMS_MAX = 500_000;

interface ProblemTally {
  judged: number;
  right: number;
  faults: number;
  shown: number;
  cpuMaxMs: number;
  cpuSumMs: number;
}

export interface Bin {
  /** Exclusive; null for the last. */
  readonly below: number | null;
  readonly count: number;
}

export interface Summary {
  readonly samples: { readonly read: number; readonly judged: number; readonly right: number };
  /** Without a reward: failures of ours, and lines that nobody could judge. */
  readonly unjudged: { readonly faults: number; readonly refused: number };
  readonly problems: {
    /** Null where nobody says how many there are. */
    readonly known: number | null;
    /** With at least one judged sample. */
    readonly judged: number;
    /** With a right sample. */
    readonly solved: number;
  };
  readonly pass_at_k: readonly PassAtK[];
  /** Count of each verdict, of judged samples. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** Count of each kind of failure and of what was not judged, most first. */
  readonly failure_kinds: readonly { readonly kind: string; readonly count: number }[];
  readonly cpu_ms: { readonly bins: readonly Bin[]; readonly max: number; readonly mean: number };
  readonly memory_mb: { readonly bins: readonly Bin[]; readonly max: number };
  /** By the CPU time of their slowest case. */
  readonly slowest_problems: readonly SlowProblem[];
  /** The first ones; all are in the results. */
  readonly without_reward: readonly Pick<ResultRow, 'line' | 'task_id' | 'kind' | 'message'>[];
}

export interface SlowProblem {
  readonly task_id: string;
  readonly cpu_ms_max: number;
  readonly cpu_ms_mean: number;
  readonly judged: number;
  readonly right: number;
}

export class Accumulator {
  readonly #problems = new Map<string, ProblemTally>();
  readonly #verdicts = new Map<string, number>();
  readonly #kinds = new Map<string, number>();
  readonly #cpu = new Histogram(TIME_EDGES_MS);
  readonly #memory = new Histogram(MEMORY_EDGES_MB);
  readonly #without: ResultRow[] = [];
  /** Failures to be shown with their program, bounded. */
  readonly shown: ResultRow[] = [];
  #failed = 0;
  #refused = 0;

  add(row: ResultRow): void {
    if (row.reward === null) {
      // What was refused may name no problem that there is.
      if (row.verdict === 'fault') this.#problem(row.task_id).faults += 1;
      else this.#refused += 1;
      this.#count(row.kind ?? row.verdict);
      if (this.#without.length < LISTED_MAX) this.#without.push(row);
      return;
    }
    const problem = this.#problem(row.task_id);
    problem.judged += 1;
    this.#verdicts.set(row.verdict, (this.#verdicts.get(row.verdict) ?? 0) + 1);
    if (row.cpu_ms !== null) {
      this.#cpu.add(row.cpu_ms);
      problem.cpuMaxMs = Math.max(problem.cpuMaxMs, row.cpu_ms);
      problem.cpuSumMs += row.cpu_ms;
    }
    if (row.memory_bytes !== null) this.#memory.add(row.memory_bytes / MIB);
    if (row.verdict === 'accepted') problem.right += 1;
    else this.#addFailure(row, problem);
  }

  /** Failures in all, of which `shown` has the first. */
  get failed(): number {
    return this.#failed;
  }

  summary({
    ks,
    read,
    known,
  }: {
    readonly ks: readonly number[];
    readonly read: number;
    readonly known: number | null;
  }): Summary {
    const problems = [...this.#problems.values()];
    const sum = (name: 'judged' | 'right' | 'faults'): number =>
      problems.reduce((count, each) => count + each[name], 0);
    return {
      samples: { read, judged: sum('judged'), right: sum('right') },
      unjudged: { faults: sum('faults'), refused: this.#refused },
      problems: {
        known,
        judged: problems.filter(({ judged }) => judged > 0).length,
        solved: problems.filter(({ right }) => right > 0).length,
      },
      pass_at_k: ks.map((k) => meanPassAtK(problems, k)),
      verdicts: Object.fromEntries(this.#verdicts),
      failure_kinds: [...this.#kinds]
        .map(([kind, count]) => ({ kind, count }))
        .toSorted((one, other) => other.count - one.count),
      cpu_ms: { bins: this.#cpu.bins(), max: this.#cpu.max, mean: this.#cpu.mean },
      memory_mb: { bins: this.#memory.bins(), max: this.#memory.max },
      slowest_problems: this.#slowest(),
      without_reward: this.#without.map(({ line, task_id, kind, message }) => ({
        line,
        task_id,
        kind,
        message,
      })),
    };
  }

  #problem(id: string): ProblemTally {
    const known = this.#problems.get(id);
    if (known !== undefined) return known;
    if (this.#problems.size >= PROBLEMS_MAX)
      throw new RangeError(`more than ${PROBLEMS_MAX} problems: split the file of samples`);
    const made = { judged: 0, right: 0, faults: 0, shown: 0, cpuMaxMs: 0, cpuSumMs: 0 };
    this.#problems.set(id, made);
    return made;
  }

  #addFailure(row: ResultRow, problem: ProblemTally): void {
    this.#failed += 1;
    this.#count(row.kind ?? row.verdict);
    if (this.shown.length >= SHOWN_MAX || problem.shown >= SHOWN_OF_PROBLEM_MAX) return;
    problem.shown += 1;
    this.shown.push(row);
  }

  #count(kind: string): void {
    const name =
      this.#kinds.has(kind) || this.#kinds.size < KINDS_MAX
        ? kind
        : `${kind.replace(/:.*$/s, '')}: other`;
    this.#kinds.set(name, (this.#kinds.get(name) ?? 0) + 1);
  }

  #slowest(): SlowProblem[] {
    return [...this.#problems]
      .filter(([, { judged }]) => judged > 0)
      .map(([id, { cpuMaxMs, cpuSumMs, judged, right }]) => ({
        task_id: id,
        cpu_ms_max: cpuMaxMs,
        cpu_ms_mean: round(cpuSumMs / judged),
        judged,
        right,
      }))
      .toSorted((one, other) => other.cpu_ms_max - one.cpu_ms_max)
      .slice(0, SLOWEST);
  }
}

class Histogram {
  readonly #edges: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #number = 0;
  max = 0;

  constructor(edges: readonly number[]) {
    this.#edges = edges;
    this.#counts = Array.from({ length: edges.length + 1 }, () => 0);
  }

  add(value: number): void {
    const found = this.#edges.findIndex((edge) => value < edge);
    const at = found === -1 ? this.#edges.length : found;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
    this.#number += 1;
    this.max = Math.max(this.max, round(value));
  }

  get mean(): number {
    return this.#number === 0 ? 0 : round(this.#sum / this.#number);
  }

  /** From the first that has something to the last that has. */
  bins(): Bin[] {
    const all = this.#counts.map((count, at) => ({ below: this.#edges[at] ?? null, count }));
    const last = all.findLastIndex(({ count }) => count > 0);
    const first = all.findIndex(({ count }) => count > 0);
    return first === -1 ? [] : all.slice(first, last + 1);
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
