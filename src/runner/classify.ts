/**
 * From the supervisor's facts to an outcome, or to a fault where the host and not the program is to blame.
 * Pure, and the only place that decides whose a memory kill was. The rules are tried in order, the first that
 * applies wins; what a run did afterwards cannot change it.
 */
import { constants } from 'node:os';

import { Fault } from '../domain/errors.ts';
import type { MemoryFailure } from '../domain/language.ts';
import type { LimitName, Outcome, OutcomeKind, RawExit } from '../domain/outcome.ts';

/** The limits that decide; the same numbers the run was given. */
export interface ClassifyLimits {
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** How the language's runtime says that its heap, sized by the limit, was too small. */
  readonly memoryFailure?: MemoryFailure | null;
}

export type Classified =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** A peak above this share of the limit counts as at the limit: the kill that follows is the run's own. */
const NEAR_LIMIT = 0.95;

const { SIGKILL, SIGXCPU, SIGXFSZ } = constants.signals;
const { errno } = constants;
/** errno(3); Node's table lacks it. Given for a program that names an interpreter which is no ELF file. */
const ELIBBAD = 80;

/**
 * Why a run does not start that is the program's own doing: execve(2), fs/binfmt_elf.c of the kernel, and what
 * protocol.md names for the staging of its files. Every other errno is the host's.
 */
const PROGRAM_ERRNOS: ReadonlyMap<number, string> = new Map([
  [errno.ENOENT, 'no such file'],
  [errno.EACCES, 'permission denied'],
  [errno.EPERM, 'not permitted'],
  [errno.ENOEXEC, 'not an executable format'],
  [errno.ETXTBSY, 'the file is open for writing'],
  [errno.ENOTDIR, 'a part of the path is not a folder'],
  [errno.EISDIR, 'it is a folder'],
  [errno.ELOOP, 'too many symbolic links'],
  [errno.ENAMETOOLONG, 'the path is too long'],
  [errno.E2BIG, 'arguments and environment are too long'],
  [errno.EINVAL, 'not a valid executable'],
  // The program lies in memory, which gives no I/O errors: an executable, or its interpreter, ends too early.
  [errno.EIO, 'the executable is incomplete'],
  [errno.EFAULT, 'the executable has a bad address'],
  [ELIBBAD, 'its interpreter is not an executable'],
  [errno.ENOSPC, 'its files do not fit the disk limit'],
]);

interface Ending {
  readonly kind: OutcomeKind;
  readonly limit: LimitName | null;
}

/**
 * What the run's end means. CPU and wall time are rounded up to whole ms, so a figure above its limit says that
 * the limit was passed; time in which output waited for the service, or the program for a core that others had, is no
 * wall time of the program's.
 */
export function classify(raw: RawExit, limits: ClassifyLimits): Classified {
  const fault = hostFault(raw, limits);
  if (fault !== null) return { kind: 'fault', fault };
  if (raw.cause === 'not_started') return { kind: 'outcome', outcome: notStarted(raw) };
  return { kind: 'outcome', outcome: toOutcome(raw, ending(raw, limits)) };
}

function hostFault(raw: RawExit, limits: ClassifyLimits): Fault | null {
  if (raw.cause === 'cancelled') return null;
  if (raw.cause === 'not_started' && !isProgramErrno(raw)) {
    return new Fault('host_limit', `a run could not be started, errno ${raw.startErrno}`);
  }
  if (raw.starved && raw.cause === 'wall') {
    const ms = Math.round(raw.stalledUs / 1000);
    return new Fault('host_busy', `a run waited ${ms} ms for a core that others had`);
  }
  const isKilledForMemory = raw.oomKills > 0 || raw.cause === 'memory';
  if (!isKilledForMemory || isOwnMemory(raw, limits)) return null;
  const peak = `peak ${raw.memoryBytes} of ${limits.memoryBytes} bytes`;
  return new Fault('host_out_of_memory', `killed for memory below its own limit: ${peak}`);
}

/** Too little memory to begin with is the program's doing where its own limit was the reason. */
function isProgramErrno({ startErrno, limitHits }: RawExit): boolean {
  if (startErrno === errno.ENOMEM) return limitHits > 0;
  return PROGRAM_ERRNOS.has(startErrno);
}

/** Whether a kill for memory was caused by the run's own limit and not by the machine or a neighbour. */
function isOwnMemory(raw: RawExit, limits: ClassifyLimits): boolean {
  if (raw.limitHits > 0) return true;
  if (raw.memoryBytes >= limits.memoryBytes * NEAR_LIMIT) return true;
  // Without a kill by the kernel it was the supervisor that compared and killed: its own limit, by definition.
  return raw.oomKills === 0;
}

