/**
 * Programs that attack the isolate and its host: what the outcome says must be true, and the next program must not
 * notice. Which runtime found it is told by the report; a doubt of the isolate's must have gone to a process.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { describe, expect, it } from 'vitest';

import type { RunResponse } from '../../src/http/native/schema/report.ts';
import { startHogs } from '../support/hogs.ts';
import { hostileProgram } from '../support/hostile-program.ts';
import { descendants } from '../support/process-tree.ts';
import { useArena } from './hostile-suite.ts';

type Outcome = Partial<NonNullable<RunResponse['outcome']>>;
interface Row {
  readonly program: string;
  readonly runtime: 'isolate' | 'forked';
  readonly outcome: Outcome;
}

/** The isolate hosts below a service. */
function isolateHosts(service: number): readonly number[] {
  const main = '/opt/assay/runners/javascript/main.ts';
  return descendants(service)
    .map(({ pid }) => pid)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(main));
}

const cpu: Outcome = { kind: 'time_limit', limit: 'cpu' };
const rows: readonly Row[] = [
  { program: 'reach-host', runtime: 'isolate', outcome: { kind: 'exited', stdout: 'contained\n' } },
  { program: 'forge-by-prototypes', runtime: 'isolate', outcome: { kind: 'exited', exit_code: 1 } },
  { program: 'forge-exit', runtime: 'isolate', outcome: { kind: 'exited', exit_code: 3 } },
  { program: 'microtasks', runtime: 'isolate', outcome: cpu },
  { program: 'next-ticks', runtime: 'isolate', outcome: cpu },
  { program: 'immediates', runtime: 'isolate', outcome: cpu },
  { program: 'catch-everything', runtime: 'isolate', outcome: cpu },
  { program: 'regex', runtime: 'isolate', outcome: cpu },
  { program: 'flood', runtime: 'isolate', outcome: { kind: 'output_limit', limit: 'output' } },
  { program: 'heap', runtime: 'forked', outcome: { kind: 'memory_limit' } },
  { program: 'array-fill', runtime: 'forked', outcome: { kind: 'memory_limit' } },
  { program: 'buffers', runtime: 'forked', outcome: { kind: 'memory_limit' } },
  { program: 'huge-line', runtime: 'isolate', outcome: { kind: 'output_limit', limit: 'output' } },
];
/** Either runtime may judge these; both must say the same. */
const same = ['species', 'infinite-getter'] as const;
const LIMITS = { cpu_ms: 1500, wall_ms: 20_000, memory_mb: 128, output_kb: 1024 };

describe('attacks on the isolate', () => {
  const arena = useArena({ languages: ['javascript', 'typescript'] });
  const requestOf = (program: string) => ({
    ...hostileProgram(`isolate/${program}.js`),
    limits: LIMITS,
  });

  it.each(rows)('$program', async ({ program, runtime, outcome }) => {
    const { client } = arena.service();
    const request = requestOf(program);
    const isMemory = outcome.kind === 'memory_limit';
    const limits = isMemory ? { ...request.limits, cpu_ms: 10_000 } : request.limits;
    const answer = await client.run({ ...request, limits });
    expect(answer.fault).toBeNull();
    expect(answer.outcome).toMatchObject(outcome);
    expect(answer.provenance.runtime).toBe(runtime);
    const next = await client.run({ language: 'javascript', code: 'console.log([1, { a: 2 }])' });
    expect(next.outcome).toMatchObject({
      kind: 'exited',
      exit_code: 0,
      stdout: '[ 1, { a: 2 } ]\n',
    });
  });

  it.each(same)('%s ends as in a process', async (program) => {
    const { client } = arena.service();
    const [warm, cold] = await Promise.all([
      client.run(requestOf(program)),
      client.run({ ...requestOf(program), warm: false }),
    ]);
    const told = ({ outcome }: RunResponse) => [outcome?.kind, outcome?.exit_code, outcome?.stdout];
    expect(told(warm)).toEqual(told(cold));
  });

  it('time in which others have its core is not counted against it', async () => {
    const code = `let x = 1;
for (let i = 0; i < 1.2e8; i++) x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
console.log(x);`;
    const run = async (): Promise<RunResponse> =>
      await arena.service().client.run({ ...requestOf('flood'), code, limits: { cpu_ms: 20_000 } });
    const { outcome: alone } = await run();
    await using hogs = startHogs(4 * availableParallelism());
    const { outcome, provenance } = await run();
    hogs.requireRunning();
    expect(outcome).toMatchObject({ kind: 'exited', stdout: alone?.stdout });
    expect(provenance.runtime).toBe('isolate');
    // It has had a core for a fifth of the time.
    expect(outcome?.cpu_ms).toBeLessThan((outcome?.wall_ms ?? 0) / 2);
  });

  it('a flood of timers ends by a time limit, whoever notices', async () => {
    const answer = await arena.service().client.run({
      ...requestOf('timer-flood'),
      limits: { ...LIMITS, cpu_ms: 500, wall_ms: 3000 },
    });
    expect(answer.outcome?.kind).toBe('time_limit');
  });

  it('their host has no right that a run has not', () => {
    const hosts = isolateHosts(arena.service().pid);
    expect(hosts.length).toBeGreaterThan(0);
    for (const pid of hosts) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      expect(status).toMatch(/^Seccomp:\t2$/m);
      expect(status).toMatch(/^CapEff:\t0{16}$/m);
      expect(status).toMatch(/^CapBnd:\t0{16}$/m);
      const mounts = readFileSync(`/proc/${pid}/mounts`, 'utf8').trim().split('\n');
      const writable = mounts.filter((line) => !line.split(' ')[3]?.split(',').includes('ro'));
      expect(writable.map((line) => line.split(' ')[1])).toEqual(['/dev/null', '/dev/urandom']);
      expect(readlinkSync(`/proc/${pid}/ns/net`)).not.toBe(readlinkSync('/proc/self/ns/net'));
    }
  });

  it('nothing of them is left on the host', async () => {
    await arena.guard().expectUnharmed();
  });
});
