/** Limits of a submission in the supervisor's terms. Pure. */
import type { PlannedMemory } from '../catalog/plan.ts';
import type { LanguageDefinition } from '../domain/language.ts';
import type { Limits } from '../domain/limits.ts';
import { STACK_BYTES, SUBMISSION_BOUNDS } from '../domain/limits.ts';
import type { RunLimits } from '../runner/protocol.ts';
import type { CgroupBackEnd } from '../domain/wall.ts';

const MIB = 1024 * 1024;

/**
 * What contest judges give the threads of a runtime. A JVM that overflows its stack allocates four times as much again
 * while it unwinds: beyond this an endless recursion would end as a kill for memory, not as the error it is.
 */
const THREAD_STACK_MB = 64;
/** Compilers report at length; what is beyond is cut and ends the compile step. */
const COMPILE_OUTPUT_BYTES = 4 * MIB;
/** Files and folders of a run's file system per MiB of it, and at least: a caller's own always fit. */
const INODES = { perMib: 64, least: 4096 } as const;
/** A compiler writes temporary files and opens many headers, whatever the program is allowed. */
const COMPILE_DISK_BYTES = 256 * MIB;
const COMPILE_OPEN_FILES = 1024;

/** Limits of one run: the submission's, and what the language's runtime itself needs on top. */
export function runLimits(
  limits: Limits,
  language: LanguageDefinition,
  cgroup: CgroupBackEnd,
): RunLimits {
  const memoryBytes = limits.memoryBytes + language.extraMemoryMb * MIB;
  return {
    cpuMs: limits.cpuMs + language.startGraceMs,
    wallMs: limits.wallMs + language.startGraceMs,
    memoryBytes,
    outputBytes: limits.outputBytes,
    processes: limits.processes + language.extraProcesses,
    diskBytes: limits.diskBytes,
    inodes: inodesOf(limits.diskBytes),
    openFiles: limits.openFiles,
    stackBytes: Math.min(memoryBytes, cgroup === 'none' ? STACK_BYTES.none : STACK_BYTES.cgroup),
    collectBytes: SUBMISSION_BOUNDS.collectBytes,
  };
}

/** What a runtime that sizes its own heap and stack is told: the submission's limits, whole MiB. */
export function plannedMemory(limits: Limits, { stackBytes }: RunLimits): PlannedMemory {
  const toMb = (bytes: number): number => Math.max(1, Math.floor(bytes / MIB));
  const memoryMb = toMb(limits.memoryBytes);
  return { memoryMb, stackMb: Math.min(memoryMb, toMb(stackBytes), THREAD_STACK_MB) };
}

/** What a submission's runs, or its compile step, may use at once: the largest of the limits, bytes. */
export function memoryNeeds(
  limits: readonly Pick<Limits, 'memoryBytes'>[],
  { compile, extraMemoryMb }: Pick<LanguageDefinition, 'compile' | 'extraMemoryMb'>,
): number {
  const run = Math.max(0, ...new Set(limits.map(({ memoryBytes }) => memoryBytes)));
  return Math.max(run + extraMemoryMb * MIB, (compile?.memoryMb ?? 0) * MIB);
}

/** Limits of the compile step: its own time; memory and processes as the language states. */
export function compileLimits(
  limits: Limits,
  compile: NonNullable<LanguageDefinition['compile']>,
): RunLimits {
  return {
    cpuMs: limits.compileCpuMs,
    wallMs: limits.compileWallMs,
    memoryBytes: compile.memoryMb * MIB,
    outputBytes: COMPILE_OUTPUT_BYTES,
    processes: compile.processes,
    diskBytes: COMPILE_DISK_BYTES,
    inodes: inodesOf(COMPILE_DISK_BYTES),
    openFiles: COMPILE_OPEN_FILES,
    stackBytes: 64 * MIB,
    collectBytes: SUBMISSION_BOUNDS.programBytes,
  };
}

function inodesOf(diskBytes: number): number {
  return Math.max(INODES.least, Math.ceil(diskBytes / MIB) * INODES.perMib);
}
