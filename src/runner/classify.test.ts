/** Whose fault and what kind: one line per rule of `classify`. */
import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';

import type { RawExit } from '../domain/outcome.ts';
import { classify } from './classify.ts';

const MIB = 1024 * 1024;
const limits = { cpuMs: 1000, memoryBytes: 256 * MIB };
const { errno, signals } = constants;

function aRawExit(over: Partial<RawExit> = {}): RawExit {
  return {
    cause: 'exited',
    exitCode: 0,
    signal: null,
    startErrno: 0,
    cpuUs: 1200,
    wallUs: 2000,
    stalledUs: 0,
    memoryBytes: 8 * MIB,
    memorySource: 'cgroup_peak',
    oomKills: 0,
    limitHits: 0,
    processHits: 0,
    stdout: Buffer.from('out'),
    stderr: new Uint8Array(0),
    stdoutBytes: 3,
    stderrBytes: 0,
    stdoutTruncated: false,
    stderrTruncated: false,
    diskFull: false,
    inodesFull: false,
    stdinUnread: false,
    starved: false,
    forked: false,
    collected: [],
    ...over,
  };
}
const failed = { exitCode: 1 };
const killed = { cause: 'signalled', exitCode: null, signal: signals.SIGKILL } as const;

const table: [string, Partial<RawExit>, string][] = [
  ['a plain exit', {}, 'exited'],
  ['a failing exit', failed, 'exited'],
  ['a crash', { cause: 'signalled', exitCode: null, signal: signals.SIGSEGV }, 'signalled'],
  ['its own SIGKILL', killed, 'signalled'],
  ['the CPU limit', { ...killed, cause: 'cpu' }, 'time_limit:cpu'],
  ['the wall limit', { ...killed, cause: 'wall' }, 'time_limit:wall'],
  ['a wall limit without a core', { ...killed, cause: 'wall', starved: true }, 'fault:host_busy'],
  ['a CPU limit on a busy core', { ...killed, cause: 'cpu', starved: true }, 'time_limit:cpu'],
  ['an exit just past the CPU limit', { cpuUs: 1_000_001 }, 'time_limit:cpu'],
  ['an exit exactly at the CPU limit', { cpuUs: 1_000_000 }, 'exited'],
  ['SIGXCPU', { ...killed, signal: signals.SIGXCPU }, 'time_limit:cpu'],
  ['SIGKILL at the CPU back-stop', { ...killed, cpuUs: 1_000_000 }, 'time_limit:cpu'],
  [
    'wall first, CPU passed while dying',
    { ...killed, cause: 'wall', cpuUs: 2e6 },
    'time_limit:wall',
  ],
  ['a kill at its memory limit', { ...killed, oomKills: 1, limitHits: 3 }, 'memory_limit:memory'],
  ['a child killed for memory, exit 0', { oomKills: 1, limitHits: 1 }, 'memory_limit:memory'],
  [
    'a peak near the limit without a hit count',
    { ...killed, oomKills: 1, memoryBytes: 250 * MIB },
    'memory_limit:memory',
  ],
  [
    'a polled memory limit',
    { ...killed, cause: 'memory', memorySource: 'polled' },
    'memory_limit:memory',
  ],
  ['reclaim at the limit without a kill', { limitHits: 9 }, 'exited'],
  ['a kill by the machine', { ...killed, oomKills: 1 }, 'fault:host_out_of_memory'],
  ['a child killed by the machine, exit 0', { oomKills: 1 }, 'fault:host_out_of_memory'],
  [
    'a machine kill of an unmeasured run',
    { ...killed, oomKills: 1, memorySource: 'unknown', memoryBytes: 0 },
    'fault:host_out_of_memory',
  ],
  [
    'a machine kill, seen by a polling supervisor',
    { ...killed, oomKills: 1, memorySource: 'polled' },
    'fault:host_out_of_memory',
  ],
  ['the output cap', { ...killed, cause: 'output', stdoutTruncated: true }, 'output_limit:output'],
  ['output beyond the cap at exit', { stderrTruncated: true }, 'output_limit:output'],
  ['the process cap', { ...killed, cause: 'processes' }, 'process_limit:processes'],
  ['refused forks and a failure', { ...failed, processHits: 2 }, 'process_limit:processes'],
  ['refused forks and success', { processHits: 2 }, 'exited'],
  ['SIGXFSZ', { ...killed, signal: signals.SIGXFSZ }, 'disk_limit:disk'],
  ['a full disk and a failure', { ...failed, diskFull: true }, 'disk_limit:disk'],
  ['no inodes and a crash', { ...killed, inodesFull: true }, 'disk_limit:disk'],
  ['a full disk and success', { diskFull: true }, 'exited'],
  ['a cancel, whatever else', { ...killed, cause: 'cancelled', oomKills: 1 }, 'cancelled'],
  ['EAGAIN at the start', { cause: 'not_started', startErrno: errno.EAGAIN }, 'fault:host_limit'],
  ['ENOMEM at the start', { cause: 'not_started', startErrno: errno.ENOMEM }, 'fault:host_limit'],
  ['EMFILE at the start', { cause: 'not_started', startErrno: errno.EMFILE }, 'fault:host_limit'],
  ['ENFILE at the start', { cause: 'not_started', startErrno: errno.ENFILE }, 'fault:host_limit'],
  ['ENOSPC of its files', { cause: 'not_started', startErrno: errno.ENOSPC }, 'disk_limit:disk'],
  [
    'ENOMEM at its own memory limit',
    { cause: 'not_started', startErrno: errno.ENOMEM, limitHits: 1 },
    'memory_limit:memory',
  ],
  ['no errno at the start', { cause: 'not_started', startErrno: 0 }, 'fault:host_limit'],
];

