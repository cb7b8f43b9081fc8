/**
 * The limits of one submission and the relations between them. Owns defaults, operator maxima and
 * clamping; knows nothing of wires, jails or languages.
 */

/** Limits in force for one run (or, where named so, for the compile step). All values are integers. */
export interface Limits {
  /** CPU time of the run's whole process tree, ms, user + system. */
  readonly cpuMs: number;
  /** Wall time, ms; a safety net, queueing not included. */
  readonly wallMs: number;
  /** Peak memory of the run's process tree and its files, bytes. */
  readonly memoryBytes: number;
  /** Cap of stdout and of stderr, each, bytes. */
  readonly outputBytes: number;
  /** Processes and threads at once. */
  readonly processes: number;
  /** Size of the run's private file system, bytes. */
  readonly diskBytes: number;
  /** Open file descriptors of a process. */
  readonly openFiles: number;
  /** CPU time of the compile step, ms. */
  readonly compileCpuMs: number;
  /** Wall time of the compile step, ms. */
  readonly compileWallMs: number;
}

/** What a caller asked for: any subset; `wallMs` and `compileWallMs` follow from the CPU limits unless given. */
export type LimitsRequest = { readonly [K in keyof Limits]?: number | undefined };

const MIB = 1024 * 1024;

/** A stack this large is what contest judges give; without a memory cgroup it would count as data. */
export const STACK_BYTES = { cgroup: 256 * MIB, none: 16 * MIB } as const;

/** Contract values of the native API. */
export const DEFAULT_LIMITS = {
  cpuMs: 10_000,
  memoryBytes: 512 * MIB,
  outputBytes: 16_384 * 1024,
  processes: 64,
  diskBytes: 64 * MIB,
  openFiles: 256,
  compileCpuMs: 30_000,
} as const;

/** The wall limit that goes with a CPU limit when none is asked for: 2 × CPU + 1 s (as CMS does). */
export function wallFor(cpuMs: number): number {
  return 2 * cpuMs + 1000;
}

/** What wall time has above a time-out of others, which is CPU time here. */
const WALL_NET = { share: 0.25, leastMs: 2000, mostMs: 10_000 } as const;

/**
 * The wall limit where a wall time-out of others is taken as CPU time, so that a program that computes is not judged by how
 * busy the machine is: a quarter more, 2 s at least and 10 s at most.
 */
export function netWallFor(timeoutMs: number): number {
  const { share, leastMs, mostMs } = WALL_NET;
  return timeoutMs + Math.min(Math.max(timeoutMs * share, leastMs), mostMs);
}

/** The operator's maxima unless configured otherwise. */
export const DEFAULT_MAXIMA: Limits = {
  cpuMs: 120_000,
  wallMs: 300_000,
  memoryBytes: 4096 * MIB,
  outputBytes: 64 * MIB,
  processes: 512,
  diskBytes: 1024 * MIB,
  openFiles: 4096,
  compileCpuMs: 120_000,
  compileWallMs: 300_000,
};

/** The least that makes sense; smaller requests are raised to it and reported like any clamp. */
export const MINIMA: Limits = {
  cpuMs: 1,
  wallMs: 1,
  // Below this the kernel may choose a process of ours in place of the run (runners/launcher/child.c).
  memoryBytes: 8 * MIB,
  outputBytes: 0,
  processes: 1,
  diskBytes: MIB,
  openFiles: 8,
  compileCpuMs: 1,
  compileWallMs: 1,
};

export interface ClampedLimits {
  readonly limits: Limits;
  /** Names of the fields whose asked-for value was changed, in the order of `Limits`. */
  readonly clamped: readonly (keyof Limits)[];
}

/**
 * Fills a request with defaults and brings each value into the operator's range.
 * `base` overrides the defaults (a test case's limits start from its submission's).
 */
