/**
 * The long proof of the wall `pod`: programs with known verdicts get the same ones from a service inside a gVisor sandbox as
 * behind nsjail on this host: every self-test of every language, HumanEval, the stdin problems in six languages, and those of `test/pod/programs.ts`.
 * `npm run prove:pod [-- WORD…]` takes those whose names hold one of the words. Needs `npm run gvisor`.
 */
import { projectFile } from '../test/support/project.ts';
import { isSameOrExplained } from '../test/support/known-programs.ts';
import { startService } from '../test/support/service.ts';
import { knownPrograms, namedBy, type PodAnswer } from '../test/pod/programs.ts';
import { inPod } from '../test/pod/sandbox.ts';

const TIMEOUT_MS = 4 * 3600 * 1000;
/** A sandbox costs more than a jail to begin with, and gets this for its verdict. */
const DEADLINE_MS = 600_000;

/** What a caller sees of a verdict: all of it but the figures. */
function told({ verdict, passed, total, fault }: Omit<PodAnswer, 'name' | 'reward' | 'wall'>) {
  if (fault !== null) return `fault ${fault}`;
  const partly = passed > 0 && passed < total ? `, ${passed} of ${total}` : '';
  return `${verdict}${partly}`;
}

const words = process.argv.slice(2);
const programs = namedBy(await knownPrograms(), words);
const inside = new Map<string, string>();
let isClean = false;
await inPod(['test/pod/inside.ts', 'known', ...words], {
  runsc: projectFile('.assay', 'gvisor', 'runsc'),
  hasCgroups: true,
  timeoutMs: TIMEOUT_MS,
  onAnswer(answer) {
    inside.set(answer.name, told(answer));
    if (inside.size % 50 === 0) process.stdout.write(`${inside.size} of ${programs.length}\n`);
  },
  onLeft({ before, after }) {
    isClean = JSON.stringify(before) === JSON.stringify(after);
    if (!isClean) process.stdout.write(`left behind: ${JSON.stringify({ before, after })}\n`);
  },
});
let same = 0;
{
  await using service = await startService();
  const queue = [...programs];
  const worker = async (): Promise<void> => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
      const report = await service.client.judge({ ...each.request, deadline_ms: DEADLINE_MS });
      const outside = told({ ...report, fault: report.fault?.code ?? null });
      const answer = inside.get(each.name) ?? 'nothing';
      const isAsMeant = isSameOrExplained(each.name, outside, ['pod', answer]);
      if (isAsMeant) same += 1;
      const word = isAsMeant ? 'explained' : 'DIFFERENT';
      if (outside !== answer)
        process.stdout.write(`  ${word}: ${each.name}: nsjail ${outside}; in the pod ${answer}\n`);
    }
  };
  await Promise.all([worker(), worker()]);
}
process.stdout.write(
  `${same} of ${programs.length} programs have the same verdict in the pod, or a difference that is explained; ${isClean ? 'nothing' : 'SOMETHING'} was left behind in it\n`,
);
process.exitCode = isClean && same === programs.length ? 0 : 1;