describe('classify', () => {
  it.each(table)('%s', (_, over, expected) => {
    const got = classify(aRawExit(over), limits);
    const label =
      got.kind === 'fault'
        ? `fault:${got.fault.code}`
        : [got.outcome.kind, got.outcome.limit].filter((part) => part !== null).join(':');
    expect(label).toBe(expected);
  });

  it.each<[string, Partial<RawExit>, string]>([
    ['both signs', {}, 'memory_limit'],
    ['another exit code', { exitCode: 1 }, 'exited'],
    ['a clean exit', { exitCode: 0 }, 'exited'],
    ['the exit code alone', { stderr: Buffer.from('boom') }, 'exited'],
    ['threads refused before', { processHits: 1 }, 'process_limit'],
  ])('takes a runtime’s word that its heap was full: %s', (_, over, kind) => {
    const memoryFailure = { exitCode: 3, stderr: 'OutOfMemory' };
    const raw = aRawExit({ exitCode: 3, stderr: Buffer.from('at X\nOutOfMemoryError\n'), ...over });
    expect(classify(raw, { ...limits, memoryFailure })).toMatchObject({ outcome: { kind } });
    expect(classify(aRawExit({ ...raw, processHits: 0 }), limits)).toMatchObject({
      outcome: { kind: 'exited' },
    });
  });

  it.each([
    ['ENOENT', errno.ENOENT, 127],
    ['EACCES', errno.EACCES, 126],
    ['ENOEXEC', errno.ENOEXEC, 126],
    ['ETXTBSY', errno.ETXTBSY, 126],
    ['EPERM', errno.EPERM, 126],
    ['ENOTDIR', errno.ENOTDIR, 126],
    ['EISDIR', errno.EISDIR, 126],
    ['ELOOP', errno.ELOOP, 126],
    ['ENAMETOOLONG', errno.ENAMETOOLONG, 126],
    ['E2BIG', errno.E2BIG, 126],
    ['EINVAL', errno.EINVAL, 126],
    ['EIO', errno.EIO, 126],
    ['EFAULT', errno.EFAULT, 126],
    ['ELIBBAD', 80, 126],
  ])('%s of the program is exit code %#', (_, startErrno, exitCode) => {
    const raw = aRawExit({ cause: 'not_started', exitCode: null, startErrno, stdout: Buffer.of() });
    const got = classify(raw, limits);
    if (got.kind !== 'outcome') throw got.fault;
    expect(got.outcome).toMatchObject({ kind: 'exited', exitCode, signal: null });
    const text = Buffer.from(got.outcome.stderr).toString();
    expect(text).toMatch(/^assay: the program cannot be started: .+\n$/);
    expect(got.outcome.stderrBytes).toBe(text.length);
  });

  it('rounds times up, leaves our own stalls out and says when memory is unknown', () => {
    const got = classify(
      aRawExit({
        cpuUs: 1,
        wallUs: 5001,
        stalledUs: 2000,
        memorySource: 'unknown',
        memoryBytes: 0,
      }),
      limits,
    );
    if (got.kind !== 'outcome') throw got.fault;
    expect(got.outcome).toMatchObject({ cpuMs: 1, wallMs: 4, memoryBytes: null });
  });

  it('never answers a negative time', () => {
    const got = classify(aRawExit({ wallUs: 10, stalledUs: 4000 }), limits);
    if (got.kind !== 'outcome') throw got.fault;
    expect(got.outcome.wallMs).toBe(0);
  });
});
