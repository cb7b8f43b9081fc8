/** `assay gauntlet`: every known hack and odd honest programs against a service; the exit status says whether it holds. */
import { defineCommand } from 'citty';

import { projectPath } from '../../lib/project.ts';
import { openApi } from '../api.ts';
import { configArgs } from '../config-args.ts';
import { EXIT, toPattern, UsageError } from '../exit-codes.ts';
import { readGauntlet, type Gauntlet } from '../gauntlet/problems.ts';
import {
  attemptName,
  attemptsOf,
  countEnds,
  isHeld,
  runAttempts,
  type Result,
} from '../gauntlet/run.ts';
import { describeGauntlet } from '../gauntlet/table.ts';
import { readLanguages } from '../program-file.ts';

export const gauntletCommand = defineCommand({
  meta: {
    name: 'gauntlet',
    description: 'Try every known reward hack; none may be rewarded, no honest program refused.',
  },
  args: {
    only: {
      type: 'string',
      description: 'A regular expression: attempts whose PROBLEM/STYLE/PROGRAM it fits.',
    },
    folder: { type: 'string', description: 'Another gauntlet, of the form of the own one.' },
    url: { type: 'string', description: 'A running service; by default one is started.' },
    json: { type: 'boolean', description: 'Print all results as JSON.' },
    ...configArgs,
  },
  async run({ args }) {
    const only = args.only ?? '';
    const gauntlet = await readGauntlet(args.folder ?? projectPath('gauntlet'));
    const attempts = attemptsOf(gauntlet, toPattern('--only', only));
    if (attempts.length === 0) throw new UsageError(`no attempt fits --only ${only}`);
    await using api = await openApi(args);
    const results: Result[] = [];
    const isTerminal = process.stderr.isTTY;
    for await (const result of runAttempts(api, attempts, await readLanguages(api))) {
      results.push(result);
      if (isTerminal) process.stderr.write(`\r${results.length} of ${attempts.length} `);
    }
    if (isTerminal) process.stderr.write('\r\u001B[K');
    if (results.length !== attempts.length)
      throw new Error(`${attempts.length} attempts, but ${results.length} results`);
    console.log(args.json ? toJSON(gauntlet, results) : describeGauntlet(gauntlet, results));
    process.exitCode = isHeld(results) ? EXIT.ok : EXIT.notAccepted;
  },
});

function toJSON({ catalogue }: Gauntlet, results: readonly Result[]): string {
  const attempts = results.map(({ attempt, ...rest }) => ({
    name: attemptName(attempt),
    hacks: attempt.program.hacks,
    expected: attempt.program.expected,
    ...rest,
  }));
  const counts = countEnds(results);
  return JSON.stringify(
    { held: isHeld(results), counts, attempts, not_applicable: catalogue.notApplicable },
    null,
    2,
  );
}
