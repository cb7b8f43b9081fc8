/** Brings up the wall of a service, and refuses where it would be weaker than configured. Part of the composition. */
import type { LoadedConfig } from './config/load.ts';
import { ConfigError } from './config/load.ts';
import type { Clock } from './lib/clock.ts';
import { projectPath } from './lib/project.ts';
import type { EnforcedProperty } from './domain/wall.ts';
import { Session } from './runner/session.ts';
import { createNsjailSandbox } from './sandbox/nsjail/nsjail.ts';
import type { Sandbox, WallProbe } from './sandbox/port.ts';
import { probeHost, type HostProbe } from './sandbox/probe.ts';

export const HELLO_TIMEOUT_MS = 15_000;

/** Where this service keeps sockets and caches. */
export function stateFolder({ config }: LoadedConfig): string {
  return config.stateDir === '' ? projectPath('.assay') : config.stateDir;
}

/** What this host can enforce under this configuration; never throws for what it lacks. */
export async function probeWall(loaded: LoadedConfig, clock: Clock): Promise<HostProbe> {
  const { config, searchPath } = loaded;
  return await probeHost({
    clock,
    nsjail: config.nsjail,
    searchPath,
    ownNsjail: projectPath('.assay', 'bin', 'nsjail'),
    ...programs(),
    stateDir: stateFolder(loaded),
    cgroup: config.cgroup,
    cgroupParent: config.cgroupParent === '' ? undefined : config.cgroupParent,
    readHello: async (jail) =>
      (await Session.open(jail, { clock, helloTimeoutMs: HELLO_TIMEOUT_MS })).hello,
  });
}

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

/** The wall, started. Throws ConfigError, with what is missing and how to mend it, rather than serve a weaker one. */
export async function openWall(
  loaded: LoadedConfig,
  clock: Clock,
): Promise<{ sandbox: Sandbox; probe: WallProbe }> {
  const probe = await probeWall(loaded, clock);
  const missing = missingProperties(probe, loaded);
  if (missing.length > 0 || probe.nsjail === null) {
    const lines = missing.map((line) => `\n  ${line}`).join('');
    throw new ConfigError(`this host cannot hold submissions in:${lines}\nsee \`assay doctor\``);
  }
  const { config } = loaded;
  const sandbox = await createNsjailSandbox({
    clock,
    nsjail: probe.nsjail,
    ...programs(),
    stateDir: stateFolder(loaded),
    cgroup: probe.cgroup,
    jailsMax: JAILS_MAX,
    cgroupParent: config.cgroupParent === '' ? undefined : config.cgroupParent,
  });
  const { wall, available, version, cgroup, enforced, problems } = probe;
  // Callers are told what holds, not where things are on this host.
  return { sandbox, probe: { wall, available, version, cgroup, enforced, problems } };
}

function programs(): { launcher: string; supervisor: string; confine: string } {
  return {
    launcher: projectPath('runners', 'build', 'launcher'),
    supervisor: projectPath('runners', 'build', 'supervisor'),
    confine: projectPath('runners', 'build', 'confine'),
  };
}
