/** What a cgroup back end gives the rest: parents for the launcher, records and arguments for each jail, clean-up. */
import type { CgroupBackEnd } from '../../domain/wall.ts';
import type { LaunchRecord } from '../launcher/launch-record.ts';

/** Hard caps of one jail and who its supervisor is outside. */
export interface JailGroupSpec {
  readonly memoryMaxBytes: number;
  readonly processesMax: number;
  /** The supervisor's uid on the host, which places runs into their group on v2. */
  readonly supervisorUid: number;
  /**
   * The wall's processes are not the runs' (gVisor): the group caps all of them together and tells their CPU time, and
   * limits no run.
   */
  readonly isOpaque?: boolean;
}

interface JailGroup {
  /** In the order in which they are to be carried out. */
  readonly records: readonly LaunchRecord[];
  /** The supervisor's `--cgroup` and `--fd-…` arguments. */
  readonly args: readonly string[];
  /** Descriptors that reach the supervisor. */
  readonly fds: readonly number[];
}

export interface CgroupHost {
  readonly backEnd: CgroupBackEnd;
  /** The launcher's `--cgroup` folders, in the order that records count by. */
  readonly parents: readonly string[];
  /** What it enforces with, e.g. `memory`, `pids`, for `assay doctor`. */
  readonly controllers: readonly string[];
  forJail(spec: JailGroupSpec): JailGroup;
  /** What the group of the jail of that name holds, bytes; null where it is gone. Left out where /proc tells it. */
  measure?(name: string): Promise<number | null>;
  /** Removes the service's own groups; the jails' must be gone. */
  close(): Promise<void>;
}

/** Thrown where a back end cannot be had here; the message says what is missing and how to mend it. */
export class CgroupUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'CgroupUnavailable';
  }
}

/** A back end that was tried and works, with where groups of dead instances may lie. */
export interface CgroupOptions {
  /** See `instance.ts`. */
  readonly instance: string;
  /** A group to work below instead of the service's own; v2: a path under the mount, v1: under each controller. */
  readonly parent?: string | undefined;
}
