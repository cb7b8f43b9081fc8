/** The pools of a service: which jails there are, with what in them, and when each kind of them retires. */
import { CLOCK_LIBRARY } from './catalog/plan.ts';
import { preloadedModules, type Side, warmRuntime } from './catalog/warm.ts';
import { availableIn } from './judge/boot.ts';
import type { CatalogEntry, Environment } from './domain/language.ts';
import type { Limits } from './domain/limits.ts';
import { hasCompileHost, hasIsolates, poolId } from './judge/isolates.ts';
import { hasInProcess } from './judge/test-kinds.ts';
import type { Clock } from './lib/clock.ts';
import { projectPath } from './lib/project.ts';
import type { Logger } from './observe/logger.ts';
import { EnvironmentPool } from './pool/environment-pool.ts';
import type { MemoryBudget } from './pool/memory-budget.ts';
import { shareJails } from './pool/share.ts';
import { DEFAULT_RETIRE_RULES } from './pool/slot.ts';
import type { JailPolicy, Sandbox, WarmPolicy } from './sandbox/port.ts';
import { HELLO_TIMEOUT_MS } from './wall.ts';

const MIB = 1024 * 1024;
/** What a jail may use beyond the largest run: its supervisor, staged program and input. */
const JAIL_SLACK_BYTES = 512 * MIB;
const JAIL_EXTRA_PROCESSES = 128;
/** The supervisor's tmpfs: the program with its artefacts and the input of two runs' files. */
const STAGING_BYTES = 256 * MIB;
/** Importing test runners takes a second of CPU time; a busy host may need much longer. */
const TEST_RUNNERS_MS = 20_000;
/** Of a jail's start, besides its warm runtime's. */
const WARM_SLACK_MS = 5000;
/** An isolate's heap at most, its buffers, the host's own; a program that needs more is judged as a process. */
const ISOLATE_JAIL_BYTES = 1536 * MIB;
/** Node's and V8's threads on a machine with many cores; none of them is the program's. */
const ISOLATE_JAIL_THREADS = 256;
/** The compile server's heap of 384 MiB, and what a JVM needs besides. */
const COMPILE_JAIL_BYTES = 768 * MIB;
/** A JVM's own threads on a machine with many cores. */
const COMPILE_JAIL_THREADS = 64;

interface PoolParts {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxima: Limits;
  readonly budget: MemoryBudget;
  readonly slots: number;
}

/** The pool of each environment and kind of jail, by `poolId`; some share one. None is started. */
export function toPools(
  catalog: readonly CatalogEntry[],
  { logger, maxima, ...parts }: PoolParts,
): Map<string, EnvironmentPool> {
  const available = availableIn(catalog);
  const processes = shareJails(available, (environment) => toPolicy(environment, maxima));
  // Elsewhere jails hold runs alone: no host of isolates, no compiler that is kept ready.
  const hosting = parts.sandbox.hasHosts ? available : [];
  const isolates = shareJails(hosting.filter(hasIsolates), toIsolatePolicy);
  const compilers = shareJails(hosting.filter(hasCompileHost), toCompilePolicy);
  const verifiers = shareJails(available, (environment) =>
    withTestRunners(environment, maxima, 'tests'),
  );
  const mixed = shareJails(available.filter(hasInProcess), (environment) =>
    withTestRunners(environment, maxima, 'inprocess'),
  );
  const kinds = [
    ...processes.map((share) => ({ ...share, kind: 'process' as const })),
    // Never lent to a candidate; made when the first program of a problem comes.
    ...verifiers.map((share) => ({ ...share, kind: 'verifier' as const })),
    // Candidates with their tests; made when the first of them comes.
    ...mixed.map((share) => ({ ...share, kind: 'in_process' as const })),
    ...isolates.map((share) => ({ ...share, kind: 'isolate' as const })),
    ...compilers.map((share) => ({ ...share, kind: 'compile' as const })),
  ];
  const pairs = kinds.map(({ policy: shared, environments, kind }) => {
    const isNamed = kind === 'verifier' || kind === 'in_process';
    const policy = isNamed ? { ...shared, environment: `${shared.environment}+${kind}` } : shared;
    const pool = new EnvironmentPool({
      ...parts,
      environment: environments[0],
      policy,
      rules: RULES[kind],
      isHelper: kind === 'compile',
      helloTimeoutMs: Math.max(HELLO_TIMEOUT_MS, (policy.warm?.startLimitMs ?? 0) + WARM_SLACK_MS),
      onAnomaly: (event) => logger.warn({ event: 'jail_retired', ...event }, 'jail retired'),
    });
    return environments.map((environment): [string, EnvironmentPool] => [
      poolId(environment, kind),
      pool,
    ]);
  });
  return new Map(pairs.flat());
}

