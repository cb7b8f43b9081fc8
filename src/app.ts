/**
 * The composition root: from a configuration to a running service. The only place that knows every part; does no
 * work of its own.
 */
import path from 'node:path';

import type { Hono } from 'hono';

import { Gate } from './admission/gate.ts';
import { loadCatalog } from './catalog/load.ts';
import { UnknownLanguageError } from './catalog/served.ts';
import { warmRuntime } from './catalog/warm.ts';
import { ConfigError, type LoadedConfig } from './config/load.ts';
import { ALL_LANGUAGES, type Config } from './config/schema.ts';
import type { CatalogEntry, Environment } from './domain/language.ts';
import type { Limits } from './domain/limits.ts';
import type { AppEnv } from './http/app-env.ts';
import { DEFAULT_HTTP_CONFIG } from './http/config.ts';
import { createApp } from './http/server.ts';
import { ArtefactCache } from './judge/artefacts/cache.ts';
import { ArtefactStore } from './judge/artefacts/store.ts';
import { availableIn, startPools } from './judge/boot.ts';
import { hasCompileHost, hasIsolates, hasVerifier, poolId } from './judge/isolates.ts';
import { AssayService } from './judge/service.ts';
import { Controls } from './judge/testsets/controls.ts';
import { TestsetLibrary } from './judge/testsets/library.ts';
import { TestsetStore } from './judge/testsets/store.ts';
import type { Clock } from './lib/clock.ts';
import { systemClock } from './lib/clock.ts';
import { allowedCpus } from './lib/cpus.ts';
import { projectPath, projectVersion } from './lib/project.ts';
import { monitorEventLoop, residentBytes } from './observe/event-loop.ts';
import { createLogger, type Logger } from './observe/logger.ts';
import { logFault, logReport } from './observe/submission-log.ts';
import { EnvironmentPool } from './pool/environment-pool.ts';
import { shareJails } from './pool/share.ts';
import { DEFAULT_RETIRE_RULES } from './pool/slot.ts';
import type { JailPolicy, Sandbox, WallProbe, WarmPolicy } from './sandbox/port.ts';
import { createComparePool } from './verify/compare-pool.ts';
import { HELLO_TIMEOUT_MS, openWall, stateFolder } from './wall.ts';

const MIB = 1024 * 1024;
/** What a jail may use beyond the largest run: its supervisor, staged program and input. */
const JAIL_SLACK_BYTES = 512 * MIB;
const JAIL_EXTRA_PROCESSES = 128;
/** The supervisor's tmpfs: the program with its artefacts and the input of two runs' files. */
const STAGING_BYTES = 256 * MIB;
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
const RUNNER_VERSION = '1';
const VERIFIER_VERSION = '1';

/** A whole service in this process. */
export interface Assay {
  readonly app: Hono<AppEnv>;
  readonly service: AssayService;
  /** The languages with the programs of this host that were taken for them, for the operator. */
  readonly catalog: readonly CatalogEntry[];
  /** Resolves once the boot self-tests have ended, whatever their result. */
  readonly selfTested: Promise<void>;
  /** Refuses queued and new submissions. */
  drain(): void;
  /** Resolves when no submission runs any more; what still runs after `ms`, by default the configured time, is ended. */
  idle(ms?: number): Promise<void>;
  /** Ends everything and leaves nothing behind. Idempotent. */
  close(): Promise<void>;
}

/** What can be put in place of the real parts; used by tests only. */
export interface AssayParts {
  readonly clock?: Clock;
  readonly wall?: { readonly sandbox: Sandbox; readonly probe: WallProbe };
  readonly catalog?: readonly CatalogEntry[];
}

