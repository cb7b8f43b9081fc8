/**
 * The composition root: from a configuration to a running service. The only place that knows every part; does no
 * work of its own.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Hono } from 'hono';

import { Gate } from './admission/gate.ts';
import { loadCatalog } from './catalog/load.ts';
import { UnknownLanguageError } from './catalog/served.ts';
import { ConfigError, type LoadedConfig } from './config/load.ts';
import { ALL_LANGUAGES, type Config } from './config/schema.ts';
import { createRowPool } from './datasets/row-pool.ts';
import { toFault } from './domain/errors.ts';
import type { CatalogEntry } from './domain/language.ts';
import type { Limits } from './domain/limits.ts';
import type { AppEnv } from './http/app-env.ts';
import { pistonUpgrade, type Upgrade } from './http/compat/piston/connect.ts';
import { DEFAULT_HTTP_CONFIG, type HTTPConfig } from './http/config.ts';
import { itemJudge } from './http/native/jobs/judge-item.ts';
import { createApp } from './http/server.ts';
import type { Jobs } from './http/app-env.ts';
import { JobRunner } from './jobs/runner.ts';
import { RedisJobStore } from './jobs/redis-store.ts';
import type { JobStore } from './jobs/store.ts';
import { SqliteJobStore } from './jobs/sqlite-store.ts';
import { ArtefactCache } from './judge/artefacts/cache.ts';
import { ArtefactStore } from './judge/artefacts/store.ts';
import { startPools } from './judge/boot.ts';
import type { ProblemFiles } from './judge/problem-program.ts';
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
import { hostMemoryBytes } from './observe/memory.ts';
import { logFault, logReport } from './observe/submission-log.ts';
import { MemoryBudget } from './pool/memory-budget.ts';
import type { Sandbox, WallProbe } from './sandbox/port.ts';
import { createComparePool } from './verify/compare-pool.ts';
import { toPools } from './jails.ts';
import { openWall, stateFolder } from './wall.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const RUNNER_VERSION = '1';
const VERIFIER_VERSION = '1';

/** A whole service in this process. */
export interface Assay {
  readonly app: Hono<AppEnv>;
  /** Takes connections that ask to be upgraded. */
  readonly upgrade: Upgrade;
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

/** How a service is brought up. */
interface AssayOptions {
  /** Aborts the start. */
  readonly signal?: AbortSignal;
  /** Whether it works on the jobs of the state folder; else jobs end with the process. Default false. */
  readonly keepsJobs?: boolean;
}

/**
 * Brings up a service: wall, languages, pools, HTTP application. Throws ConfigError where the host is too weak, and the
 * signal's reason when it is aborted on the way; nothing is left behind then.
 */
export async function createAssay(
  loaded: LoadedConfig,
  { signal, keepsJobs = false, ...parts }: AssayParts & AssayOptions = {},
): Promise<Assay> {
  const { config } = loaded;
  const clock = parts.clock ?? systemClock;
  const logger = createLogger({ level: config.logLevel });
  const version = projectVersion();
  await using undo = new AsyncDisposableStack();
  const { sandbox, probe } = parts.wall ?? (await openWall(loaded, clock));
  undo.defer(() => sandbox.close());
  signal?.throwIfAborted();
  const catalog = parts.catalog ?? (await hostCatalog(loaded, { logger, signal }));
  signal?.throwIfAborted();
  const maxima = toMaxima(config);
  const cpus = toSlots(config);
  const budget = new MemoryBudget(jailMemoryBytes(config));
  const pools = toPools(catalog, { sandbox, clock, logger, maxima, budget, slots: cpus.length });
  for (const pool of new Set(pools.values())) undo.defer(() => pool.close());
  const comparePool = undo.adopt(createComparePool(), (each) => each.close());
  const rows = undo.adopt(createRowPool(), (each) => each.close());
  const eventLoop = undo.adopt(monitorEventLoop(), (each) => each.close());
  const gate = new Gate({ slots: cpus, ...toQueue(config), clock });
  const service = new AssayService({
    catalog,
    pools,
    gate,
    artefacts: await openArtefacts(loaded, clock),
    slots: cpus.length,
    clock,
    maxima,
    comparator: (expected, actual, compare) => comparePool.compare(expected, actual, compare),
    problemFiles: await readProblemFiles(),
    walls: [probe],
    versions: { service: version, runner: RUNNER_VERSION, verifier: VERIFIER_VERSION },
    eventLoopDelay: () => eventLoop.summary(),
    memoryBytes: residentBytes,
    jailMemory: () => budget.stats(),
    queueLengthMax: config.queueLength,
    onReport: (report, context) => logReport(logger, report, context),
    onFault: (fault, id) => logFault(logger, fault, id),
  });
  const deps = { service, ...(await toHTTPParts(loaded, clock)), rows, logger, clock };
  const jobs = await openJobs(loaded, { ...deps, isKept: keepsJobs, slots: cpus.length });
  undo.defer(() => jobs.store.close());
  const http = { ...deps, jobs };
  const app = createApp(http);
  const boot = startPools({
    service,
    catalog,
    pools,
    languagesDir: projectPath('languages'),
    isTested: config.selfTest !== 'none',
    onFailure: (test) => logger.error({ event: 'self_test', ...test }, 'self-test failed'),
  });
  undo.defer(() => boot.stop());
  // An item must not be refused for a language that is still being tested.
  void boot.tested.then(() => jobs.runner.start());
  undo.defer(() => jobs.runner.stop());
  const started = undo.move();
  return {
    app,
    upgrade: pistonUpgrade(http),
    service,
    catalog,
    selfTested: boot.tested,
    drain: () => drain(service, jobs),
    idle: (ms = config.drainMs) => service.idle(ms),
    close: () => started.disposeAsync(),
  };
}

/** The languages of this project, as this host can run them. Throws ConfigError for a language that there is not. */
async function hostCatalog(
  loaded: LoadedConfig,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal | undefined },
): Promise<CatalogEntry[]> {
  const { languages } = loaded.config;
  return await loadCatalog({
    signal,
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

/** Set-up fetches testlib.h; a checkout that is not set up, or could not fetch it, serves without. */
async function readProblemFiles(): Promise<ProblemFiles> {
  const [dmoj, manager] = await Promise.all(
    ['dmoj.py', 'manager.h'].map((name) => readFile(projectPath('runners', 'checkers', name))),
  );
  if (dmoj === undefined || manager === undefined) throw new Error('two files were to be read');
  const testlib = await readFile(projectPath('.assay', 'testlib', 'testlib.h')).catch(() => null);
  return { testlib, dmoj, manager };
}

async function openArtefacts(loaded: LoadedConfig, clock: Clock): Promise<ArtefactCache | null> {
  const { compileCacheMb } = loaded.config;
  if (compileCacheMb === 0) return null;
  const folder = path.join(stateFolder(loaded), 'compile-cache');
  return new ArtefactCache(
    await ArtefactStore.open({ folder, bytesMax: compileCacheMb * MIB, clock }),
  );
}

/** Items that are under way go back, to be judged by whoever comes next. */
function drain(service: AssayService, { runner }: Jobs): void {
  void runner.stop();
  service.drain();
}

/** Throws ConfigError where there is no Redis at the address. */
async function openJobStore(
  loaded: LoadedConfig,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<JobStore> {
  const { redisUrl } = loaded.config;
  if (redisUrl === '')
    return SqliteJobStore.open(path.join(stateFolder(loaded), 'jobs.sqlite'), clock);
  return await RedisJobStore.open(redisUrl, { clock, onError }).catch((cause: unknown) => {
    throw new ConfigError('redis_url: no Redis answers there', { cause });
  });
}

type JobParts = Parameters<typeof itemJudge>[0] & {
  /** Whether they outlive this process. */
  readonly isKept: boolean;
  readonly slots: number;
  readonly clock: Clock;
};

async function openJobs(
  loaded: LoadedConfig,
  { isKept, slots, clock, ...deps }: JobParts,
): Promise<Jobs> {
  const { jobsMb, jobHours } = loaded.config;
  const onError = (error: unknown): void => logFault(deps.logger, toFault(error), 'jobs');
  const store = isKept
    ? await openJobStore(loaded, clock, onError)
    : SqliteJobStore.open(':memory:', clock);
  const runner = new JobRunner({
    store,
    judge: itemJudge(deps),
    atOnce: slots,
    clock,
    keptMs: jobHours * HOUR_MS,
    onError,
  });
  return { store, runner, bytesMax: jobsMb * MIB };
}

async function openTestsets(loaded: LoadedConfig, clock: Clock): Promise<TestsetLibrary> {
  const store = await TestsetStore.open({
    folder: path.join(stateFolder(loaded), 'testsets'),
    bytesMax: loaded.config.testsetMb * MIB,
    now: () => clock.date().getTime(),
  });
  return new TestsetLibrary(store, clock);
}

async function toHTTPParts(loaded: LoadedConfig, clock: Clock) {
  return {
    testsets: await openTestsets(loaded, clock),
    controls: await Controls.load(projectPath('testsets', 'controls')),
    config: toHTTPConfig(loaded.config),
  };
}

function toHTTPConfig(config: Config): HTTPConfig {
  const { bodyMb, bodyMinKbPerS, surfaces, openInstructWords } = config;
  const arrival = { ...DEFAULT_HTTP_CONFIG.arrival, minBytesPerS: bodyMinKbPerS * 1024 };
  return {
    ...DEFAULT_HTTP_CONFIG,
    bodyMaxBytes: bodyMb * MIB,
    arrival,
    surfaces,
    openInstructWords,
  };
}

function toQueue({ queueLength, queueMb }: Config) {
  return { lengthMax: queueLength, bytesMax: queueMb * MIB };
}

/** One slot per core unless configured; pinned where every slot can have a core of its own. */
function toSlots(config: Config): (number | null)[] {
  const cpus = allowedCpus();
  const count = config.slots === 0 ? cpus.length : config.slots;
  const isPinned = config.pin && count <= cpus.length;
  return Array.from({ length: count }, (_, index) => (isPinned ? (cpus[index] ?? null) : null));
}

/** The rest is for this service, the page cache and what else lives here. */
const JAIL_MEMORY_SHARE = 0.85;

function jailMemoryBytes({ jailMemoryMb }: Config): number {
  return jailMemoryMb > 0 ? jailMemoryMb * MIB : Math.floor(hostMemoryBytes() * JAIL_MEMORY_SHARE);
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