/**
 * A compile server runs nobody's program, but all of them share what a fault of the compiler's might leave behind; a new
 * one costs two seconds.
 */
const COMPILE_RULES = {
  ...DEFAULT_RETIRE_RULES,
  leasesMax: 1000,
  memoryGrowthMaxBytes: 128 * MIB,
};

/**
 * A host lives for fewer submissions than a jail of processes: all of them share its address space, and a fault of the
 * engine's would be theirs to use.
 */
const ISOLATE_RULES = {
  ...DEFAULT_RETIRE_RULES,
  leasesMax: 500,
  memoryGrowthMaxBytes: 256 * MIB,
};

const RULES = {
  process: DEFAULT_RETIRE_RULES,
  verifier: DEFAULT_RETIRE_RULES,
  in_process: DEFAULT_RETIRE_RULES,
  isolate: ISOLATE_RULES,
  compile: COMPILE_RULES,
} as const;

/** The jail of an environment's compile server. Precondition: it has one. */
function toCompilePolicy(environment: Environment): JailPolicy {
  const { compileHost } = environment.toolchain;
  if (compileHost === undefined) throw new Error(`${environment.id} has no compile server`);
  return {
    environment: poolId(environment, 'compile'),
    mounts: compileHost.mounts,
    memoryMaxBytes: COMPILE_JAIL_BYTES,
    processesMax: COMPILE_JAIL_THREADS,
    stagingBytes: 0,
    warm: null,
    host: { command: compileHost.command },
  };
}

/** The jail of an environment's isolate host. Precondition: it has one. */
function toIsolatePolicy(environment: Environment): JailPolicy {
  const { isolateHost } = environment.toolchain;
  if (isolateHost === undefined) throw new Error(`${environment.id} has no isolate host`);
  return {
    environment: poolId(environment, 'isolate'),
    mounts: isolateHost.mounts,
    memoryMaxBytes: ISOLATE_JAIL_BYTES,
    processesMax: ISOLATE_JAIL_THREADS,
    stagingBytes: 0,
    warm: null,
    host: { command: isolateHost.command },
  };
}

function toPolicy(environment: Environment, maxima: Limits): JailPolicy {
  return {
    environment: environment.id,
    // What runs files of tests is on no path of the language's: only who names its folder finds it.
    mounts: [
      ...environment.toolchain.mounts,
      ...(environment.toolchain.verifier?.mounts ?? []),
      ...clockMounts(environment),
    ],
    memoryMaxBytes: maxima.memoryBytes + JAIL_SLACK_BYTES,
    processesMax: maxima.processes + JAIL_EXTRA_PROCESSES,
    stagingBytes: STAGING_BYTES,
    warm: toWarmPolicy(environment, 'candidate'),
  };
}

/** What stops the clock of a program that asks for it. */
function clockMounts({ language }: Environment): JailPolicy['mounts'] {
  if (language.determinism.clock === null) return [];
  const source = projectPath('runners', 'build', 'clock.so');
  return [{ kind: 'bind', source, target: CLOCK_LIBRARY }];
}

/** The jail of a test runner, alone or with the candidate: its warm runtime has other modules. */
function withTestRunners(
  environment: Environment,
  maxima: Limits,
  side: 'tests' | 'inprocess',
): JailPolicy {
  return { ...toPolicy(environment, maxima), warm: toWarmPolicy(environment, side) };
}

/** Candidates' jails hold the candidate's side of tests that are code, those of tests the other. */
function toWarmPolicy(environment: Environment, side: Side): WarmPolicy | null {
  const warm = warmRuntime(environment);
  const library = projectPath('runners', 'build', warm?.library ?? '');
  if (warm === null) return null;
  const startLimitMs = warm.startLimitMs + (side === 'candidate' ? 0 : TEST_RUNNERS_MS);
  return { ...warm, library, startLimitMs, preload: preloadedModules(environment, side) };
}