function ending(raw: RawExit, limits: ClassifyLimits): Ending {
  if (raw.cause === 'cancelled') return { kind: 'cancelled', limit: null };
  if (raw.oomKills > 0 || raw.cause === 'memory') return { kind: 'memory_limit', limit: 'memory' };
  if (raw.cause === 'cpu') return { kind: 'time_limit', limit: 'cpu' };
  if (raw.cause === 'wall') return { kind: 'time_limit', limit: 'wall' };
  if (raw.cause === 'output' || raw.stdoutTruncated || raw.stderrTruncated) {
    return { kind: 'output_limit', limit: 'output' };
  }
  if (raw.cause === 'processes') return { kind: 'process_limit', limit: 'processes' };
  return selfEnded(raw, limits);
}

/** The program ended by itself or by a signal: a limit may still stand behind it. */
function selfEnded(raw: RawExit, limits: ClassifyLimits): Ending {
  const isOverCpu = raw.cpuUs > limits.cpuMs * 1000;
  if (isOverCpu || raw.signal === SIGXCPU) return { kind: 'time_limit', limit: 'cpu' };
  // RLIMIT_CPU's hard limit, the supervisor's back-stop, kills with SIGKILL (getrlimit(2)).
  if (raw.signal === SIGKILL && raw.cpuUs >= limits.cpuMs * 1000) {
    return { kind: 'time_limit', limit: 'cpu' };
  }
  if (raw.signal === SIGXFSZ) return { kind: 'disk_limit', limit: 'disk' };
  const isFailed = raw.exitCode !== 0;
  if (isFailed && raw.processHits > 0) return { kind: 'process_limit', limit: 'processes' };
  if (saysOutOfMemory(raw, limits)) return { kind: 'memory_limit', limit: 'memory' };
  if (isFailed && (raw.diskFull || raw.inodesFull)) return { kind: 'disk_limit', limit: 'disk' };
  return { kind: raw.signal === null ? 'exited' : 'signalled', limit: null };
}

/** Whether the runtime ended the program for the memory limit before the kernel had to. */
function saysOutOfMemory(raw: RawExit, { memoryFailure = null }: ClassifyLimits): boolean {
  if (memoryFailure === null || raw.exitCode !== memoryFailure.exitCode) return false;
  return Buffer.from(raw.stderr).includes(memoryFailure.stderr);
}

/** What a run that did not start means; where no limit was the reason, it looks as it does to a shell. */
function unstartedEnding({ startErrno }: RawExit): Ending & { readonly exitCode: number | null } {
  switch (startErrno) {
    case errno.ENOSPC:
      return { kind: 'disk_limit', limit: 'disk', exitCode: null };
    case errno.ENOMEM:
      return { kind: 'memory_limit', limit: 'memory', exitCode: null };
    case errno.ENOENT:
      return { kind: 'exited', limit: null, exitCode: 127 };
    default:
      return { kind: 'exited', limit: null, exitCode: 126 };
  }
}

/** A program that cannot be executed: 127 not found, 126 not executable, or the limit that left no room for it. */
function notStarted(raw: RawExit): Outcome {
  const reason = PROGRAM_ERRNOS.get(raw.startErrno) ?? 'out of memory';
  const line = Buffer.from(`assay: the program cannot be started: ${reason}\n`);
  const { exitCode, ...end } = unstartedEnding(raw);
  const outcome = toOutcome(raw, end);
  return {
    ...outcome,
    exitCode,
    stderr: Buffer.concat([raw.stderr, line]),
    stderrBytes: raw.stderrBytes + line.length,
  };
}

function toOutcome(raw: RawExit, { kind, limit }: Ending): Outcome {
  return {
    kind,
    exitCode: raw.exitCode,
    signal: raw.signal,
    limit,
    cpuMs: toMs(raw.cpuUs),
    wallMs: toMs(raw.wallUs - raw.stalledUs),
    memoryBytes: raw.memorySource === 'unknown' ? null : raw.memoryBytes,
    memorySource: raw.memorySource,
    stdout: raw.stdout,
    stderr: raw.stderr,
    stdoutBytes: raw.stdoutBytes,
    stderrBytes: raw.stderrBytes,
    stdoutTruncated: raw.stdoutTruncated,
    stderrTruncated: raw.stderrTruncated,
    forked: raw.forked,
    collected: raw.collected,
  };
}

function toMs(us: number): number {
  return Math.max(0, Math.ceil(us / 1000));
}
