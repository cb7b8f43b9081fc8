/**
 * The one door to the service: what adapters (native API, compatibility surfaces, CLI) may ask. The types only;
 * `judge/service.ts` is the implementation.
 */
import type { RejectionCode } from '../domain/errors.ts';
import type { Determinism } from '../domain/language.ts';
import type { Limits } from '../domain/limits.ts';
import type { CellsReport, CompileReport, JudgeReport, RunReport } from '../domain/report.ts';
import type { CellsSubmission, JudgeSubmission, RunSubmission } from '../domain/submission.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import type { Payer } from '../domain/tenant.ts';
import type { CgroupBackEnd } from '../domain/wall.ts';
import type { KeptStats } from '../lib/kept.ts';
import type { ArtefactCacheStats } from './artefacts/cache.ts';
import type { MemoryBudgetStats } from '../pool/memory-budget.ts';
import type { WallProbe } from '../sandbox/port.ts';
import type { TestKindInfo } from './test-kinds.ts';
import type { WallTest } from './wall-test/verdict.ts';

/** Who waits, and for how long. */
export interface CallContext {
  /** Aborts when the caller has gone; queued work then never starts, running work is killed. */
  readonly signal: AbortSignal;
  /** Milliseconds from now within which the answer must be there, queueing included; null for none. */
  readonly deadlineMs: number | null;
  /** Default `ANONYMOUS`. */
  readonly payer?: Payer;
  /** Before work of the same tenant with a lower one; default 0. */
  readonly priority?: number;
  /** Whether the report of an equal submission will do (`judge/reuse`); by default as the service is configured. */
  readonly reuse?: boolean | undefined;
  /** Called once when the submission has left the queue and holds a slot. */
  readonly onStart?: () => void;
  /** A self-test: no caller's, so the queue's bounds do not refuse it and no statistics count it. */
  readonly isOwn?: boolean;
  /** The caller writes the report's line of the log itself, with the facts of its request. Default false. */
  readonly isTold?: boolean;
  /** Runs the compiler even for a program that was compiled before: the self-test of a toolchain. Default false. */
  readonly compilesAnew?: boolean;
}

export interface EnvironmentInfo {
  readonly id: string;
  readonly title: string;
  /** Other names; each also names the language with this environment. */
  readonly aliases: readonly string[];
  readonly available: boolean;
  /** Why it is not available; null when it is. */
  readonly reason: string | null;
  readonly packages: Readonly<Record<string, string>>;
  /** Null when it is not available. */
  readonly fingerprint: string | null;
  readonly warm: boolean;
}

export interface LanguageInfo {
  readonly id: string;
  readonly title: string;
  readonly aliases: readonly string[];
  /** Tags of fenced blocks that mean this language, besides id and aliases; file extensions among them. */
  readonly fenceTags: readonly string[];
  readonly version: string | null;
  readonly available: boolean;
  /** Why it is not available; null when it is. */
  readonly reason: string | null;
  /** The file a single program is written to; its extension is the language's. */
  readonly sourceFile: string;
  /** True when a compile step precedes the runs. */
  readonly compiled: boolean;
  /** Where its jails have what runs files of tests, such as pytest; null without. */
  readonly testPackages: string | null;
  /** Whether cells of a notebook can be run. */
  readonly hasCells: boolean;
  /** What `seed` and `clock` fix, null where they are refused; what varies all the same. */
  readonly determinism: Determinism;
  /** What the runtime itself gets on top of a submission's limits. */
  readonly allowance: {
    /** CPU and wall time, ms. */
    readonly cpuMs: number;
    readonly memoryMb: number;
    readonly processes: number;
  };
  /** Kinds of tests besides those by standard streams; none where it is not available. */
  readonly tests: readonly TestKindInfo[];
  /** The first is the default. */
  readonly environments: readonly EnvironmentInfo[];
}

export interface SelfTestResult {
  readonly environment: string;
  readonly test: string;
  readonly ok: boolean;
  readonly message: string;
}

/** What a wall enforces, as probed, and what its last test found; null where nobody has asked for one. */
export interface WallInfo extends WallProbe {
  readonly test: WallTest | null;
}

export interface Capabilities {
  readonly service: string;
  readonly runner: string;
  readonly walls: readonly WallInfo[];
  readonly cgroup: CgroupBackEnd;
  readonly slots: number;
  readonly defaults: Limits;
  readonly maxima: Limits;
  readonly selfTests: readonly SelfTestResult[];
}

/** Quantiles over the last acquisitions, ms. */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface EnvironmentStats {
  readonly id: string;
  readonly wall: string;
  /** Environments of one pool share its jails, and all figures of jails here are the pool's. */
  readonly pool: string;
  readonly jails: {
    readonly starting: number;
    readonly ready: number;
    readonly leased: number;
    /** Jails to hold, by recent demand. */
    readonly target: number;
  };
  /** Share of acquisitions that found a jail ready, 0 … 1; null before the first. */
  readonly warmHitRate: number | null;
  readonly acquireMs: Quantiles | null;
  /** Of those that found a jail ready, and of those that did not. */
  readonly acquireWarmMs: Quantiles | null;
  readonly acquireColdMs: Quantiles | null;
  /** What a jail without work holds in memory, as measured last; null where that is not known. */
  readonly idleBytes: number | null;
  readonly outcomes: Readonly<Partial<Record<OutcomeKind, number>>>;
  readonly retired: Readonly<Record<string, number>>;
}

