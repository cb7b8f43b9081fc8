/**
 * What a test of a wall found, and what follows from it. Pure: the jail's own words are one half, what arrived or changed
 * on the host the other; a hole in either is a hole, and what was not said is not taken for a refusal.
 */
import type { RawExit } from '../../domain/outcome.ts';
import type { WallName } from '../../domain/wall.ts';

/**
 * Everything that is tried, in order; `runners/wall-probe` has the same names. Those of IPv6 are left out where the
 * host has none.
 */
export const NETWORK_ATTEMPTS = ['tcp4', 'udp4', 'dns', 'tcp6', 'udp6', 'abstract'] as const;
export type NetworkAttempt = (typeof NETWORK_ATTEMPTS)[number];
const KERNEL_ATTEMPTS = [
  ...['interfaces', 'raw_socket', 'packet_socket', 'netlink_socket', 'vsock_socket'],
  ...['other_processes', 'signal_others', 'descriptors', 'capabilities'],
  ...['trace_itself', 'trace_first', 'user_namespace', 'user_namespace_by_clone'],
  ...['mount_namespace', 'mount', 'mount_api', 'kernel_keys', 'bpf', 'io_uring', 'host_name'],
  ...['host_file', 'shown_folder', 'write_root', 'environment'],
];
const LEFTOVERS = ['left_files', 'left_objects', 'left_processes'];

/** A way through a wall. */
interface Hole {
  /** One of what was tried. */
  readonly what: string;
  /** What was seen, for the operator. */
  readonly detail: string;
}

/** For people: what was open, and what was seen of it. */
export function describeHoles({ holes }: { readonly holes: readonly Hole[] }): string {
  return holes.map(({ what, detail }) => `${what} (${detail})`).join(', ');
}

/** The last test of a wall. */
export interface WallTest {
  readonly wall: WallName;
  /** Unknown: not tested yet, or the test could not be carried out; the service is not ready, and takes what comes. */
  readonly state: 'holds' | 'fails' | 'unknown';
  /** When it began; null before the first. */
  readonly at: Date | null;
  readonly ms: number;
  /** Names of what was tried. */
  readonly tried: readonly string[];
  /** Empty unless it fails. */
  readonly holes: readonly Hole[];
  /** Why it is unknown; null otherwise. */
  readonly reason: string | null;
}

/** What four runs of the probe in one jail said, and what the host saw meanwhile. */
export interface Observed {
  /** Of `try` and, after it, of `look`. */
  readonly tried: RawExit;
  readonly looked: RawExit;
  readonly memory: RawExit;
  readonly processes: RawExit;
  /** The network attempts for which something listened. */
  readonly listened: readonly NetworkAttempt[];
  /** Those of which something arrived. */
  readonly arrived: readonly NetworkAttempt[];
  /** What became of the folder that was shown read-only; null where it is as it was. */
  readonly changed: string | null;
  /** Of the `processes` run. */
  readonly processesMax: number;
}

type Finding = Pick<WallTest, 'state' | 'tried' | 'holes' | 'reason'>;

/** What the observations come to. */
export function judgeWall(seen: Observed): Finding {
  const expected = [...seen.listened, ...KERNEL_ATTEMPTS];
  const parts = [
    readReport(seen.tried, expected),
    readReport(seen.looked, LEFTOVERS),
    judgeMemory(seen.memory),
    judgeProcesses(seen.processes, seen.processesMax),
    {
      holes: [
        ...seen.arrived.map((what) => ({ what, detail: 'it arrived on the host' })),
        ...(seen.changed === null ? [] : [{ what: 'shown_folder', detail: seen.changed }]),
      ],
      doubts: [],
    },
  ];
  const tried = [...expected, ...LEFTOVERS, 'memory', 'processes'];
  const holes = parts.flatMap((part) => part.holes);
  const doubts = parts.flatMap((part) => part.doubts);
  if (holes.length > 0) return { state: 'fails', tried, holes, reason: null };
  if (doubts.length > 0) return { state: 'unknown', tried, holes, reason: doubts.join('; ') };
  return { state: 'holds', tried, holes, reason: null };
}

interface Part {
  readonly holes: readonly Hole[];
  /** Why something was not found out. */
  readonly doubts: readonly string[];
}

const DETAIL_MAX = 200;

function readReport(exit: RawExit, expected: readonly string[]): Part {
  const said = new Map(
    textOf(exit)
      .split('\n')
      .flatMap((line): [string, Hole | null][] => {
        const match = /^(\w+) (refused|open) ?(.*)$/.exec(line);
        const [, what = '', word, detail = ''] = match ?? [];
        if (match === null) return [];
        const hole = word === 'open' ? { what, detail: detail.slice(0, DETAIL_MAX) } : null;
        return [[what, hole]];
      }),
  );
  const holes = [...said.values()].filter((hole) => hole !== null);
  const silent = expected.filter((what) => !said.has(what));
  const doubts = silent.length === 0 ? [] : [`${silent.join(', ')}: not tried (${endOf(exit)})`];
  return { holes, doubts };
}

/** The program fills many times its limit and then waits: only a limit ends it in time. */
function judgeMemory(exit: RawExit): Part {
  const text = textOf(exit);
  if (exit.cause === 'memory' || text.includes('memory refused')) return { holes: [], doubts: [] };
  if (text.includes('filled') && !exit.starved)
    return { holes: [{ what: 'memory', detail: 'the limit was passed' }], doubts: [] };
  return { holes: [], doubts: [`memory: not tried (${endOf(exit)})`] };
}

function judgeProcesses(exit: RawExit, max: number): Part {
  const count = /^children (\d+)$/m.exec(textOf(exit))?.[1];
  if (exit.cause === 'processes') return { holes: [], doubts: [] };
  if (count === undefined) return { holes: [], doubts: [`processes: not tried (${endOf(exit)})`] };
  const total = Number(count) + 1;
  if (total <= max) return { holes: [], doubts: [] };
  return { holes: [{ what: 'processes', detail: `${total} of ${max}` }], doubts: [] };
}

function textOf({ stdout }: RawExit): string {
  return Buffer.from(stdout).toString('latin1');
}

function endOf({ cause, exitCode, signal, startErrno }: RawExit): string {
  if (cause === 'not_started') return `not started, errno ${startErrno}`;
  const code = exitCode === null ? '' : ` ${exitCode}`;
  return signal === null ? `${cause}${code}` : `${cause} by signal ${signal}`;
}
