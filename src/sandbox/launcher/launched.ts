/**
 * A wall whose jails the launcher makes: sweeps what dead instances left, makes the cgroups, starts the launcher and hands
 * out jails. What a connection becomes, and what is asked of the launcher for a jail, is the wall's own. The launcher is
 * the only process that is started here, so create the sandbox early; should it die, another one takes its place.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { Fault, toFault } from '../../domain/errors.ts';
import type { CgroupBackEnd, WallName } from '../../domain/wall.ts';
import type { Clock } from '../../lib/clock.ts';
import { detectCgroup, sweepCgroups } from '../cgroup/detect.ts';
import type { CgroupHost, JailGroupSpec } from '../cgroup/types.ts';
import { createChannelJail } from '../channel-jail.ts';
import type { ChannelJail } from '../channel-jail.ts';
import { isDeadInstance, newInstanceName } from '../instance.ts';
import type { JailPolicy, Sandbox } from '../port.ts';
import { createFootprintReader, type NamedBy } from './footprint.ts';
import type { LaunchRecord } from './launch-record.ts';
import { encodeLaunch } from './launch.ts';
import { readStackBound } from './stack-bound.ts';
import { startStandingLauncher, type StandingLauncher } from './standing-launcher.ts';

export interface LaunchedOptions {
  readonly clock: Clock;
  /** Host path of the launcher. */
  readonly launcher: string;
  /** A folder of ours for sockets and what a wall needs; made when missing. */
  readonly stateDir: string;
  /** `auto` takes the strongest back end that works; a named one that does not work is an error. */
  readonly cgroup: CgroupBackEnd | 'auto';
  /** A cgroup to work below, instead of the service's own. */
  readonly cgroupParent?: string | undefined;
  /** Jails at once, at most. Default 64. */
  readonly jailsMax?: number;
}

/** What one kind of wall has of its own. */
export interface LaunchedWall {
  readonly wall: WallName;
  readonly namedBy: NamedBy;
  /** See `Sandbox`. */
  readonly hasHosts: boolean;
  /** Whether no group of it is a run's alone (`JailGroupSpec`). */
  readonly isOpaque: boolean;
  /** Whether the kernel that it works with is gVisor's, whose groups count and limit nothing. */
  readonly isSentry?: boolean;
  /** The launcher's arguments; `folder` is this instance's own and goes with it. */
  prepare(folder: string): Promise<readonly string[]>;
  /** What the launcher is asked to do for the n-th jail, from 0. */
  toRecords(policy: JailPolicy, place: LaunchPlace): Promise<readonly LaunchRecord[]>;
}

interface LaunchPlace {
  readonly index: number;
  readonly folder: string;
  /** The group of a jail of this wall with these caps. */
  readonly groupFor: (caps: Omit<JailGroupSpec, 'isOpaque'>) => ReturnType<CgroupHost['forJail']>;
}

export interface LaunchedSandbox extends Sandbox {
  /** Why stronger cgroup back ends were passed over, one line each. */
  readonly problems: readonly string[];
  /** What the cgroup back end enforces with. */
  readonly controllers: readonly string[];
  /** The largest stack that a run can have here, bytes; null without a bound of the host's. */
  readonly stackMaxBytes: number | null;
  /** Folders of dead instances removed at the start. */
  readonly swept: readonly string[];
}

/** The launcher's own bound is wider than ours, because a jail ends a moment after its channel. */
const LAUNCHER_JAILS_MAX = 1024;
/** How long the launcher's last words are awaited after a jail ended unasked, ms. */
const LAST_WORDS_MS = 300;
/** How long after its channel a jail's end may be reported, ms; a sandbox takes its time to die. */
const END_REPORT_MS = 3000;
/** A jail of which nothing was heard for so long casts doubt on its launcher, ms; a warm one may take longer. */
const DOUBT_MS = 2000;
/** sun_path holds 107 bytes and a NUL (unix(7)). */
export const SOCKET_PATH_BYTES = 107;

