/**
 * The start of the pools and the boot self-tests: first the environments whose jails start at once, then, when the service
 * is ready, those that take seconds, so that they delay nobody else.
 */
import { loadBootSelfTests } from '../catalog/self-test.ts';
import type { CatalogEntry, Environment } from '../domain/language.ts';
import type { EnvironmentPool } from '../pool/environment-pool.ts';
import { poolId } from './isolates.ts';
import type { SelfTestResult } from './door.ts';
import { runSelfTest } from './self-test.ts';
import type { AssayService } from './service.ts';
import type { ServiceWall, ServiceWalls } from './walls.ts';

interface BootParts {
  readonly service: AssayService;
  readonly catalog: readonly CatalogEntry[];
  readonly walls: ServiceWalls;
  /** The folder `languages/`. */
  readonly languagesDir: string;
  /** False: everything is believed to work. */
  readonly isTested: boolean;
  /** Told of each self-test that failed. */
  readonly onFailure: (result: SelfTestResult) => void;
}

interface Boot {
  /** Resolves when the service is ready, whatever the tests' results. */
  readonly tested: Promise<void>;
  /** What has not been tested yet is of no interest any more. */
  stop(): void;
}

/** All environments that this host has. */
export function availableIn(catalog: readonly CatalogEntry[]): Environment[] {
  const offered = catalog.flatMap(({ environments }) => environments);
  return offered.flatMap(({ environment }) => environment ?? []);
}

/** The pool of candidates' jails and that of tests', where there is one. */
function poolsOf(environment: Environment, pools: ServiceWall['pools']): EnvironmentPool[] {
  const own = pools.get(environment.id) ?? [];
  // Those of other languages are made when the first program of a problem comes.
  if (environment.language.verifier?.start !== 'warm') return [own].flat();
  return [own, pools.get(poolId(environment, 'verifier')) ?? []].flat();
}

/** Starts every pool and the self-tests. */
export function startPools(parts: BootParts): Boot {
  const { service, catalog, walls } = parts;
  const [{ pools }, ...others] = walls;
  const stopped = new AbortController();
  const lateIds = catalog
    .flatMap(({ environments }) => environments)
    .filter(({ definition, environment }) => definition.startsLate && environment !== null)
    .map(({ definition }) => definition.id);
  const isLate = ({ id }: Environment): boolean => lateIds.includes(id);
  const soon = availableIn(catalog).filter((each) => !isLate(each));
  const late = availableIn(catalog).filter(isLate);
  for (const pool of new Set(soon.flatMap((each) => poolsOf(each, pools)))) pool.start();
  const tested = selfTest(parts, soon, stopped.signal).then((results) => {
    service.setSelfTests(results);
  });
  // Self-tests are of the first wall; behind the others the same programs find the same files.
  void tested.then(() => {
    const waiting = others.flatMap((wall) => soon.map((each) => wall.pools.get(each.id)));
    if (!stopped.signal.aborted) for (const pool of new Set(waiting)) pool?.start();
  });
  const testLate = async (): Promise<readonly SelfTestResult[]> => {
    await tested;
    for (const { id } of late) pools.get(id)?.start();
    await Promise.all(late.map(({ id }) => firstJail(pools.get(id), stopped.signal)));
    return await selfTest(parts, late, stopped.signal);
  };
  service.awaitSelfTests(lateIds, testLate());
  return { tested, stop: () => stopped.abort() };
}

/** Waits for a jail without holding a slot, which a self-test would meanwhile. That there is none, the test finds too. */
async function firstJail(pool: EnvironmentPool | undefined, signal: AbortSignal): Promise<void> {
  try {
    const lease = await pool?.acquire(signal);
    lease?.release();
  } catch {
    // See above.
  }
}

async function selfTest(
  { service, languagesDir, isTested, onFailure }: BootParts,
  environments: readonly Environment[],
  stopped: AbortSignal,
): Promise<readonly SelfTestResult[]> {
  const asked = isTested ? environments : [];
  const tests = await Promise.all(
    asked.map((environment) => loadBootSelfTests({ languagesDir, environment })),
  );
  if (stopped.aborted) return [];
  const results = await Promise.all(tests.flat().map((test) => runSelfTest(service, test)));
  // Those that a stop cut off have not failed.
  if (!stopped.aborted) for (const result of results.filter(({ ok }) => !ok)) onFailure(result);
  return results;
}
