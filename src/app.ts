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
import type { CatalogEntry } from './domain/language.ts';
import type { Limits } from './domain/limits.ts';
import type { AppEnv, Jobs } from './http/app-env.ts';
import { pistonUpgrade, type Upgrade } from './http/compat/piston/connect.ts';
import { DEFAULT_HTTP_CONFIG, type HTTPConfig } from './http/config.ts';
import { Idempotency } from './http/native/idempotency.ts';
import { createApp } from './http/server.ts';
import { ArtefactCache } from './judge/artefacts/cache.ts';
import { ArtefactStore } from './judge/artefacts/store.ts';
import { startPools } from './judge/boot.ts';
import type { ProblemFiles } from './judge/problem-program.ts';
import type { Service } from './judge/door.ts';
import { ReusingService } from './judge/reuse/reusing-service.ts';
import type { ServiceOptions } from './judge/service-options.ts';
import { AssayService } from './judge/service.ts';
import { Controls } from './judge/testsets/controls.ts';
import { TestsetLibrary } from './judge/testsets/library.ts';
import { TestsetStore } from './judge/testsets/store.ts';
import type { Clock } from './lib/clock.ts';
import { systemClock } from './lib/clock.ts';
import { MemoryKept } from './lib/kept.ts';
import { unshared } from './lib/shared-flight.ts';
import { createLeaseId } from './lib/lease-id.ts';
import { allowedCpus } from './lib/cpus.ts';
import { projectPath, projectVersion } from './lib/project.ts';
import { isLoopback } from './lib/loopback.ts';
import { monitorEventLoop, residentBytes } from './observe/event-loop.ts';
import { createLogger, type Logger } from './observe/logger.ts';
import { hostMemoryBytes } from './observe/memory.ts';
import { MemoryBudget } from './pool/memory-budget.ts';
import { createComparePool } from './verify/compare-pool.ts';
import { jailMemoryBytes, openHostRoom, toHostCheck } from './host-room.ts';
import { toPools } from './jails.ts';
import { openObservers } from './observers.ts';
import { openJobs } from './open-jobs.ts';
import { openSessions } from './open-sessions.ts';
import { openShared, openTenants, toDegraded, type Shared, type Tenants } from './tenants.ts';
import {
  openWalls,
  type OpenWall,
  stateFolder,
  toLanguageWalls,
  toServiceWalls,
  toWallTests,
} from './wall.ts';

const MIB = 1024 * 1024;
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
  /** Resolves once the boot self-tests, of languages and walls, have ended, whatever their result. */
  readonly selfTested: Promise<void>;
  /** Whether any tenant has a key. */
  hasKeys(): Promise<boolean>;
  /** Says that it is not ready, so that balancers send no more, and goes on with what comes. */
  leave(): void;
  /** Resolves when no submission waits or runs. */
  left(): Promise<void>;
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
  readonly wall?: OpenWall;
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
  await using undo = new AsyncDisposableStack();
  const opened = parts.wall === undefined ? await openWalls(loaded, clock) : [parts.wall];
  for (const { sandbox } of opened) undo.defer(() => sandbox.close());
  signal?.throwIfAborted();
  const catalog = parts.catalog ?? (await hostCatalog(loaded, { logger, signal }));
  signal?.throwIfAborted();
  const maxima = toMaxima(config);
  const cpus = toSlots(config);
  const budget = new MemoryBudget(jailMemoryBytes(config, hostMemoryBytes()));
  const wallTests = toWallTests(opened, { clock, logger });
  const walls = toServiceWalls(opened, wallTests, (sandbox) =>
    toPools(catalog, { sandbox, clock, logger, maxima, budget, slots: cpus.length }),
  );
  const pools = walls.flatMap((wall) => [...wall.pools.values()]);
  for (const pool of new Set(pools)) undo.defer(() => pool.close());
  const rows = undo.adopt(createRowPool(), (each) => each.close());
  const observers = await openObservers(loaded, { clock, logger, version: projectVersion() });
  undo.defer(() => observers.close());
  const hostRoom = await openHostRoom(loaded, { clock, logger });
  undo.defer(() => hostRoom.close());
  const service = await openService(loaded, undo, {
    ...{ catalog, clock, maxima, walls, cpus, budget, hostRoom },
    ...{ onReport: observers.onReport, onFault: observers.onFault },
  });
  const shared = await openShared(loaded, { clock, logger });
  undo.defer(() => shared?.[Symbol.dispose]());
  const door = await toDoor(service, { config, clock, shared, onReport: observers.onReport });
  const connection = shared?.connection ?? null;
  const tenants = await openTenants(loaded, { service: door, connection, clock, logger });
  const sessions = undo.adopt(openSessions(config, clock), (each) => each.close());
  const checkHost = toHostCheck(hostRoom);
  const selfTest = () => wallTests.run();
  const own = { service: door, selfTest, ...observers, rows, logger, clock, sessions, checkHost };
  const deps = { ...own, ...(await toHTTPParts(loaded, { clock, tenants, shared })) };
  const jobs = await openJobs(loaded, { ...deps, isKept: keepsJobs, slots: cpus.length });
  undo.defer(() => jobs.store.close());
  const http = { ...deps, jobs, degraded: () => toDegraded({ tenants, jobs, shared }) };
  const isTested = config.selfTest !== 'none';
  const wallsTested = isTested ? wallTests.start() : Promise.resolve();
  undo.defer(() => wallTests.stop());
  const boot = startPools({
    service,
    catalog,
    walls,
    languagesDir: projectPath('languages'),
    isTested,
    onFailure: (test) => logger.error({ event: 'self_test', ...test }, 'self-test failed'),
  });
  undo.defer(() => boot.stop());
  // An item must not be refused for a language that is still being tested.
  void boot.tested.then(() => jobs.runner.start());
  undo.defer(() => jobs.runner.stop());
  const started = undo.move();
  return {
    app: createApp(http),
    upgrade: pistonUpgrade(http),
    service,
    catalog,
    selfTested: Promise.all([boot.tested, wallsTested]).then(() => undefined),
    hasKeys: () => tenants.hasKeys(),
    ...ends({ service, tenants, jobs, drainMs: config.drainMs }),
    close: () => started.disposeAsync(),
  };
}