/** Throws `Fault('jail_start_failed')` or `CgroupUnavailable`; nothing of it stays behind then. */
export async function createLaunchedSandbox(
  options: LaunchedOptions,
  wall: LaunchedWall,
): Promise<LaunchedSandbox> {
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
    isSentry: wall.isSentry,
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
      wallArgs: await wall.prepare(folder),
      socket,
      parents: host.parents,
      jailsMax: Math.min(2 * jailsMax + 16, LAUNCHER_JAILS_MAX),
    });
    return {
      ...toSandbox({ clock, wall, folder, host, launcher, jailsMax, tidy }),
      problems,
      controllers: host.controllers,
      stackMaxBytes: await readStackBound(launcher.pid()),
      swept: [...sweptGroups.removed, ...sweptFolders],
    };
  } catch (error) {
    await tidy();
    throw error;
  }
}

interface Parts {
  readonly clock: Clock;
  readonly wall: LaunchedWall;
  readonly folder: string;
  readonly host: CgroupHost;
  readonly launcher: StandingLauncher;
  readonly jailsMax: number;
  readonly tidy: () => Promise<void>;
}

function toSandbox({ clock, wall, folder, host, launcher, jailsMax, tidy }: Parts): Sandbox {
  const jails = new Set<ChannelJail>();
  /** Starts that have no jail yet; what a wall prepares for them must not be taken away meanwhile. */
  const starting = new Set<Promise<unknown>>();
  let count = 0;
  let closing: Promise<void> | null = null;
  const footprints = createFootprintReader(() => launcher.pid(), wall.namedBy);

  const connect = async (policy: JailPolicy) => {
    const place = { index: count++, folder, groupFor: groupsOn(host, wall) };
    const frame = await toLaunchFrame(() => wall.toRecords(policy, place));
    if (closing !== null) throw new Fault('jail_start_failed', 'the sandbox is closed');
    return { frame, socket: await launcher.connect() };
  };
  const startJail = async (policy: JailPolicy): Promise<ChannelJail> => {
    const { frame, socket } = await connect(policy);
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

  const start = async (policy: JailPolicy): Promise<ChannelJail> => {
    if (closing !== null) throw new Fault('jail_start_failed', 'the sandbox is closed');
    if (jails.size + starting.size >= jailsMax)
      throw new Fault('jail_start_failed', `${jailsMax} jails are as many as may be`);
    const started = startJail(policy);
    starting.add(started);
    try {
      return await started;
    } finally {
      starting.delete(started);
    }
  };

  return {
    wall: wall.wall,
    cgroup: host.backEnd,
    hasHosts: wall.hasHosts,
    start,
    kill: (name) => launcher.kill(name),
    metCap: async (name) => wall.isOpaque && (await launcher.metCap(name, END_REPORT_MS)),
    measure: (name) => host.measure?.(name) ?? footprints.measure(name),
    close() {
      closing ??= (async () => {
        await Promise.allSettled(starting);
        await Promise.all([...jails].map((jail) => jail.close()));
        await launcher.close();
        await tidy();
      })();
      return closing;
    },
  };
}

function groupsOn(host: CgroupHost, { isOpaque }: LaunchedWall): LaunchPlace['groupFor'] {
  return (caps) => host.forJail({ ...caps, isOpaque });
}

async function toLaunchFrame(toRecords: () => Promise<readonly LaunchRecord[]>): Promise<Buffer> {
  try {
    return encodeLaunch(await toRecords());
  } catch (error) {
    throw new Fault('jail_start_failed', toFault(error).detail, { cause: error });
  }
}

/** Folders of dead instances; their launchers ended with them. */
async function sweepFolders(stateDir: string): Promise<string[]> {
  const swept: string[] = [];
  for (const name of await readdir(stateDir).catch((): string[] => [])) {
    if (!(await isDeadInstance(name))) continue;
    await rm(join(stateDir, name), { recursive: true, force: true });
    swept.push(join(stateDir, name));
  }
  return swept;
}
