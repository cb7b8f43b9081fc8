/**
 * Limits as a wall really enforces them, classified: each cgroup back end answers the same outcome for the same
 * program. Skips a back end that this host lacks with the probe's reason.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Outcome } from '../../src/domain/outcome.ts';
import { classify } from '../../src/runner/classify.ts';
import type { RunLimits } from '../../src/runner/protocol.ts';
import type { Session } from '../../src/runner/session.ts';
import type { CgroupBackEnd } from '../../src/domain/wall.ts';
import type { Sandbox } from '../../src/sandbox/port.ts';
import { waitFor } from '../support/wait.ts';
import { allowedCpus } from '../../src/lib/cpus.ts';
import { POLICY, aCommand, gvisorWall, nsjailWall, openSession, skipNote } from './walls.ts';

const MIB = 1024 * 1024;
const SIGKILL = 9;

interface Case {
  readonly name: string;
  readonly sh: string;
  readonly limits?: Partial<RunLimits>;
  readonly expect: Partial<Outcome>;
  /** Back ends that cannot tell this. */
  readonly not?: readonly CgroupBackEnd[];
}

const CASES: readonly Case[] = [
  {
    name: 'CPU time',
    sh: 'while :; do :; done',
    limits: { cpuMs: 200 },
    expect: { kind: 'time_limit', limit: 'cpu' },
  },
  {
    name: 'CPU time of children',
    sh: 'for i in 1 2 3 4; do while :; do :; done & done; wait',
    limits: { cpuMs: 200 },
    expect: { kind: 'time_limit', limit: 'cpu' },
  },
  {
    name: 'wall time',
    sh: 'exec sleep 30',
    limits: { wallMs: 300 },
    expect: { kind: 'time_limit', limit: 'wall' },
  },
  {
    name: 'memory of the program',
    sh: 'exec tail /dev/zero',
    limits: { memoryBytes: 64 * MIB },
    expect: { kind: 'memory_limit', limit: 'memory' },
  },
  {
    name: 'memory of a child, whatever the parent makes of it',
    sh: 'tail /dev/zero; exit 0',
    limits: { memoryBytes: 64 * MIB },
    expect: { kind: 'memory_limit', limit: 'memory' },
  },
  {
    name: 'memory taken by files',
    sh: 'exec head -c 200000000 /dev/zero > file',
    limits: { memoryBytes: 32 * MIB, diskBytes: 300 * MIB },
    expect: { kind: 'memory_limit', limit: 'memory' },
    // Without a memory cgroup only processes are measured; the disk limit bounds the files.
    not: ['none'],
  },
  {
    name: 'memory taken by files that are meant as shared memory',
    sh: 'exec head -c 200000000 /dev/zero > /dev/shm/file',
    limits: { memoryBytes: 32 * MIB, diskBytes: 300 * MIB },
    expect: { kind: 'memory_limit', limit: 'memory' },
    not: ['none'],
  },
  {
    name: 'memory of several processes, none of which has much',
    sh: 'for i in 1 2 3 4 5 6 7 8; do (head -c 12000000 /dev/zero | tail -c 12000000 | sleep 20) & done; wait',
    limits: { memoryBytes: 48 * MIB, processes: 64, cpuMs: 60_000, wallMs: 60_000 },
    expect: { kind: 'memory_limit', limit: 'memory' },
  },
  {
    name: 'processes',
    sh: 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 30 & done; exit 1',
    limits: { processes: 6 },
    expect: { kind: 'process_limit', limit: 'processes' },
    // rlimits refuse the fork but count nothing.
    not: ['none'],
  },
  {
    name: 'disk',
    sh: 'exec head -c 50000000 /dev/zero > file',
    limits: { diskBytes: 16 * MIB },
    expect: { kind: 'disk_limit', limit: 'disk' },
  },
  {
    name: 'inodes',
    sh: 'i=0; while : > f$i; do i=$((i+1)); done; exit 1',
    limits: { inodes: 100 },
    expect: { kind: 'disk_limit', limit: 'disk' },
  },
  {
    name: 'output',
    sh: 'exec cat /dev/zero >&2',
    limits: { outputBytes: 1000 },
    expect: { kind: 'output_limit', limit: 'output', stderrTruncated: true },
  },
  {
    name: 'no limit, its own SIGKILL',
    sh: 'kill -KILL $$',
    expect: { kind: 'signalled', signal: SIGKILL, limit: null },
  },
  {
    name: 'no limit, 137 as an ordinary exit code',
    sh: 'exit 137',
    expect: { kind: 'exited', exitCode: 137, limit: null },
  },
  {
    name: 'no limit, a program that ignores a failed write',
    sh: 'head -c 50000000 /dev/zero > file 2>/dev/null; exit 0',
    limits: { diskBytes: 16 * MIB },
    expect: { kind: 'exited', exitCode: 0 },
  },
];

type Control = Readonly<Record<string, string>>;

const CONTROLS = [
  ...['memory.max', 'memory.swap.max', 'memory.oom.group', 'memory.high', 'pids.max'],
  ...['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes', 'memory.swappiness'],
];

/** The control files of a jail's groups and of those of its run, of all hierarchies; null until a run's limits are set. */
function controlOf(
  jail: string,
  processes: number,
): { readonly jail: Control; readonly run: Control } | null {
  const roots = globSync(`/sys/fs/cgroup/**/assay-${process.pid}-*/${jail}`);
  const read = (folder: string): [string, string][] =>
    CONTROLS.flatMap((file): [string, string][] => {
      const whole = path.join(folder, file);
      return existsSync(whole) ? [[file, readFileSync(whole, 'utf8').trimEnd()]] : [];
    });
  const of = (below: string): Control =>
    Object.fromEntries(roots.flatMap((root) => read(path.join(root, below))));
  const run = of('run');
  const most = Number(run['pids.max']);
  return most >= processes && most < POLICY.processesMax ? { jail: of('.'), run } : null;
}

