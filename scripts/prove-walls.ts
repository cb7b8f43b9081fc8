/**
 * The long proof of the walls: programs with known verdicts get the same ones behind nsjail and behind gVisor: every
 * self-test of every language, HumanEval, and the stdin problems in six languages. `npm run prove:walls [-- WORD…]` takes
 * those whose names hold one of the words. Needs `npm run gvisor`.
 */
import {
  humanEvalPrograms,
  isSameOrExplained,
  selfTestPrograms,
  stdinPrograms,
  type KnownProgram,
} from '../test/support/known-programs.ts';
import { startService, type RunningService } from '../test/support/service.ts';

const WALLS = ['nsjail', 'gvisor'] as const;
type Wall = (typeof WALLS)[number];
/** A sandbox costs more than a jail to begin with, and gets this for its verdict. */
const DEADLINE_MS = 600_000;

/** What a caller sees of a verdict: all of it but the figures. */
async function judge(
  { client }: RunningService,
  { request }: KnownProgram,
  wall: Wall,
): Promise<string> {
  const report = await client.judge({ ...request, wall, deadline_ms: DEADLINE_MS });
  if (report.wall !== wall) throw new Error(`asked for ${wall}, was held by ${report.wall}`);
  const { verdict, passed, total, fault } = report;
  const partly = passed > 0 && passed < total ? `, ${passed} of ${total}` : '';
  return fault === null ? verdict + partly : `fault ${fault.code}: ${report.message}`;
}

const words = process.argv.slice(2);
const all = [...(await selfTestPrograms()), ...humanEvalPrograms(), ...stdinPrograms()];
const chosen = all.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
let isProved = true;
{
  await using service = await startService({ flags: { '--walls': WALLS.join(',') } });
  const languages = await service.client.languages();
  const missing = languages.filter(({ available }) => !available);
  for (const { id, reason } of missing) process.stdout.write(`${id} is left out: ${reason}\n`);
  const queue = chosen.filter(({ language }) => !missing.some(({ id }) => id === language));
  const count = queue.length;
  let same = 0;
  const worker = async (): Promise<void> => {
    for (let program = queue.shift(); program !== undefined; program = queue.shift()) {
      const [one, other] = [
        await judge(service, program, 'nsjail'),
        await judge(service, program, 'gvisor'),
      ];
      const isAsMeant = isSameOrExplained(program.name, one, ['gvisor', other]);
      if (isAsMeant) same += 1;
      const word = isAsMeant ? 'explained' : 'DIFFERENT';
      if (one !== other)
        process.stdout.write(`  ${word}: ${program.name}: nsjail ${one}; gVisor ${other}\n`);
    }
  };
  await Promise.all([worker(), worker()]);
  process.stdout.write(
    `${same} of ${count} programs have the same verdict behind both walls, or a difference that is explained\n`,
  );
  isProved = same === count;
}
process.exitCode = isProved ? 0 : 1;