export function resolveLimits(
  request: LimitsRequest,
  maxima: Limits,
  base: LimitsRequest = {},
): ClampedLimits {
  const asked = { ...DEFAULT_LIMITS, ...dropUndefined(base), ...dropUndefined(request) };
  const clamped: (keyof Limits)[] = [];
  const bring = (key: keyof Limits, value: number): number => {
    const brought = Math.min(Math.max(Math.trunc(value), MINIMA[key]), maxima[key]);
    if (brought !== value) clamped.push(key);
    return brought;
  };
  const cpuMs = bring('cpuMs', asked.cpuMs);
  const wallMs =
    request.wallMs === undefined && (request.cpuMs !== undefined || base.wallMs === undefined)
      ? Math.min(wallFor(cpuMs), maxima.wallMs)
      : bring('wallMs', request.wallMs ?? base.wallMs ?? wallFor(cpuMs));
  const memoryBytes = bring('memoryBytes', asked.memoryBytes);
  const outputBytes = bring('outputBytes', asked.outputBytes);
  const processes = bring('processes', asked.processes);
  const diskBytes = bring('diskBytes', asked.diskBytes);
  const openFiles = bring('openFiles', asked.openFiles);
  const compileCpuMs = bring('compileCpuMs', asked.compileCpuMs);
  const compileWallMs =
    request.compileWallMs === undefined && base.compileWallMs === undefined
      ? Math.min(wallFor(compileCpuMs), maxima.compileWallMs)
      : bring('compileWallMs', request.compileWallMs ?? base.compileWallMs ?? 0);
  return {
    limits: {
      cpuMs,
      wallMs,
      memoryBytes,
      outputBytes,
      processes,
      diskBytes,
      openFiles,
      compileCpuMs,
      compileWallMs,
    },
    clamped,
  };
}

function dropUndefined(request: LimitsRequest): { [K in keyof Limits]?: number } {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
}

/** Bounds on the shape of a submission; each has a test at the bound and one beyond it. */
export const SUBMISSION_BOUNDS = {
  cases: 10_000,
  /** Of a notebook. */
  cells: 1000,
  files: 1000,
  /** Files and the folders they lie in, of a program and again of a case; jails have inodes for both and more. */
  filesAndFolders: 1500,
  pathBytes: 4096,
  pathComponentBytes: 255,
  pathComponents: 32,
  args: 256,
  env: 64,
  collect: 64,
  labels: 16,
  labelBytes: 64,
  idBytes: 256,
  /** The highest, and with a minus the lowest. */
  priority: 10,
  /** All strings of one RUN frame together (protocol.md: they fit one frame). */
  commandBytes: 128 * 1024,
  /** The program with all its files. */
  programBytes: 64 * MIB,
  collectBytes: 64 * MIB,
  /** Input, answer and output of a case for a checker; beside its folders they fit what a jail stages for a run. */
  checkedBytes: 120 * MIB,
} as const;

/** Bounds on a row of a data set while it is decoded (`src/datasets`). */
export const DATASET_BOUNDS = {
  /** Of one encoded field, UTF-16 units: below the longest string that the engine can hold, 2^29 − 24. */
  textChars: 256 * MIB,
  /** What a zlib stream may inflate to; a row of LiveCodeBench comes to tens of MB. */
  inflatedBytes: 256 * MIB,
  /** Lists, tuples and dictionaries inside each other. */
  depth: 100,
  /** List items and fields of one encoded field. */
  values: 1_000_000,
} as const;

/** Bounds on one request for rewards; its bytes are bounded like any body's. */
export const REWARD_BOUNDS = {
  items: 10_000,
  /** Of all items together. */
  completions: 100_000,
  /** Reports with their cases that one JSON answer holds, UTF-16 units; beyond them reports come without cases. */
  reportChars: 64 * MIB,
  /** Rows that are kept ready for other items of the same request. */
  rowsKept: 32,
} as const;

/** Bounds on jobs: batches that are judged while their callers are away. */
export const JOB_BOUNDS = {
  items: 1_000_000,
  /** Of all items of a job, bytes. */
  bytes: 2048 * MIB,
  /** Of one tenant: jobs that have not ended, and all that are kept. */
  open: 64,
  kept: 1000,
  /** Results of one page; and by default. */
  page: 1000,
  pageDefault: 100,
  /** UTF-16 units of a page, beyond which it has fewer; and of one report, beyond which it has no cases. */
  pageChars: 16 * MIB,
  resultChars: 256 * 1024,
} as const;

/** What a report of a judged submission may hold of its programs' outputs. */
export const REPORT_BOUNDS = {
  /** Of each stream that is shown in part. */
  excerptBytes: 4096,
  /** Of all cases' streams together where they are shown whole (`detail: "full"`). */
  outputBytes: 32 * MIB,
} as const;
