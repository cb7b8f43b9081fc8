/** Reports: everything that is answered about one submission. */
import type { Limits } from './limits.ts';
import type { Outcome } from './outcome.ts';
import type { ProfileInForce } from './profile.ts';
import type { CaseReport, Verdict } from './verdict.ts';
import type { CapturedTree } from './workspace.ts';

/** A failure of ours, as shown to callers. Never scored. */
export interface FaultInfo {
  /** A `FaultCode` of domain/errors. */
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** What an attempt runs the program as: processes, or isolates in a warm host. */
export type Runtime = 'process' | 'isolate';

/** One try of a submission on one jail. An isolate's without a fault and not the last found that it takes a process. */
export interface Attempt {
  readonly runtime: Runtime;
  readonly jail: string | null;
  readonly fault: FaultInfo | null;
  readonly wallMs: number;
}

export interface CompileReport {
  readonly ok: boolean;
  readonly cached: boolean;
  /** Whether a compiler that is kept ready compiled it, and not one that had to start. False when cached. */
  readonly warm: boolean;
  readonly outcome: Outcome;
}

/** Phase times of the last attempt, ms. */
export interface Phases {
  readonly queueMs: number;
  readonly acquireMs: number;
  readonly acquire: 'warm' | 'cold';
  readonly compileMs: number;
  readonly runMs: number;
  readonly verifyMs: number;
}

interface EnvironmentRef {
  readonly id: string;
  /** `sha256:…` over toolchain versions, packages and runner version. */
  readonly fingerprint: string;
}

/** How runs were started: by exec, forked from a warm runtime, some so and some so, or in isolates. */
export type RuntimeUsed = 'process' | 'forked' | 'mixed' | 'isolate';

/** That another, equal submission was judged: one before, or one that was under way. */
export type Reused = 'kept' | 'in_flight';

interface Provenance {
  readonly service: string;
  readonly runner: string;
  /** `sha256:…` over the tests, null for a plain run. */
  readonly tests: string | null;
  /** `id/problem@sha256:…` where the tests were kept at the server. */
  readonly testset: string | null;
  /** `name@version` of the judging rules, null for a plain run. */
  readonly profile: string | null;
  /** What enforced the memory, CPU and process limits. */
  readonly cgroup: 'v2' | 'v1' | 'none';
  readonly verifier: string;
  /** Null when nothing ran. */
  readonly runtime: RuntimeUsed | null;
  /** Null where this very submission was judged. */
  readonly reused: Reused | null;
}

interface ReportBase {
  readonly id: string;
  readonly language: string;
  readonly environment: EnvironmentRef;
  readonly wall: string;
  readonly limits: Limits;
  readonly clamped: readonly (keyof Limits)[];
  readonly compile: CompileReport | null;
  readonly fault: FaultInfo | null;
  readonly attempts: readonly Attempt[];
  readonly phases: Phases;
  readonly provenance: Provenance;
  readonly labels: Readonly<Record<string, string>>;
}

/** Answer of a plain run. `outcome` is null on a fault; kind `compile_error` carries the compiler's outcome. */
export interface RunReport extends ReportBase {
  readonly kind: 'run';
  readonly outcome: Outcome | null;
  /** Of a run in a workspace that came to an end. */
  readonly tree?: CapturedTree;
}

/** Something that a cell showed: its text and other forms by media type; images in base64. */
interface CellDisplay {
  /** The value of the cell's last expression; else the cell asked for it to be shown. */
  readonly isResult: boolean;
  readonly data: Readonly<Record<string, string>>;
}

/** What one cell did, as its process told: bytes of a program, never a verdict. */
export interface CellReport {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly displays: readonly CellDisplay[];
  /** What it raised, with the lines of the traceback; null if nothing. */
  readonly error: {
    readonly name: string;
    readonly value: string;
    readonly traceback: readonly string[];
  } | null;
  /** False for the cell under way when the process was ended or ended itself: the last of the list. */
  readonly isComplete: boolean;
}

/** Answer about cells: those that were begun, in order, and the run of their process without their output. */
export interface CellsReport {
  readonly run: RunReport;
  readonly cells: readonly CellReport[];
}

/** What a group of cases was worth. */
export interface GroupReport {
  readonly name: string;
  /** Won and to be won. */
  readonly points: number;
  readonly pointsMax: number;
  /** Cases accepted, and cases. */
  readonly passed: number;
  readonly total: number;
}

/** What became of the copies of tests with altered expectations, where tests and program share a process. */
export interface CanaryReport {
  /** Runs of such copies, and those in which exactly the altered tests failed. */
  readonly runs: number;
  readonly failed: number;
  /** Whether one shows that results were forged. */
  readonly flagged: boolean;
  /** Why, "" where not. */
  readonly message: string;
}

/** Answer of a judged submission. `reward` is null exactly when `verdict` is `fault`. */
export interface JudgeReport extends ReportBase {
  readonly kind: 'judge';
  readonly verdict: Verdict;
  readonly reward: number | null;
  readonly passed: number;
  readonly total: number;
  readonly fraction: number;
  readonly cases: readonly CaseReport[];
  /** In the order of the rules; null where scoring is not by groups. */
  readonly groups: readonly GroupReport[] | null;
  /** `split`: the tests ran in a jail of their own and asked the program. `in_process`: beside it, with canaries. */
  readonly mode: 'stdio' | 'interactive' | 'two_step' | 'output_only' | 'split' | 'in_process';
  /** Null in other modes than `in_process`, and where nothing was run. */
  readonly canaries: CanaryReport | null;
  /** The rules that decided. */
  readonly profile: Pick<ProfileInForce, 'name' | 'version' | 'canBeGamed' | 'leftOut'>;
  /** What the verdict cannot promise, e.g. a problem that accepts many answers compared exactly. */
  readonly message: string;
}
