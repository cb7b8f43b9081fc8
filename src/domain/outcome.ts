/**
 * What happened in one run: facts, never judgement. `RawExit` is what the supervisor reported, `Outcome`
 * what it means; `runner/classify` turns the one into the other.
 */

import type { CapturedTree } from './workspace.ts';

/** What ended a run first, in the supervisor's words (runners/protocol.md, RESULT `cause`). */
export type ExitCause =
  | 'exited'
  | 'signalled'
  | 'cpu'
  | 'wall'
  | 'memory'
  | 'output'
  | 'processes'
  | 'cancelled'
  | 'not_started';

export type MemorySource = 'unknown' | 'cgroup_peak' | 'max_rss' | 'polled';

export type CollectedStatus = 'ok' | 'missing' | 'not_a_file' | 'too_large' | 'unreadable';

export interface CollectedFile {
  readonly path: string;
  readonly status: CollectedStatus;
  readonly content: Uint8Array;
}

/** The supervisor's facts about one run, with its captured output. */
export interface RawExit {
  readonly cause: ExitCause;
  /** The program's own exit code, null if it did not exit by itself. */
  readonly exitCode: number | null;
  /** The signal that ended it, null if none. */
  readonly signal: number | null;
  readonly startErrno: number;
  readonly cpuUs: number;
  readonly wallUs: number;
  readonly stalledUs: number;
  readonly memoryBytes: number;
  readonly memorySource: MemorySource;
  readonly oomKills: number;
  readonly limitHits: number;
  readonly processHits: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Bytes the program wrote, also those beyond the cap. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  readonly diskFull: boolean;
  readonly inodesFull: boolean;
  readonly stdinUnread: boolean;
  /** Ended by its wall limit, though most of its time others had its core. */
  readonly starved: boolean;
  /** Forked from a warm runtime, not started by exec. */
  readonly forked: boolean;
  readonly collected: readonly CollectedFile[];
  /** The work folder, where it was asked for and the run came to an end. */
  readonly tree?: CapturedTree;
}

export type OutcomeKind =
  | 'exited'
  | 'signalled'
  | 'time_limit'
  | 'memory_limit'
  | 'output_limit'
  | 'process_limit'
  | 'disk_limit'
  | 'compile_error'
  | 'cancelled';

/** The limit that fired first. */
export type LimitName = 'cpu' | 'wall' | 'memory' | 'output' | 'processes' | 'disk';

/** One run, classified. Same keys whatever happened. */
export interface Outcome {
  readonly kind: OutcomeKind;
  readonly exitCode: number | null;
  /** Signal number, null if none. */
  readonly signal: number | null;
  readonly limit: LimitName | null;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Null when this host cannot measure it. */
  readonly memoryBytes: number | null;
  readonly memorySource: MemorySource;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  /** Forked from a warm runtime. */
  readonly forked: boolean;
  readonly collected: readonly CollectedFile[];
}