/** Brings up a service: wall, languages, pools, HTTP application. Throws ConfigError where the host is too weak. */
export async function createAssay(loaded: LoadedConfig, parts: AssayParts = {}): Promise<Assay> {
  const { config } = loaded;
  const clock = parts.clock ?? systemClock;
  const logger = createLogger({ level: config.logLevel });
  const version = projectVersion();
  await using undo = new AsyncDisposableStack();
  const { sandbox, probe } = parts.wall ?? (await openWall(loaded, clock));
  undo.defer(() => sandbox.close());
  const catalog = parts.catalog ?? (await hostCatalog(loaded, logger));
  const maxima = toMaxima(config);
  const cpus = toSlots(config);
  const pools = toPools(catalog, { sandbox, clock, logger, maxima, slots: cpus.length });
  for (const pool of new Set(pools.values())) undo.defer(() => pool.close());
  const comparePool = createComparePool();
  undo.defer(() => comparePool.close());
  const eventLoop = monitorEventLoop();
  undo.defer(() => eventLoop.close());
  const gate = new Gate({
    slots: cpus,
    lengthMax: config.queueLength,
    bytesMax: config.queueMb * MIB,
    clock,
  });
  const service = new AssayService({
    catalog,
    pools,
    gate,
    artefacts: await openArtefacts(loaded, clock),
    slots: cpus.length,
    clock,
    maxima,
    comparator: (expected, actual, compare) => comparePool.compare(expected, actual, compare),
    walls: [probe],
    versions: { service: version, runner: RUNNER_VERSION, verifier: VERIFIER_VERSION },
    eventLoopDelay: () => eventLoop.summary(),
    memoryBytes: residentBytes,
    queueLengthMax: config.queueLength,
    onReport: (report, isOwn) => logReport(logger, report, { isOwn }),
    onFault: (fault, id) => logFault(logger, fault, id),
  });
  const bodyMaxBytes = config.bodyMb * MIB;
  const app = createApp({
    service,
    testsets: await openTestsets(loaded, clock),
    controls: await Controls.load(projectPath('testsets', 'controls')),
    logger,
    clock,
    config: { ...DEFAULT_HTTP_CONFIG, bodyMaxBytes },
  });
  const boot = startPools({
    service,
    catalog,
    pools,
    languagesDir: projectPath('languages'),
    isTested: config.selfTest !== 'none',
    onFailure: (test) => logger.error({ event: 'self_test', ...test }, 'self-test failed'),
  });
  undo.defer(() => boot.stop());
  const started = undo.move();
  return {
    app,
    service,
    catalog,
    selfTested: boot.tested,
    drain: () => service.drain(),
    idle: (ms = config.drainMs) => service.idle(ms),
    close: () => started.disposeAsync(),
  };
}

/** The languages of this project, as this host can run them. Throws ConfigError for a language that there is not. */
async function hostCatalog(loaded: LoadedConfig, logger: Logger): Promise<CatalogEntry[]> {
  const { languages } = loaded.config;
  return await loadCatalog({
    languages: languages.includes(ALL_LANGUAGES) ? null : languages,
    onLate: (late) => logger.warn({ event: 'probe_late', ...late }, 'toolchain probe tried again'),
    languagesDir: projectPath('languages'),
    cacheFile: path.join(stateFolder(loaded), 'catalog.json'),
    path: loaded.searchPath,
    home: loaded.home,
    python: loaded.config.python,
    nodePath: loaded.nodePath,
    runnerVersion: RUNNER_VERSION,
  }).catch((error: unknown) => {
    if (!(error instanceof UnknownLanguageError)) throw error;
    throw new ConfigError(`languages: ${error.message}`, { cause: error });
  });
}

interface PoolParts {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxima: Limits;
  readonly slots: number;
}

