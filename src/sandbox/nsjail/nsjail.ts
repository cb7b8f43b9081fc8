/**
 * The nsjail wall: jails made by the launcher, each with its own ids on the host and its own cgroups. The launcher
 * is the only process this file starts, so create the sandbox early; should it die, another one takes its place.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { Fault, toFault } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { detectCgroup, sweepCgroups } from '../cgroup/detect.ts';
import type { CgroupHost } from '../cgroup/types.ts';
import { createChannelJail } from '../channel-jail.ts';
import type { ChannelJail } from '../channel-jail.ts';
import {
  CAP_SETGID,
  CAP_SETUID,
  hasCapabilities,
  isDeadInstance,
  newInstanceName,
} from '../instance.ts';
import type { CgroupBackEnd } from '../../domain/wall.ts';
import type { JailPolicy, Sandbox } from '../port.ts';
import { toNsjailConfig } from './config.ts';
import type { JailIds } from './config.ts';
import { createFootprintReader } from './footprint.ts';
import { encodeLaunch } from './launch.ts';
import { startStandingLauncher, type StandingLauncher } from './standing-launcher.ts';

export interface NsjailOptions {
  readonly clock: Clock;
  /** Host paths of nsjail and of our two programs. */
  readonly nsjail: string;
  readonly launcher: string;
  readonly supervisor: string;
  readonly confine: string;
  /** A folder of ours for sockets; made when missing. */
  readonly stateDir: string;
  /** `auto` takes the strongest back end that works; a named one that does not work is an error. */
  readonly cgroup: CgroupBackEnd | 'auto';
  /** A cgroup to work below, instead of the service's own. */
  readonly cgroupParent?: string | undefined;
  /** Jails at once, at most. Default 64. */
  readonly jailsMax?: number;
}

export interface NsjailSandbox extends Sandbox {
  /** Why stronger cgroup back ends were passed over, one line each. */
  readonly problems: readonly string[];
  /** What the cgroup back end enforces with. */
  readonly controllers: readonly string[];
  /** Folders of dead instances removed at the start. */
  readonly swept: readonly string[];
}

/** Outside ids: one range of 16 for each jail, far above a machine's own users. */
const FIRST_ID = 100_000;
const IDS_PER_JAIL = 16;
const ID_RANGES = 4000;
/** The launcher's own bound is wider than ours, because a jail ends a moment after its channel. */
const LAUNCHER_JAILS_MAX = 1024;
/** How long the launcher's last words are awaited after a jail ended unasked, ms. */
const LAST_WORDS_MS = 300;
/** A jail of which nothing was heard for so long casts doubt on its launcher, ms; a warm one may take longer. */
const DOUBT_MS = 2000;
/** sun_path holds 107 bytes and a NUL (unix(7)). */
const SOCKET_PATH_BYTES = 107;

/**
 * Sweeps what dead instances left, makes the cgroups, starts the launcher. Throws `Fault('jail_start_failed')` or
 * `CgroupUnavailable`; nothing of it stays behind then.
 */
export async function createNsjailSandbox(options: NsjailOptions): Promise<NsjailSandbox> {
  const { clock, jailsMax = 64 } = options;
  const instance = await newInstanceName();
  const stateDir = resolve(options.stateDir);
  const sweptGroups = await sweepCgroups({ clock, parent: options.cgroupParent });
  const sweptFolders = await sweepFolders(stateDir);
  const folder = join(stateDir, instance);
  const socket = join(folder, 'launcher.sock');
  if (Buffer.byteLength(socket) > SOCKET_PATH_BYTES) {
    throw new Fault(
      'jail_start_failed',
      `the socket path ${socket} is too long; choose a shorter state folder`,
    );
  }
  const { host, problems } = await detectCgroup({
    clock,
    instance,
    wanted: options.cgroup,
    parent: options.cgroupParent,
  });
  const tidy = async (): Promise<void> => {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const launcher = await startStandingLauncher({
      clock,
      launcher: options.launcher,
      nsjail: options.nsjail,
      socket,
      parents: host.parents,
      jailsMax: Math.min(2 * jailsMax + 16, LAUNCHER_JAILS_MAX),
    });
    const canMapIds = await hasCapabilities(CAP_SETUID, CAP_SETGID);
    const hasAutogroup = await schedulesSessions();
    return {
      ...toSandbox({ options, host, launcher, canMapIds, hasAutogroup, jailsMax, tidy }),
      problems,
      controllers: host.controllers,
      swept: [...sweptGroups.removed, ...sweptFolders],
    };
  } catch (error) {
    await tidy();
    throw error;
  }
}

