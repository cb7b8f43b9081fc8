/** Brings up the wall of a service, and refuses where it would be weaker than configured. Part of the composition. */
import type { LoadedConfig } from './config/load.ts';
import { ConfigError } from './config/load.ts';
import type { Clock } from './lib/clock.ts';
import { projectPath } from './lib/project.ts';
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

/**
 * The configured properties that this wall does not enforce, a line each; empty when it is strong enough.
 */
export function missingProperties(probe: WallProbe, { config }: LoadedConfig): string[] {
  if (!probe.available) return probe.problems.length > 0 ? [...probe.problems] : ['no wall'];
  return config.require
    .filter((property) => probe.enforced[property] === null)
    .map((property) => `${property} is required and not enforced here`);
}

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
    cgroupParent: config.cgroupParent === '' ? undefined : config.cgroupParent,
  });
  return { sandbox, probe };
}

function programs(): { launcher: string; supervisor: string } {
  return {
    launcher: projectPath('runners', 'build', 'launcher'),
    supervisor: projectPath('runners', 'build', 'supervisor'),
  };
}
