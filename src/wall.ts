/** Brings up the walls of a service, and refuses where one would be weaker than configured. Part of the composition. */
import type { LoadedConfig } from './config/load.ts';
import { ConfigError } from './config/load.ts';
import type { Clock } from './lib/clock.ts';
import { projectPath } from './lib/project.ts';
import type { EnforcedProperty, RealWall } from './domain/wall.ts';
import type { CatalogEntry } from './domain/language.ts';
import type { Config } from './config/schema.ts';
import { WallTests } from './judge/wall-test/wall-tests.ts';
import type { ServiceWall, ServiceWalls } from './judge/walls.ts';
import type { Logger } from './observe/logger.ts';
import { Session } from './runner/session.ts';
import type { Sandbox, WallProbe } from './sandbox/port.ts';
import { createWall, probeHost, type HostProbe } from './sandbox/probe.ts';

export const HELLO_TIMEOUT_MS = 15_000;

/** Where this service keeps sockets and caches. */
export function stateFolder({ config }: LoadedConfig): string {
  return config.stateDir === '' ? projectPath('.assay') : config.stateDir;
}

/** What this host can enforce by that wall under this configuration; never throws for what it lacks. */
export async function probeWall(
  wall: RealWall,
  loaded: LoadedConfig,
  clock: Clock,
): Promise<HostProbe> {
  const { config, searchPath } = loaded;
  const program = { nsjail: config.nsjail, pod: config.nsjail, gvisor: config.runsc }[wall];
  return await probeHost({
    ...toMeans(loaded, clock),
    wall,
    program,
    searchPath,
    ownProgram: OWN_PROGRAMS[wall],
    enclose: projectPath('runners', 'build', 'enclose'),
    podSandbox: config.podSandbox,
    readHello: async (jail) =>
      (await Session.open(jail, { clock, helloTimeoutMs: HELLO_TIMEOUT_MS })).hello,
  });
}

/** Where set-up, and `npm run gvisor`, put what the host does not have. */
const OWN_PROGRAMS: Readonly<Record<RealWall, string>> = {
  nsjail: projectPath('.assay', 'bin', 'nsjail'),
  pod: projectPath('.assay', 'bin', 'nsjail'),
  gvisor: projectPath('.assay', 'gvisor', 'runsc'),
};

/** What counts as enforced only where a cgroup does it; rlimits and polling let much through. */
const BY_CGROUP: ReadonlySet<EnforcedProperty> = new Set(['memory', 'cpu_time', 'processes']);

/**
 * The configured properties that this wall does not enforce, a line each; empty when it is strong enough.
 */
export function missingProperties(probe: WallProbe, { config }: LoadedConfig): string[] {
  if (!probe.available) return probe.problems.length > 0 ? [...probe.problems] : ['no wall'];
  return config.require.flatMap((property) => {
    const how = probe.enforced[property];
    if (how === null) return [`${property} is required and not enforced here`];
    const isWeak = BY_CGROUP.has(property) && !how.startsWith('cgroup');
    return isWeak ? [`${property} is required, and without cgroups there is only ${how}`] : [];
  });
}

/**
 * Jails at once, whatever is in them. Memory bounds those that idle; a submission with several processes takes ten.
 */
const JAILS_MAX = 256;

/** A wall that holds. */
export interface OpenWall {
  readonly sandbox: Sandbox;
  readonly probe: WallProbe;
}

/**
 * The walls of the configuration, started, in its order. Throws ConfigError, with what is missing and how to mend it,
 * rather than serve a weaker one; nothing is left behind then.
 */
export async function openWalls(loaded: LoadedConfig, clock: Clock): Promise<OpenWall[]> {
  await using undo = new AsyncDisposableStack();
  const walls: OpenWall[] = [];
  for (const wall of loaded.config.walls) {
    walls.push(undo.adopt(await openWall(wall, loaded, clock), ({ sandbox }) => sandbox.close()));
  }
  undo.move();
  return walls;
}

async function openWall(wall: RealWall, loaded: LoadedConfig, clock: Clock): Promise<OpenWall> {
  const probe = await probeWall(wall, loaded, clock);
  const missing = missingProperties(probe, loaded);
  if (missing.length > 0 || probe.program === null) {
    const lines = missing.map((line) => `\n  ${line}`).join('');
    throw new ConfigError(
      `this host cannot hold submissions in, by ${wall}:${lines}\nsee \`assay doctor\``,
    );
  }
  const means = { ...toMeans(loaded, clock), cgroup: probe.cgroup, jailsMax: JAILS_MAX };
  const maker = { path: probe.program, isSentry: probe.isSentry };
  const sandbox = await createWall(wall, means, maker);
  const { available, version, cgroup, enforced, stackMb, problems } = probe;
  // Callers are told what holds, not where things are on this host.
  return { sandbox, probe: { wall, available, version, cgroup, enforced, stackMb, problems } };
}

function toMeans(loaded: LoadedConfig, clock: Clock) {
  const { config } = loaded;
  return {
    clock,
    launcher: projectPath('runners', 'build', 'launcher'),
    supervisor: projectPath('runners', 'build', 'supervisor'),
    confine: projectPath('runners', 'build', 'confine'),
    stateDir: stateFolder(loaded),
    cgroup: config.cgroup,
    cgroupParent: config.cgroupParent === '' ? undefined : config.cgroupParent,
  };
}

/** Throws ConfigError for a wall that is not offered, and for a language that there is not. */
export function toLanguageWalls(
  { walls, languageWalls }: Config,
  catalog: readonly CatalogEntry[],
): Map<string, RealWall> {
  const known = catalog.map(({ definition }) => definition.id);
  const pairs = languageWalls.map((text): [string, RealWall] => {
    const [language = '', name] = text.split('=');
    const wall = walls.find((each) => each === name);
    if (wall === undefined)
      throw new ConfigError(`languageWalls: ${text}, but walls has only ${walls.join(', ')}`);
    if (!known.includes(language))
      throw new ConfigError(`languageWalls: there is no ${language}, only ${known.join(', ')}`);
    return [language, wall];
  });
  return new Map(pairs);
}

/** Tests of the walls, each by a jail of its own. */
export function toWallTests(
  opened: readonly OpenWall[],
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): WallTests {
  return new WallTests({
    sandboxes: opened.map(({ sandbox }) => sandbox),
    clock,
    probe: projectPath('runners', 'build', 'wall-probe'),
    onTest: (test) => {
      if (test.state !== 'holds') logger.error({ event: 'wall_test', ...test }, 'wall not proved');
    },
  });
}

/** The walls as the service knows them; `poolsBehind` makes each its pools. */
export function toServiceWalls(
  opened: readonly OpenWall[],
  tests: WallTests,
  poolsBehind: (sandbox: Sandbox) => ServiceWall['pools'],
): ServiceWalls {
  const [first, ...others] = opened.map(({ sandbox, probe }): ServiceWall => {
    return { probe, pools: poolsBehind(sandbox), test: () => tests.of(sandbox.wall) };
  });
  if (first === undefined) throw new Error('a service needs a wall');
  return [first, ...others];
}