interface EndParts {
  readonly service: AssayService;
  readonly tenants: Tenants;
  readonly jobs: Jobs;
  readonly drainMs: number;
}

/** The steps to the end. Items of jobs that are under way go back, to be judged by whoever comes next. */
function ends({ service, tenants, jobs, drainMs }: EndParts) {
  return {
    leave: () => {
      void jobs.runner.stop();
      service.drain({ refuses: false });
    },
    left: () => service.idle(Infinity),
    drain: () => {
      void jobs.runner.stop();
      tenants.drain();
      service.drain({ refuses: true });
    },
    idle: (ms = drainMs) => service.idle(ms),
  };
}

type ServiceParts = Pick<
  ServiceOptions,
  'catalog' | 'clock' | 'maxima' | 'walls' | 'hostRoom' | 'onReport' | 'onFault'
> & { readonly cpus: readonly (number | null)[]; readonly budget: MemoryBudget };

async function openService(
  loaded: LoadedConfig,
  undo: AsyncDisposableStack,
  { cpus, budget, ...parts }: ServiceParts,
): Promise<AssayService> {
  const { config } = loaded;
  const { clock, catalog } = parts;
  const comparePool = undo.adopt(createComparePool(), (each) => each.close());
  const eventLoop = undo.adopt(monitorEventLoop(), (each) => each.close());
  return new AssayService({
    ...parts,
    gate: new Gate({
      slots: cpus,
      ...toQueue(config),
      clock,
      shortages: () => parts.hostRoom.reasons(),
    }),
    slots: cpus.length,
    comparator: (expected, actual, compare) => comparePool.compare(expected, actual, compare),
    languageWalls: toLanguageWalls(config, catalog),
    ...(await ownParts(loaded, clock)),
    eventLoopDelay: () => eventLoop.summary(),
    memoryBytes: residentBytes,
    jailMemory: () => budget.stats(),
    queueLengthMax: config.queueLength,
  });
}

async function ownParts(loaded: LoadedConfig, clock: Clock) {
  const artefacts = await openArtefacts(loaded, clock);
  return { artefacts, problemFiles: await readProblemFiles(), versions: versions() };
}

function versions() {
  return { service: projectVersion(), runner: RUNNER_VERSION, verifier: VERIFIER_VERSION };
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

async function openTestsets(loaded: LoadedConfig, clock: Clock): Promise<TestsetLibrary> {
  const store = await TestsetStore.open({
    folder: path.join(stateFolder(loaded), 'testsets'),
    bytesMax: loaded.config.testsetMb * MIB,
    now: () => clock.date().getTime(),
  });
  return new TestsetLibrary(store, clock);
}

/** How long answers and reports are kept at most. */
const KEPT_MS = 3_600_000;

interface DoorParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly shared: Shared | null;
  readonly onReport: ServiceOptions['onReport'];
}

/** The service, with a memory of its reports where the operator allows it. */
async function toDoor(
  service: AssayService,
  { config, clock, shared, onReport }: DoorParts,
): Promise<Service> {
  const { resultCache, resultCacheMb } = config;
  if (resultCache === 'off') return service;
  const room = { bytesMax: resultCacheMb * MIB, ttlMs: KEPT_MS };
  const own = new MemoryKept({ ...room, clock });
  return new ReusingService(service, {
    isDefault: resultCache === 'on',
    kept: (await shared?.kept({ name: 'reports', ...room, own })) ?? own,
    clock,
    versions: versions(),
    onReport,
  });
}

interface HTTPParts {
  readonly clock: Clock;
  readonly tenants: Tenants;
  readonly shared: Shared | null;
}

async function toHTTPParts(loaded: LoadedConfig, { clock, tenants, shared }: HTTPParts) {
  const room = { bytesMax: loaded.config.idempotencyMb * MIB, ttlMs: KEPT_MS };
  const own = new MemoryKept({ ...room, clock });
  return {
    idempotency: new Idempotency({
      work: (await shared?.kept({ name: 'answers', ...room, own })) ?? unshared(own),
      createToken: createLeaseId,
      clock,
    }),
    callers: tenants.callers,
    testsets: await openTestsets(loaded, clock),
    controls: await Controls.load(projectPath('testsets', 'controls')),
    config: toHTTPConfig(loaded.config),
  };
}

function toHTTPConfig(config: Config): HTTPConfig {
  const { host, bodyMb, bodyMinKbPerS, surfaces, openInstructWords } = config;
  const arrival = { ...DEFAULT_HTTP_CONFIG.arrival, minBytesPerS: bodyMinKbPerS * 1024 };
  return {
    ...DEFAULT_HTTP_CONFIG,
    bodyMaxBytes: bodyMb * MIB,
    arrival,
    isLoopback: isLoopback(host),
    surfaces,
    openInstructWords,
  };
}

function toQueue({ queueLength, queueMb, queueTenantPercent }: Config) {
  return {
    lengthMax: queueLength,
    bytesMax: queueMb * MIB,
    tenantShare: queueTenantPercent / 100,
  };
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
