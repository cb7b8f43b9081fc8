/** `assay judge FILE --tests T`: a program judged against tests; the exit status says whether it is accepted. */
import { defineCommand } from 'citty';
import { z } from 'zod';

import { expectSuccess, openApi } from '../api.ts';
import { configArgs } from '../config-args.ts';
import { EXIT } from '../exit-codes.ts';
import { limitArgs, wireLimits } from '../limit-args.ts';
import { readProgram } from '../program-file.ts';
import { writeRecord } from '../replay/record.ts';
import { readTests } from '../tests-file.ts';

const JudgeAnswer = z.looseObject({
  verdict: z.string(),
  reward: z.number().nullable(),
  passed: z.int(),
  total: z.int(),
  profile: z.string().default('strict'),
  can_be_gamed: z.boolean().default(false),
  fault: z.looseObject({ message: z.string() }).nullable(),
  compile: z.looseObject({ ok: z.boolean(), stderr: z.string() }).nullable(),
  cases: z
    .array(z.looseObject({ id: z.string(), verdict: z.string(), message: z.string().default('') }))
    .default([]),
});

/** Failed cases shown at most; `--json` has all. */
const SHOWN_CASES = 10;

export const judgeCommand = defineCommand({
  meta: { name: 'judge', description: 'Judge a program against tests.' },
  args: {
    file: { type: 'positional', required: true, description: 'The program.' },
    tests: {
      type: 'string',
      required: true,
      description: 'JSON or JSON-lines file of cases, or a folder of *.in with *.ans or *.out.',
    },
    language: { type: 'string', description: 'Its language; by default from the extension.' },
    compare: { type: 'string', description: 'tokens (default), exact or lines.' },
    scoring: { type: 'string', description: 'all (default), fraction or weighted.' },
    profile: { type: 'string', description: 'Whose rules decide: strict (default), lcb, cms …' },
    ...limitArgs,
    url: { type: 'string', description: 'A running service; by default one is started.' },
    json: { type: 'boolean', description: 'Print the whole report.' },
    record: {
      type: 'string',
      description: 'File to keep request and report in, for `assay replay`.',
    },
    ...configArgs,
  },
  async run({ args }) {
    const limits = wireLimits(args);
    const tests = await readTests(args.tests);
    await using api = await openApi(args);
    const request = {
      ...(await readProgram(api, args.file, args.language)),
      tests,
      limits,
      ...(args.compare === undefined ? {} : { compare: args.compare }),
      ...(args.scoring === undefined ? {} : { scoring: args.scoring }),
      ...(args.profile === undefined ? {} : { profile: args.profile }),
    };
    const answer = expectSuccess(await api.post('/v1/judge', request));
    if (args.record !== undefined) await writeRecord(args.record, { request, report: answer });
    const report = JudgeAnswer.parse(answer);
    console.log(args.json ? JSON.stringify(answer, null, 2) : describe(report));
    process.exitCode = exitCode(report.verdict);
  },
});

function exitCode(verdict: string): number {
  if (verdict === 'fault') return EXIT.fault;
  return verdict === 'accepted' ? EXIT.ok : EXIT.notAccepted;
}

function describe(report: z.infer<typeof JudgeAnswer>): string {
  const lines = [
    `${report.verdict}  reward ${report.reward ?? 'null'}  ${report.passed}/${report.total} passed`,
  ];
  if (report.can_be_gamed) lines.push(`by the rules of ${report.profile}, which can be gamed`);
  if (report.fault !== null) lines.push(`fault: ${report.fault.message}`);
  if (report.compile?.ok === false) lines.push(report.compile.stderr);
  const notRun = report.cases.filter(({ verdict }) => verdict === 'not_run').length;
  const failed = report.cases.filter(
    ({ verdict }) => verdict !== 'accepted' && verdict !== 'not_run',
  );
  for (const { id, verdict, message } of failed.slice(0, SHOWN_CASES)) {
    lines.push(`  case ${id}: ${verdict}${message === '' ? '' : `: ${message}`}`);
  }
  if (failed.length > SHOWN_CASES) lines.push(`  and ${failed.length - SHOWN_CASES} more`);
  if (notRun > 0) lines.push(`  ${notRun} not run; see --scoring`);
  return lines.join('\n');
}