/** The pool of each environment and runtime, by `poolId`; some share one. None is started. */
function toPools(
  catalog: readonly CatalogEntry[],
  { logger, maxima, ...parts }: PoolParts,
): Map<string, EnvironmentPool> {
  const available = availableIn(catalog);
  const processes = shareJails(available, (environment) => toPolicy(environment, maxima));
  const isolates = shareJails(available.filter(hasIsolates), toIsolatePolicy);
  const compilers = shareJails(available.filter(hasCompileHost), toCompilePolicy);
  const verifiers = shareJails(available.filter(hasVerifier), (environment) =>
    toVerifierPolicy(environment, maxima),
  );
  const kinds = [
    ...processes.map((share) => ({ ...share, runtime: 'process' as const })),
    ...isolates.map((share) => ({ ...share, runtime: 'isolate' as const })),
    ...compilers.map((share) => ({ ...share, runtime: 'compile' as const })),
    ...verifiers.map(({ policy, environments }) => ({
      policy: { ...policy, environment: `${policy.environment}+verifier` },
      environments,
      runtime: 'verifier' as const,
    })),
  ];
  const pairs = kinds.map(({ policy, environments, runtime }) => {
    const pool = new EnvironmentPool({
      ...parts,
      environment: environments[0],
      policy,
      rules: RULES[runtime],
      helloTimeoutMs: Math.max(HELLO_TIMEOUT_MS, (policy.warm?.startLimitMs ?? 0) + WARM_SLACK_MS),
      onAnomaly: (event) => logger.warn({ event: 'jail_retired', ...event }, 'jail retired'),
    });
    return environments.map((environment): [string, EnvironmentPool] => [
      poolId(environment, runtime),
      pool,
    ]);
  });
  return new Map(pairs.flat());
}

async function openArtefacts(loaded: LoadedConfig, clock: Clock): Promise<ArtefactCache | null> {
  const { compileCacheMb } = loaded.config;
  if (compileCacheMb === 0) return null;
  const folder = path.join(stateFolder(loaded), 'compile-cache');
  return new ArtefactCache(
    await ArtefactStore.open({ folder, bytesMax: compileCacheMb * MIB, clock }),
  );
}

async function openTestsets(loaded: LoadedConfig, clock: Clock): Promise<TestsetLibrary> {
  const store = await TestsetStore.open({
    folder: path.join(stateFolder(loaded), 'testsets'),
    bytesMax: loaded.config.testsetMb * MIB,
  });
  return new TestsetLibrary(store, clock);
}

/** One slot per core unless configured; pinned where every slot can have a core of its own. */
function toSlots(config: Config): (number | null)[] {
  const cpus = allowedCpus();
  const count = config.slots === 0 ? cpus.length : config.slots;
  const isPinned = config.pin && count <= cpus.length;
  return Array.from({ length: count }, (_, index) => (isPinned ? (cpus[index] ?? null) : null));
}

function toMaxima(config: Config): Limits {
  return {
    cpuMs: config.maxCpuMs,
    wallMs: config.maxWallMs,
    memoryBytes: config.maxMemoryMb * MIB,
    outputBytes: config.maxOutputKb * 1024,
    processes: config.maxProcesses,
    diskBytes: config.maxDiskMb * MIB,
    openFiles: config.maxFiles,
    compileCpuMs: config.maxCompileCpuMs,
    compileWallMs: config.maxWallMs,
  };
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
  isolate: ISOLATE_RULES,
  compile: COMPILE_RULES,
  verifier: DEFAULT_RETIRE_RULES,
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
    mounts: environment.toolchain.mounts,
    memoryMaxBytes: maxima.memoryBytes + JAIL_SLACK_BYTES,
    processesMax: maxima.processes + JAIL_EXTRA_PROCESSES,
    stagingBytes: STAGING_BYTES,
    warm: toWarmPolicy(environment),
  };
}

/** The jail of a test runner: the environment's, and what test runners have besides. */
function toVerifierPolicy(environment: Environment, maxima: Limits): JailPolicy {
  const policy = toPolicy(environment, maxima);
  return {
    ...policy,
    mounts: [...policy.mounts, ...(environment.toolchain.verifier?.mounts ?? [])],
  };
}

function toWarmPolicy(environment: Environment): WarmPolicy | null {
  const warm = warmRuntime(environment);
  return warm && { ...warm, library: projectPath('runners', 'build', warm.library) };
}
