/**
 * What a run costs below HTTP: a trivial static C program through a real jail with all isolation on, against bare
 * fork + exec + wait + pipes of the same program. Blocks of both alternate, so that both see the same machine.
 */
import { readFileSync } from 'node:fs';

import type { RunSpec } from '../../src/runner/pending-run.ts';
import type { Session } from '../../src/runner/session.ts';
import { BareRunner } from '../lib/bare.ts';
import { buildBaseline } from '../lib/gcc.ts';
import { openJail } from '../lib/jail.ts';
import { stopwatch } from '../lib/load.ts';
import { median, quantileCells, spread } from '../lib/quantiles.ts';
import type { BenchContext, Scenario, ScenarioResult } from '../lib/scenario.ts';

const TARGET_RATIO = 2.5;
const STDIN = '42\n';
const MIB = 1024 * 1024;

interface Variant {
  readonly label: string;
  readonly cpu: number;
  /** Two runs under way, as the judge has them; or each one awaited. */
  readonly pipelined: boolean;
}

const VARIANTS: readonly Variant[] = [
  { label: 'jail, one after the other', cpu: -1, pipelined: false },
  { label: 'jail, two under way', cpu: -1, pipelined: true },
  { label: 'jail, two under way, pinned', cpu: 0, pipelined: true },
];

interface Measured {
  /** Per run, ms: its own round trip, or the block's time divided by its runs. */
  readonly values: number[];
  readonly ratios: number[];
  /** The supervisor's own figure: from exec to the program's end. */
  readonly inside: number[];
}

export const runOverhead: Scenario = {
  name: 'run-overhead',
  title: 'A trivial static C program in a jail against bare fork+exec',
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const repeats = context.amount ?? (context.quick ? 3 : 25);
  const block = context.quick ? 50 : 200;
  const program = buildBaseline('trivial', ['-static']);
  using bare = new BareRunner({ argv: [program], stdin: STDIN, expected: STDIN });
  await using jail = await openJail();
  await jail.session.stage([{ path: 'main', content: readFileSync(program), executable: true }]);
  await runBlock(jail.session, { variant: VARIANTS[0], count: block });
  await bare.batch(block);

  const bareValues: number[] = [];
  const measured = VARIANTS.map((): Measured => ({ values: [], ratios: [], inside: [] }));
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const [index, variant] of VARIANTS.entries()) {
      const before = await bare.batch(block);
      const { values, inside } = await runBlock(jail.session, { variant, count: block });
      const into = measured[index];
      bareValues.push(...before);
      into?.values.push(...values);
      into?.inside.push(...inside);
      into?.ratios.push(median(values) / median(before));
    }
    context.say(`repeat ${repeat + 1} of ${repeats}`);
  }
  return toResult({ bareValues, measured, cgroup: jail.cgroup });
}

function toResult(facts: {
  readonly bareValues: readonly number[];
  readonly measured: readonly Measured[];
  readonly cgroup: string;
}): ScenarioResult {
  const { bareValues, measured, cgroup } = facts;
  const rows = VARIANTS.flatMap(({ label }, index) => {
    const each = measured[index];
    if (each === undefined) return [];
    const inside = `${median(each.inside).toFixed(3)} ms`;
    const cells = quantileCells(each.values, 'ms', 3);
    return [{ label, cells: { ...cells, 'exec to end': inside, '× bare': spread(each.ratios) } }];
  });
  const ratio = median(measured[0]?.ratios ?? []);
  return {
    rows: [{ label: 'bare', cells: quantileCells(bareValues, 'ms', 3) }, ...rows],
    checks: [
      {
        what: 'a run in a jail, one after the other, against bare (ratio of medians)',
        target: `≤ ${TARGET_RATIO} ×`,
        measured: `${ratio.toFixed(2)} ×`,
        ok: ratio <= TARGET_RATIO,
      },
    ],
    notes: [
      `cgroup back end ${cgroup}; the round trip from Node and back is included`,
      'of "two under way" each value is the mean of a block of 20',
      '"exec to end" is the supervisor’s own figure for the program alone',
    ],
  };
}

/** Runs measured together where runs overlap. */
const GROUP = 20;

async function runBlock(
  session: Session,
  { variant, count }: { readonly variant: Variant | undefined; readonly count: number },
): Promise<{ values: number[]; inside: number[] }> {
  const spec = toSpec(variant?.cpu ?? -1);
  const values: number[] = [];
  const inside: number[] = [];
  const group = variant?.pipelined === true ? GROUP : 1;
  for (let done = 0; done < count; done += group) {
    const elapsed = stopwatch();
    let next = session.run(spec);
    for (let index = 1; index <= group; index += 1) {
      const current = next;
      if (index < group) next = session.run(spec);
      const exit = await current;
      if (exit.cause !== 'exited' || Buffer.from(exit.stdout).toString() !== STDIN) {
        throw new Error(`the trivial program ended as ${exit.cause}`);
      }
      inside.push(exit.wallUs / 1000);
    }
    values.push(elapsed() / group);
  }
  return { values, inside };
}

function toSpec(cpu: number): RunSpec {
  return {
    argv: ['./main'],
    env: {},
    stdin: Buffer.from(STDIN),
    files: [],
    limits: {
      cpuMs: 10_000,
      wallMs: 21_000,
      memoryBytes: 512 * MIB,
      outputBytes: 16 * MIB,
      processes: 64,
      diskBytes: 64 * MIB,
      inodes: 4096,
      openFiles: 256,
      stackBytes: 256 * MIB,
      collectBytes: MIB,
    },
    cpu,
    warm: false,
    collect: [],
  };
}