/** Why work is given up. */
export const GIVEN_UP_REASONS = [
  'caller_gone',
  'deadline',
  'draining',
] as const satisfies RejectionCode[];
export type GivenUpReason = (typeof GIVEN_UP_REASONS)[number];

/** Reports that stood for others. */
interface ReuseStats extends KeptStats {
  /** Submissions that got the report of one before, and of one that was under way. */
  readonly kept: number;
  readonly inFlight: number;
  /** Those that asked for one and were judged. */
  readonly misses: number;
}

interface QueueStats {
  readonly length: number;
  readonly bytes: number;
  readonly lengthMax: number;
  /** The tenants of whom most waits, at most 20. */
  readonly tenants: readonly {
    readonly tenant: string;
    readonly length: number;
    readonly bytes: number;
  }[];
  /** Of the last submissions that got a slot, those that did not have to wait included. */
  readonly waitMs: Quantiles | null;
}

/** What the host has left of a resource. */
export interface HostRoomStat {
  readonly resource: 'disk' | 'memory' | 'cgroup_memory';
  readonly usedPercent: number;
  readonly freeBytes: number;
  /** Share in use from which it may be full, %. */
  readonly limitPercent: number;
  /** Whether nothing new is taken because of it. */
  readonly isFull: boolean;
}

export interface Stats {
  readonly uptimeMs: number;
  readonly slots: { readonly total: number; readonly busy: number };
  readonly queue: QueueStats;
  readonly submissions: { readonly run: number; readonly judged: number; readonly faults: number };
  /** Requests and lines of batches that were refused, for whatever reason. */
  readonly rejections: Readonly<Partial<Record<RejectionCode, number>>>;
  /** Submissions that were given up before they had a slot, and while they had one. */
  readonly givenUp: {
    readonly waiting: Readonly<Partial<Record<GivenUpReason, number>>>;
    readonly running: Readonly<Partial<Record<GivenUpReason, number>>>;
  };
  readonly environments: readonly EnvironmentStats[];
  /** Null when compiled programs are not kept. */
  readonly compileCache: ArtefactCacheStats | null;
  /** Null where no reports are reused. */
  readonly reuse: ReuseStats | null;
  /** What all jails share. */
  readonly jailMemory: MemoryBudgetStats;
  /** One entry a resource that is watched. */
  readonly hostRoom: readonly HostRoomStat[];
  readonly eventLoopDelayMs: Quantiles;
  readonly memoryBytes: number;
}

export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

/** Where a program is to run. */
export type Wanted = Pick<RunSubmission, 'language' | 'environment' | 'wall'>;

/** What a running program can be told. */
export interface LiveVoice {
  /** Input. Undefined where there was room for it, else resolves when there is; whoever does not wait keeps it in memory. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** End of input, after what was written. */
  end(): void;
  /** A signal for the program itself, 1 … 64; of no effect once it has ended. */
  signal(signal: number): void;
}

/** Who talks with a program while it runs. None of its methods may throw. */
export interface LiveTalk {
  /** A stage begins; `compile` comes again where a fault of ours had it tried anew. */
  readonly onStage: (stage: 'compile' | 'run') => void;
  readonly onCompiled: (compile: CompileReport) => void;
  /** The program can be told something from now on. */
  readonly onOpen: (voice: LiveVoice) => void;
  /** Output as it comes; no more is read while a promise that was returned is pending. */
  readonly onOutput: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => Promise<void> | undefined;
}

export interface Service {
  /** The operator's maxima, for `toSubmission`. */
  readonly maxima: Limits;
  /**
   * Runs a program once. Throws `Rejection` (unknown_language, language_unavailable, queue_full, draining, deadline,
   * caller_gone …); a fault of ours is in the report.
   */
  run(submission: RunSubmission, context: CallContext): Promise<RunReport>;
  /**
   * Runs a program once with its input open, as `run` otherwise; `stdin` and `collect` are not looked at, and the report
   * has no output. Its wall limit goes on whoever it waits for.
   */
  talk(submission: RunSubmission, talk: LiveTalk, context: CallContext): Promise<RunReport>;
  /**
   * Runs cells of a notebook. Throws like `run`, and Rejection `invalid` for a language that has none. Cells that were not
   * begun when the process ended are not in the report.
   */
  runCells(submission: CellsSubmission, context: CallContext): Promise<CellsReport>;
  /** Judges a program against its tests. Throws like `run`. */
  judge(submission: JudgeSubmission, context: CallContext): Promise<JudgeReport>;
  /**
   * Tries the checker of a submission on its own cases (`verify/checker/trial`): what is wrong with it, a line each; the
   * submission's program is not run. Throws like `judge`.
   */
  tryChecker(submission: JudgeSubmission, context: CallContext): Promise<readonly string[]>;
  /**
   * Throws the `Rejection` (unknown_language, unknown_environment, language_unavailable, wall_unavailable) that `run` would
   * throw for a program that is to run there; else tells which file there one of a single file is.
   */
  check(wanted: Wanted): { readonly sourceFile: string };
  /** The definition's facts for one id or alias (exact, lower-cased), or null. */
  language(name: string): LanguageInfo | null;
  languages(): readonly LanguageInfo[];
  capabilities(): Capabilities;
  stats(): Stats;
  /**
   * Throws `Rejection` (`queue_full`, `draining`) where a submission with this context would be refused now, whatever it
   * is: so that a body need not be read. Says nothing of what comes later.
   */
  checkRoom(context: Pick<CallContext, 'payer' | 'priority'>): void;
  /** Counts a request that was refused, here or before it came here. */
  rejected(code: RejectionCode): void;
  readiness(): Readiness;
}
