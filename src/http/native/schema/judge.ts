/** The wire of a judge request: a submission with tests, and how they are compared and scored. */
import { z } from '@hono/zod-openapi';

import { SUBMISSION_BOUNDS } from '../../../domain/limits.ts';
import { enumError, notYet, strictRecord } from '../validation.ts';
import { CODE_TESTS } from './code-tests.ts';
import {
  Args,
  File,
  Files,
  LimitsRequest,
  submissionLater,
  submissionShape,
} from './submission.ts';

const KINDS_LATER = ['interactive'];
const PROFILE_NAME = /^[\w.-]{1,64}$/;

export const StdioCase = strictRecord({
  id: z.string().min(1).optional().describe('Unique among the cases. Default: its number, from 1.'),
  stdin: File.default('').describe('Standard input of this case. Default: empty.'),
  expected_stdout: File.describe('What the program should print.'),
  weight: z.number().positive().max(1e9).default(1).describe('Weight in `weighted` scoring, > 0.'),
  group: z.string().min(1).max(256).nullable().default(null).describe('Name of a group of cases.'),
  args: Args.default([]).describe("Added behind the submission's args, for this case."),
  files: Files.optional().describe(
    "Data files of this case; may replace the program's data files, not its main or compiled ones.",
  ),
  limits: LimitsRequest.optional().describe("Limits of this case; start from the submission's."),
}).openapi('StdioCase');
export type StdioCase = z.infer<typeof StdioCase>;

const StdioTests = strictRecord({
  kind: z.literal('stdio').describe('Programs that read stdin and print.'),
  cases: z
    .array(StdioCase)
    .describe(`1 … ${SUBMISSION_BOUNDS.cases} cases; an empty list is refused with \`no_tests\`.`),
}).openapi('StdioTests');

const KINDS = ['stdio', ...CODE_TESTS.map(({ shape }) => shape.kind.value)];
const laterKind = enumError(KINDS_LATER, 'kind');

const Tests = z.discriminatedUnion('kind', [StdioTests, ...CODE_TESTS], {
  error: (issue) => {
    if (issue.code !== 'invalid_union') return undefined;
    const { input } = issue;
    const kind = typeof input === 'object' && input !== null && 'kind' in input ? input.kind : null;
    return laterKind({ input: kind }) ?? `is one of ${KINDS.join(', ')}`;
  },
});

const tolerance = (text: string) => z.number().min(0).default(1e-6).describe(text);

const CompareOptions = strictRecord(
  {
    float: strictRecord({
      abs: tolerance('Largest absolute difference of two numbers. Default 1e-6.'),
      rel: tolerance('Largest difference relative to the expected number. Default 1e-6.'),
    })
      .optional()
      .describe('Tokens, where an expected number may differ a little.'),
    unordered: z
      .enum(['lines', 'tokens'])
      .optional()
      .describe('Equal as multisets of lines or of tokens.'),
  },
  { later: { checker: notYet('a checker') } },
).refine((compare) => (compare.float === undefined) !== (compare.unordered === undefined), {
  error: 'give exactly one of "float" and "unordered"',
});

export const Compare = z
  .union([z.enum(['tokens', 'exact', 'lines']), CompareOptions])
  .describe('How outputs are compared. Default: tokens, byte for byte, separated by white space.')
  .openapi('Compare');
export type Compare = z.infer<typeof Compare>;

export const JudgeRequest = strictRecord(
  {
    ...submissionShape,
    tests: Tests,
    compare: Compare.default('tokens'),
    scoring: z
      .enum(['all', 'fraction', 'weighted'], {
        error: (issue) => (hasGroups(issue.input) ? notYet('scoring by groups') : undefined),
      })
      .default('all')
      .describe(
        'Reward before `reward_range`: 1 if all passed else 0, the share passed, or the weighted share.',
      ),
    reward_range: z
      .tuple([z.number(), z.number()])
      .default([0, 1])
      .describe('Where 0 and 1 are mapped to; the first must be less than the second.'),
    stop: z
      .enum(['first_failure', 'never'], { error: enumError(['per_group'], 'stop') })
      .optional()
      .describe(
        'When to stop running cases. Default: first_failure if scoring is `all`, else never.',
      ),
    profile: z
      .literal('strict', {
        error: (issue) =>
          typeof issue.input === 'string' && PROFILE_NAME.test(issue.input)
            ? notYet(`profile "${issue.input}"`)
            : undefined,
      })
      .default('strict')
      .describe('A named grader.'),
    detail: z
      .enum(['summary', 'failures', 'full'])
      .default('failures')
      .describe(
        'summary: no cases. failures: all cases, up to 4 KiB of output of failed ones. full: all, up to 32 MiB together.',
      ),
  },
  { later: submissionLater },
);
export type JudgeRequest = z.infer<typeof JudgeRequest>;

/** What callers send: the tests, or a reference that is replaced by them (expand-testset.ts) before anything is validated. */
export const JudgeRequestDoc = JudgeRequest.partial({ tests: true })
  .extend({
    testset: z
      .string()
      .optional()
      .describe(
        'In place of `tests`: tests kept at the server, as "id/problem", "id" for a set of one problem, with "@digest" for a version.',
      ),
  })
  .openapi('JudgeRequest');

function hasGroups(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'groups' in input;
}
