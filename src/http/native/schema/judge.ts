/** The wire of a judge request: a submission with tests, and how they are compared and scored. */
import { z } from '@hono/zod-openapi';

import { SUBMISSION_BOUNDS } from '../../../domain/limits.ts';
import { profileOf } from '../../../domain/profile.ts';
import { PROFILE_NAMES } from '../../../domain/profiles.ts';
import { strictRecord } from '../validation.ts';
import { Checker, Grader, Interactor, Manager } from './problem-program.ts';
import { CODE_TESTS } from './code-tests.ts';
import { Args, File, Files, LimitsRequest, submissionShape } from './submission.ts';

const GroupName = z.string().min(1).max(256);

export const StdioCase = strictRecord({
  id: z.string().min(1).optional().describe('Unique among the cases. Default: its number, from 1.'),
  stdin: File.default('').describe('Standard input of this case. Default: empty.'),
  expected_stdout: File.describe('What the program should print.'),
  weight: z.number().positive().max(1e9).default(1).describe('Weight in `weighted` scoring, > 0.'),
  group: GroupName.nullable().default(null).describe('Name of a group of cases.'),
  args: Args.default([]).describe("Added behind the submission's args, for this case."),
  files: Files.optional().describe(
    "Data files of this case; may replace the program's data files, not its main or compiled ones.",
  ),
  limits: LimitsRequest.optional().describe("Limits of this case; start from the submission's."),
}).openapi('StdioCase');
export type StdioCase = z.infer<typeof StdioCase>;

const cases = `1 … ${SUBMISSION_BOUNDS.cases} cases; an empty list is refused with \`no_tests\`.`;

const StdioTests = strictRecord({
  kind: z.literal('stdio').describe('Programs that read stdin and print.'),
  cases: z.array(StdioCase).describe(cases),
}).openapi('StdioTests');

// Not an extension, which JSON Schema would take for both: neither allows the other's fields.
export const InteractiveCase = strictRecord({
  ...StdioCase.shape,
  stdin: File.default('').describe("The interactor's input; the program does not see it."),
  expected_stdout: File.default('').describe("The interactor's answer file. Default: empty."),
}).openapi('InteractiveCase');

const InteractiveTests = strictRecord({
  kind: z.literal('interactive').describe('Programs that talk with an interactor.'),
  interactor: Interactor.describe(
    'Judges the program by talking with it. With a checker in `compare`, that judges what it wrote to its second argument.',
  ),
  cases: z.array(InteractiveCase).describe(cases),
}).openapi('InteractiveTests');

const TwoStepTests = strictRecord({
  kind: z
    .literal('two_step')
    .describe(
      'Programs that run twice on a case, each time anew: with the argument 0 on `stdin`, then with the argument 1 on what came of it. The second output is judged.',
    ),
  manager: Manager.optional().describe(
    "Judges and changes what is between the runs. Default: the first run's output is the second one's input.",
  ),
  cases: z.array(StdioCase).describe(cases),
}).openapi('TwoStepTests');

const OutputTests = strictRecord({
  kind: z
    .literal('output_only')
    .describe(
      'Outputs that are handed in (`outputs`, or one text as `code` or `completion` where there is one case); nothing is executed. `language` is "text".',
    ),
  cases: z.array(StdioCase).describe(cases),
}).openapi('OutputTests');

const KINDS = [
  ...['stdio', 'interactive', 'two_step', 'output_only'],
  ...CODE_TESTS.map(({ shape }) => shape.kind.value),
];

const Tests = z.discriminatedUnion(
  'kind',
  [StdioTests, InteractiveTests, TwoStepTests, OutputTests, ...CODE_TESTS],
  {
    error: ({ code }) => (code === 'invalid_union' ? `is one of ${KINDS.join(', ')}` : undefined),
  },
);

const tolerance = (text: string) => z.number().min(0).default(1e-6).describe(text);

const ignoreCase = z
  .boolean()
  .default(false)
  .describe('Whether a and A are the same, of ASCII letters. Default: no.');

