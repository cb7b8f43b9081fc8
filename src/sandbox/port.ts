/**
 * The port between the pool and the walls: a `Sandbox` starts jails, a `Jail` is one supervisor behind a byte
 * channel. Every wall implements exactly this and passes the one contract suite in `test/contract/`.
 */
import type { Duplex } from 'node:stream';

import type { ToolchainMount } from '../domain/language.ts';
import type { CgroupBackEnd, EnforcedProperty, WallName } from '../domain/wall.ts';

/** A process of the jail from which the supervisor has runs forked (runners/protocol.md, "Warm runtimes"). */
export interface WarmPolicy {
  /** Host path of what is preloaded into the runtime. */
  readonly library: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly imports: readonly string[];
  /** Of a second runtime with fewer modules; null without one. */
  readonly lightImports: readonly string[] | null;
  /** Modules of our own that it holds for runs which ask for them, in the order of their loading; host and jail paths. */
  readonly preload: readonly { readonly source: string; readonly target: string }[];
  /** A runtime that is not ready after this is done without, ms. */
  readonly startLimitMs: number;
}

/** What a jail is allowed and made of; the same for every wall. A pure function turns it into a wall's own configuration. */
export interface JailPolicy {
  /** The environment's id, for names and logs. */
  readonly environment: string;
  readonly mounts: readonly ToolchainMount[];
  /** Hard cap of the whole jail, bytes: the operator's largest memory limit plus slack. */
  readonly memoryMaxBytes: number;
  /** Hard cap of processes in the jail. */
  readonly processesMax: number;
  /** Size of the supervisor's own tmpfs (program staging and the runs' file systems), bytes. */
  readonly stagingBytes: number;
  /** Null: every run is started by exec. */
  readonly warm: WarmPolicy | null;
  /** Left out: the supervisor. A host gets no capability, no uid but its own, no place to write. */
  readonly host?: JailHostProgram;
}

/** A warm host that is the jail's first process in place of the supervisor, and speaks its protocol. */
export interface JailHostProgram {
  /** Path in the jail and arguments; `--name NAME --cgroup BACK-END` are added. */
  readonly command: readonly string[];
}

/** How a jail ended, for logs and faults. */
export interface JailExit {
  readonly reason: string;
}

export interface Jail {
  /** Unique within this service's life, e.g. `jail-7`; known once the supervisor said HELLO, so null before. */
  readonly channel: Duplex;
  /** Resolves once the channel is closed, whoever closed it. Never rejects. */
  readonly closed: Promise<JailExit>;
  /** Closes the channel, which ends the jail; resolves when it is closed. Idempotent. */
  close(): Promise<void>;
}

/** What a wall enforces on this host, as probed by running it. */
export interface WallProbe {
  readonly wall: WallName;
  readonly available: boolean;
  readonly version: string | null;
  readonly cgroup: CgroupBackEnd;
  /** Name of the property → how it is enforced ("cgroup v1", "rlimit", …) or null where it is not. */
  readonly enforced: Readonly<Record<EnforcedProperty, string | null>>;
  /** The largest stack of a program's main thread, whole MiB; null where no jail could be tried. */
  readonly stackMb: number | null;
  /** What is missing and how to mend it, one line each. */
  readonly problems: readonly string[];
}

export interface Sandbox {
  readonly wall: WallName;
  readonly cgroup: CgroupBackEnd;
  /** Whether a jail's first process may be a host in place of the supervisor (`JailPolicy.host`). */
  readonly hasHosts: boolean;
  /**
   * Starts one jail and hands out its channel; the supervisor's HELLO is the first thing to read on it.
   * Throws `Fault('jail_start_failed')`.
   */
  start(policy: JailPolicy): Promise<Jail>;
  /** Asks the launcher to kill the jail of that name (from HELLO), for one whose supervisor does not react. */
  kill(name: string): void;
  /**
   * Whether the jail of that name (from HELLO), whose channel has ended, was killed because all of it together met its cap
   * of memory, as only a run that takes more than its limit makes it. Always false where each run has a group of its own.
   */
  metCap(name: string): Promise<boolean>;
  /**
   * What all processes of that jail hold in memory, bytes: their proportional set size. Null where the host does not tell,
   * or the jail is gone. Takes milliseconds of the kernel's time; for jails that nobody uses.
   */
  measure(name: string): Promise<number | null>;
  /** Ends all jails and removes everything this sandbox made. Idempotent. */
  close(): Promise<void>;
}
