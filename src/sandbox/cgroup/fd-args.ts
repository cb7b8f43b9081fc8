/** From the supervisor's cgroup files to LAUNCH records and arguments (runners/protocol.md, "Descriptors"). */
import type { LaunchRecord } from '../launcher/launch-record.ts';

/** One file of a jail's group that the supervisor gets open. */
export interface GroupFile {
  /** The supervisor's argument, e.g. `--fd-cpu`. */
  readonly arg: string;
  readonly parent: number;
  readonly access: 'read' | 'read_write' | 'directory';
  readonly path: string;
}

const FIRST_FD = 16;

export interface FdPassing {
  readonly records: readonly LaunchRecord[];
  readonly args: readonly string[];
  readonly fds: readonly number[];
}

export function toFdPassing(files: readonly GroupFile[]): FdPassing {
  const numbered = files.map((file, index) => ({ ...file, fd: FIRST_FD + index }));
  return {
    records: numbered.map(({ parent, access, fd, path }) => ({
      kind: 'fd',
      parent,
      access,
      fd,
      path,
    })),
    args: numbered.flatMap(({ arg, fd }) => [arg, String(fd)]),
    fds: numbered.map(({ fd }) => fd),
  };
}
