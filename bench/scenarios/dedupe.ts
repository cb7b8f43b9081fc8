/**
 * Groups of completions as policy-gradient trainers send them: sixteen for a problem, many of which hold the same program.
 * The same groups once as they are and once with `cache`: rewards must be equal, and the saving is what is shown.
 */
import { mapLoop, stopwatch } from '../lib/load.ts';
import { createRandom, type Random } from '../lib/random.ts';
import type { BenchContext, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { judge, readStats } from '../lib/wire.ts';

const GROUPS = 40;
const GROUP_SIZE = 16;
/** Different programs of a group at most; a policy that has learnt something repeats itself. */
const PROGRAMS_MAX = 8;
const CASES = 10;
const IN_FLIGHT = 64;

export const dedupe: Scenario = {
  name: 'dedupe',
  title: `${GROUPS} groups of ${GROUP_SIZE} completions with up to ${PROGRAMS_MAX} different programs, with cache and without`,
  run,
};

interface Completion {
  readonly completion: string;
  readonly tests: unknown;
  /** Equal exactly where code and tests are. */
  readonly identity: string;
}

interface Pass {
  readonly rewards: readonly (number | null)[];
  readonly seconds: number;
}

async function run(context: BenchContext): Promise<ScenarioResult> {
  const random = createRandom(context.seed);
  const groups = context.amount ?? (context.quick ? 3 : GROUPS);
  const completions = Array.from({ length: groups }, (_, index) => aGroup(index, random)).flat();
  const different = new Set(completions.map(({ identity }) => identity)).size;
  await using service = await TestService.start({ config: { languages: ['python'] } });
  await pass(service, completions.slice(0, 2 * GROUP_SIZE), false);
  const plain = await pass(service, completions, false);
  const cached = await pass(service, completions, true);
  const again = await pass(service, completions, true);
  const { reuse } = await readStats(service.client);
  const misses = reuse?.misses ?? completions.length;
  const equal = cached.rewards.filter((reward, index) => reward === plain.rewards[index]).length;
  const row = (label: string, { seconds }: Pass) => ({
    label,
    cells: {
      'a second': (completions.length / seconds).toFixed(0),
      took: `${seconds.toFixed(2)} s`,
      'times as fast': (plain.seconds / seconds).toFixed(2),
    },
  });
  return {
    rows: [
      row('each judged by its own run', plain),
      row('with cache', cached),
      row('the same groups again', again),
    ],
    checks: [
      {
        what: 'rewards equal to those without',
        target: `${completions.length} of ${completions.length}`,
        measured: String(equal),
        ok: equal === completions.length,
      },
      {
        what: `submissions executed for ${2 * completions.length} with cache`,
        target: `${different}, as many as are different`,
        measured: `${misses} (${reuse?.in_flight ?? 0} joined one under way, ${reuse?.kept ?? 0} found one kept)`,
        ok: misses === different,
      },
    ],
    notes: [
      `${completions.length} completions, ${different} different programs with their tests (${((100 * different) / completions.length).toFixed(0)} %), ${CASES} cases each, ${IN_FLIGHT} in flight, Python`,
    ],
    figures: { completions: completions.length, different, reuse },
  };
}

async function pass(
  service: TestService,
  completions: readonly Completion[],
  cache: boolean,
): Promise<Pass> {
  const elapsed = stopwatch();
  const rewards = await mapLoop(completions, IN_FLIGHT, async ({ completion, tests }) => {
    const request = { language: 'python', completion, tests, scoring: 'fraction', cache };
    return (await judge(service.client, request)).reward;
  });
  return { rewards, seconds: elapsed() / 1000 };
}

/** Completions of one problem; the words around a program differ each time. */
function aGroup(problem: number, random: Random): Completion[] {
  const programs = random.int(1, PROGRAMS_MAX + 1);
  const cases = Array.from({ length: CASES }, (_, index) => {
    const input = random.int(0, 1000) + index;
    return { stdin: `${input}\n`, expected_stdout: `${input + problem}\n` };
  });
  return Array.from({ length: GROUP_SIZE }, (_, index) => {
    const program = random.int(0, programs);
    // Every third is wrong on some of the cases.
    const off = program % 3 === 2 ? ' + (n % 2)' : '';
    const code = `n = int(input())\nprint(n + ${problem}${off})  # ${program}\n`;
    return {
      completion: `Attempt ${index}.\n\n\`\`\`python\n${code}\`\`\`\n`,
      tests: { kind: 'stdio', cases },
      identity: `${problem} ${program}`,
    };
  });
}