interface Parts {
  readonly options: NsjailOptions;
  readonly host: CgroupHost;
  readonly launcher: StandingLauncher;
  /** Whether ids other than our own can be mapped into a jail. */
  readonly canMapIds: boolean;
  readonly hasAutogroup: boolean;
  readonly jailsMax: number;
  readonly tidy: () => Promise<void>;
}

function toSandbox(parts: Parts): Sandbox {
  const { options, host, launcher, canMapIds, hasAutogroup, jailsMax, tidy } = parts;
  const jails = new Set<ChannelJail>();
  let count = 0;
  let starting = 0;
  let closing: Promise<void> | null = null;
  const footprints = createFootprintReader(() => launcher.pid());

  const { clock } = options;
  const start = async (policy: JailPolicy): Promise<ChannelJail> => {
    if (closing !== null) throw new Fault('jail_start_failed', 'the sandbox is closed');
    if (jails.size + starting >= jailsMax) {
      throw new Fault('jail_start_failed', `${jailsMax} jails are as many as may be`);
    }
    const ids = toJailIds(count++, canMapIds);
    const programs = { supervisor: resolve(options.supervisor), confine: resolve(options.confine) };
    const frame = toLaunchFrame({ policy, ids, hasAutogroup, host, programs });
    starting += 1;
    const socket = await launcher.connect().finally(() => {
      starting -= 1;
    });
    let wasClosed = false;
    const jail: ChannelJail = createChannelJail(socket, {
      async afterClose() {
        if (wasClosed) return;
        await launcher.nextExit(LAST_WORDS_MS);
        const tail = launcher.logTail();
        jail.explain(`the supervisor closed the channel${tail === '' ? '' : `; log: ${tail}`}`);
      },
    });
    jails.add(jail);
    void jail.closed.then(() => jails.delete(jail));
    socket.write(frame);
    const doubt = clock.after(DOUBT_MS, () => {
      if (socket.bytesRead === 0) launcher.suspect();
    });
    void jail.closed.then(() => doubt.cancel());
    return {
      ...jail,
      async close() {
        // Only an end that nobody asked for is explained by the log.
        if (!socket.readableEnded && !socket.destroyed) wasClosed = true;
        if (wasClosed && socket.bytesRead === 0) launcher.suspect();
        await jail.close();
      },
    };
  };

  return {
    wall: 'nsjail',
    cgroup: host.backEnd,
    start,
    kill: (name) => launcher.kill(name),
    measure: (name) => footprints.measure(name),
    close() {
      closing ??= (async () => {
        await Promise.all([...jails].map((jail) => jail.close()));
        await launcher.close();
        await tidy();
      })();
      return closing;
    },
  };
}

/** Ids of the n-th jail, from 0. Without CAP_SETUID only one's own id can be mapped (user_namespaces(7)). */
export function toJailIds(index: number, canMapIds: boolean): JailIds {
  if (!canMapIds) return { outside: process.geteuid?.() ?? 0, hasRunId: false };
  return { outside: FIRST_ID + IDS_PER_JAIL * (index % ID_RANGES), hasRunId: true };
}

interface LaunchParts {
  readonly policy: JailPolicy;
  readonly ids: JailIds;
  readonly hasAutogroup: boolean;
  readonly host: CgroupHost;
  readonly programs: { readonly supervisor: string; readonly confine: string };
}

function toLaunchFrame({ policy, ids, hasAutogroup, host, programs }: LaunchParts): Buffer {
  const group = host.forJail({ ...policy, supervisorUid: ids.outside });
  const jailHost = { ...programs, ids, hasAutogroup, cgroupArgs: group.args, fds: group.fds };
  try {
    const text = toNsjailConfig(policy, jailHost);
    return encodeLaunch([{ kind: 'config', text }, ...group.records]);
  } catch (error) {
    throw new Fault('jail_start_failed', toFault(error).detail, { cause: error });
  }
}

/** Whether this kernel makes a scheduling group of each session (sched(7)); it has no such file where it cannot. */
async function schedulesSessions(): Promise<boolean> {
  const setting = '/proc/sys/kernel/sched_autogroup_enabled';
  return (await readFile(setting, 'latin1').catch(() => '0')).trim() === '1';
}

/** Socket folders of dead instances; their launchers ended with them. */
async function sweepFolders(stateDir: string): Promise<string[]> {
  const swept: string[] = [];
  for (const name of await readdir(stateDir).catch((): string[] => [])) {
    if (!(await isDeadInstance(name))) continue;
    await rm(join(stateDir, name), { recursive: true, force: true });
    swept.push(join(stateDir, name));
  }
  return swept;
}