/** What limits memory and processes: without their groups, as behind gVisor, some cases cannot be told. */
const WALLS = [
  ...(['v1', 'v2', 'none'] as const).map((cgroup) => ({
    limits: cgroup,
    wall: nsjailWall(cgroup),
  })),
  { limits: 'none' as const, wall: gvisorWall('auto') },
];

for (const { limits: cgroup, wall: probed } of WALLS) {
  const wall = await probed;
  describe.skipIf(wall.missing !== null)(`limits on ${wall.name}${skipNote(wall.missing)}`, () => {
    let sandbox: Sandbox;
    let session: Session;
    const run = async (argv: readonly string[], limits: Partial<RunLimits> = {}) => {
      const spec = aCommand(argv);
      const all = { ...spec.limits, ...limits };
      const classified = classify(await session.run({ ...spec, limits: all }), all);
      if (classified.kind === 'fault') throw classified.fault;
      return classified.outcome;
    };

    beforeAll(async () => {
      sandbox = await wall.create();
      session = await openSession(await sandbox.start(POLICY), sandbox);
    });
    afterAll(async () => {
      await session.close();
      await sandbox.close();
    });

    it.each(CASES.filter(({ not }) => not?.includes(cgroup) !== true))('$name', async (one) => {
      expect(await run(['/bin/sh', '-c', one.sh], one.limits)).toMatchObject(one.expect);
    });

    // Files in memory, faster than anybody looks at them; the cap is met for certain, as it is below the run's limit.
    it.skipIf(wall.kind !== 'gvisor')(
      'what a whole jail is killed for is its run’s',
      async () => {
        const small = { ...POLICY, memoryMaxBytes: 32 * MIB };
        const own = await openSession(await sandbox.start(small), sandbox);
        const beyond = { memoryBytes: 4096 * MIB, diskBytes: 4096 * MIB, wallMs: 60_000 };
        const limits = { ...aCommand([]).limits, ...beyond, cpuMs: 60_000 };
        const fill = ['/bin/sh', '-c', 'exec head -c 2000000000 /dev/zero > /dev/shm/file'];
        const exit = await own.run(aCommand(fill, { limits }));
        expect(classify(exit, limits)).toMatchObject({
          outcome: { kind: 'memory_limit', limit: 'memory', memoryBytes: null },
        });
        await own.close();
        expect(own.failure).toMatchObject({ code: 'jail_died' });
        // At its cap the kernel first takes back every page of every file, which takes its time beside busy neighbours.
      },
      180_000,
    );

    // Behind gVisor the host's scheduler places its threads.
    it.skipIf(wall.kind === 'gvisor')('a core of its own, and no way to another', async () => {
      const core = allowedCpus().at(-1) ?? 0;
      const sh =
        'grep Cpus_allowed_list /proc/self/status; taskset -p ffff $$ 2>&1; taskset -p 1 $$ 2>&1;' +
        'grep Cpus_allowed_list /proc/self/status; sh -c "grep Cpus_allowed_list /proc/self/status"';
      const exit = await session.run(aCommand(['/bin/sh', '-c', sh], { cpu: core }));
      const lines = Buffer.from(exit.stdout).toString('utf8').split('\n');
      const own = `Cpus_allowed_list:\t${core}`;
      expect(lines.filter((line) => line === own)).toHaveLength(3);
      expect(lines.filter((line) => line.includes('Operation not permitted'))).toHaveLength(2);
    });

    it.skipIf(cgroup === 'none')('the groups of a jail hold what they are to hold', async () => {
      const memoryBytes = 96 * MIB;
      const limits = { ...aCommand([]).limits, memoryBytes, processes: 10 };
      const sleeping = session.run(aCommand(['/bin/sleep', '60'], { limits }));
      const control = await waitFor(() => controlOf(session.hello.name, limits.processes), {
        what: 'the limits of a run',
        timeoutMs: 10_000,
      });
      const { jail, run } = control;
      const cap = String(POLICY.memoryMaxBytes);
      if (cgroup === 'v2') {
        const values = { 'memory.max': cap, 'pids.max': String(POLICY.processesMax) };
        // Where the kernel counts swap at all.
        const swap = jail['memory.swap.max'] === undefined ? {} : { 'memory.swap.max': '0' };
        expect(jail).toMatchObject({ ...values, ...swap });
        // Without `memory.high`: what it slows down would end by its time.
        expect(run).toMatchObject({ 'memory.oom.group': '1', 'memory.high': 'max', ...swap });
      } else {
        expect(jail).toMatchObject({
          ...{ 'memory.limit_in_bytes': cap, 'memory.swappiness': '0' },
          'pids.max': String(POLICY.processesMax),
        });
        expect([undefined, cap]).toContain(jail['memory.memsw.limit_in_bytes']);
        expect(run).toMatchObject({ 'memory.swappiness': '0' });
      }
      const limit = Number(run['memory.max'] ?? run['memory.limit_in_bytes']);
      expect(limit).toBeGreaterThanOrEqual(memoryBytes);
      expect(limit).toBeLessThan(memoryBytes + 32 * MIB);
      session.cancel();
      expect(await sleeping).toMatchObject({ cause: 'cancelled' });
    });

    it('a program that is not there looks as to a shell', async () => {
      expect(await run(['/bin/nothing'])).toMatchObject({ kind: 'exited', exitCode: 127 });
      expect(await run(['/etc/passwd'])).toMatchObject({ kind: 'exited', exitCode: 126 });
    });

    it('is clean after all of it', async () => {
      expect(await session.reset()).toMatchObject({ clean: true });
    });
  });
}