const CompareOptions = strictRecord({
  tokens: strictRecord({ ignore_case: ignoreCase })
    .optional()
    .describe('As "tokens", with options.'),
  float: strictRecord({
    abs: tolerance('Largest absolute difference of two numbers. Default 1e-6.'),
    rel: tolerance('Largest difference relative to the expected number. Default 1e-6.'),
    ignore_case: ignoreCase,
  })
    .optional()
    .describe('Tokens, where an expected number may differ a little.'),
  unordered: z
    .enum(['lines', 'tokens'])
    .optional()
    .describe('Equal as multisets of lines or of tokens.'),
  checker: Checker.optional().describe('A program that judges each output, in a jail of its own.'),
}).refine((compare) => Object.values(compare).filter((each) => each !== undefined).length === 1, {
  error: 'give exactly one of "tokens", "float", "unordered" and "checker"',
});

export const Compare = z
  .union([z.enum(['tokens', 'exact', 'lines']), CompareOptions])
  .describe(
    "How outputs are compared. Default: the profile's way, in `strict` tokens: byte for byte, separated by white space.",
  )
  .openapi('Compare');
export type Compare = z.infer<typeof Compare>;

const Group = strictRecord({
  points: z.number().positive().max(1e9).describe('What the group is worth, > 0.'),
  rule: z
    .enum(['sum', 'min', 'product', 'threshold'])
    .describe(
      'Points × the mean score by weight, × the least score, × the product; or all points where each score is above 0 and at most `threshold`, else none.',
    ),
  threshold: z.number().positive().max(1).optional().describe('Of rule threshold, 0 < … ≤ 1.'),
}).openapi('GroupRule');
export type GroupWire = z.infer<typeof Group>;

const Scoring = z
  .union([
    z.enum(['all', 'fraction', 'weighted']),
    strictRecord({
      groups: z
        .record(GroupName, Group)
        .describe('By name. Every case belongs to one of them; none is empty.'),
    }),
  ])
  .describe(
    'Default: as the profile has it, in `strict` all. Reward before `reward_range`: 1 if all passed else 0, the share won, the share by weight, or the points of groups by all points.',
  )
  .openapi('Scoring');

const gamed = PROFILE_NAMES.filter((name) => profileOf(name).canBeGamed);

const Profile = z
  .enum(PROFILE_NAMES, { error: () => `is one of ${PROFILE_NAMES.join(', ')}` })
  .describe(
    `Whose rules decide: comparison, exit codes, limits, scoring and stop, unless the request gives its own. Only \`strict\` and those that are not named here are meant to reward right programs alone; can be gamed: ${gamed.join(', ')}. docs/profiles.md tells each one's rules.`,
  )
  .openapi('Profile');

export const JudgeRequest = strictRecord({
  ...submissionShape,
  tests: Tests,
  outputs: z
    .record(z.string(), File)
    .optional()
    .describe(
      'In place of a program, for tests of the kind `output_only`: case id → output. A case without one is not accepted.',
    ),
  graders: z
    .record(z.string().min(1).max(64), Grader)
    .optional()
    .describe(
      'By language: what a program of that language is built with. Languages that are not named are refused.',
    ),
  compare: Compare.optional(),
  scoring: Scoring.optional(),
  reward_range: z
    .tuple([z.number(), z.number()])
    .default([0, 1])
    .describe('Where 0 and 1 are mapped to; the first must be less than the second.'),
  stop: z
    .enum(['first_failure', 'per_group', 'never'])
    .optional()
    .describe(
      "When to stop running cases; per_group leaves out a group's cases once they cannot change its points. Default: as the profile has it; in `strict`, and where `scoring` is given, first_failure if that is `all`, else never.",
    ),
  profile: Profile.default('strict'),
  detail: z
    .enum(['summary', 'failures', 'full'])
    .default('failures')
    .describe(
      'summary: no cases. failures: all cases, up to 4 KiB of output of failed ones. full: all, up to 32 MiB together.',
    ),
});
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
