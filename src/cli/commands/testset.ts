/** `assay testset import PATH`: a problem package, a folder of them, or a file of rows becomes a test set of the service. */
import { stat } from 'node:fs/promises';
import path from 'node:path';

import { defineCommand } from 'citty';
import { z } from 'zod';

import { TESTSET_ID } from '../../judge/testsets/reference.ts';
import { openApi } from '../api.ts';
import { configArgs } from '../config-args.ts';
import { EXIT, toPattern, UsageError } from '../exit-codes.ts';
import { readLanguages } from '../program-file.ts';
import { collectProblems } from '../testset/collect.ts';

const Line = z.union([
  z.object({
    id: z.string(),
    accepted: z.boolean(),
    reason: z.string().nullable(),
    warning: z.string().nullable(),
  }),
  z.object({
    summary: z.object({
      problems: z.int(),
      accepted: z.int(),
      testset: z.object({ id: z.string(), digest: z.string() }).nullable(),
      error: z.object({ detail: z.string() }).nullable(),
    }),
  }),
]);

export const testsetCommand = defineCommand({
  meta: {
    name: 'testset',
    description:
      'Register a test set: `import` a Kattis or DOMjudge package, a folder of them, or a JSON or JSON-lines file of rows (HumanEval, MBPP, LeetCode, stdin …).',
  },
  args: {
    action: { type: 'positional', required: true, description: 'import' },
    path: { type: 'positional', required: true, description: 'The package, folder or file.' },
    id: { type: 'string', description: "The set's name; by default the path's." },
    dataset: {
      type: 'string',
      description: 'Of rows: their data set; by default by their fields.',
    },
    language: { type: 'string', description: 'Of rows: the language; by default what rows say.' },
    cpuMs: { type: 'string', description: 'CPU limit of programs, ms, in place of the packages’.' },
    skip: {
      type: 'string',
      description: 'A regular expression: submissions of packages that are not tried.',
    },
    runs: { type: 'string', description: 'How often references run; by default 20.' },
    partial: { type: 'boolean', description: 'Register what holds, leave out the rest.' },
    visible: { type: 'boolean', description: 'Let reports show expected values.' },
    url: { type: 'string', description: 'A running service; by default one is started.' },
    json: { type: 'boolean', description: 'Print the answer, a line each problem.' },
    ...configArgs,
  },
  async run({ args }) {
    if (args.action !== 'import')
      throw new UsageError(`assay testset takes \`import PATH\`, not ${args.action}`);
    const id = args.id ?? idOf(args.path);
    if (!TESTSET_ID.test(id))
      throw new UsageError(`${id} is no name for a test set (letters, digits, . _ -): say --id`);
    const isFolder = (await stat(args.path).catch(() => null))?.isDirectory();
    if (isFolder === undefined) throw new UsageError(`${args.path}: no such file or folder`);
    await using api = await openApi(args);
    const found = await collectProblems(args.path, {
      isFolder,
      languages: await readLanguages(api),
      schema: args.dataset ?? 'auto',
      language: args.language ?? null,
      skip: args.skip === undefined ? null : toPattern('--skip', args.skip),
      cpuMs: args.cpuMs === undefined ? null : wholeNumber('--cpu-ms', args.cpuMs),
    });
    for (const note of found.notes) console.error(note);
    if (found.refused.length > 0 && (args.partial !== true || found.problems.length === 0))
      throw new UsageError(
        `${found.refused.length} cannot be taken:\n  ${found.refused.slice(0, SHOWN).join('\n  ')}`,
      );
    for (const each of found.refused) console.error(`left out: ${each}`);
    const body = {
      id,
      hidden: args.visible !== true,
      problems: found.problems,
      partial: args.partial === true,
      ...(args.runs === undefined ? {} : { calibrate: { runs: wholeNumber('--runs', args.runs) } }),
    };
    for await (const answer of api.postForLines('/v1/testsets', body)) {
      const line = Line.parse(answer);
      console.log(args.json ? JSON.stringify(answer) : describe(line));
      if ('summary' in line)
        process.exitCode = line.summary.testset === null ? EXIT.notAccepted : EXIT.ok;
    }
  },
});

/** Problems told of at most; the rest are counted. */
const SHOWN = 20;

function idOf(name: string): string {
  const base = path.basename(path.resolve(name)).replace(/\.jsonl?$/, '');
  return base.replaceAll(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
}

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} takes a whole number above 0, not ${text}`);
}

function stateOf({ accepted, warning }: { accepted: boolean; warning: string | null }): string {
  if (!accepted) return 'refused ';
  return warning === null ? 'holds   ' : 'unproved';
}

function describe(line: z.infer<typeof Line>): string {
  if (!('summary' in line))
    return [`${stateOf(line)}  ${line.id}`, line.reason ?? line.warning ?? []].flat().join(': ');
  const { testset, problems, accepted, error } = line.summary;
  return testset === null
    ? `not registered: ${error?.detail ?? `${accepted} of ${problems} problems hold`}`
    : `registered ${testset.id}@${testset.digest}: ${accepted} of ${problems} problems`;
}
