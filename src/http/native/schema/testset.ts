/** The wire of test sets: what is registered, and what is told of them. */
import { z } from '@hono/zod-openapi';

import { PROBLEM_ID_MAX, TESTSET_ID } from '../../../judge/testsets/reference.ts';
import { strictRecord } from '../validation.ts';
import { ProblemWire } from './report.ts';
import { File } from './submission.ts';
import { orNull } from '../../schema-words.ts';

const PROBLEMS_MAX = 20_000;
const TRIALS_MAX = 32;

const Trial = strictRecord({
  name: z
    .string()
    .min(1)
    .max(PROBLEM_ID_MAX)
    .optional()
    .describe('For messages. Default: its number.'),
  language: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe("Default: the problem's `language`, which is then required."),
  code: z.string().optional().describe('A whole program.'),
  outputs: z
    .record(z.string(), File)
    .optional()
    .describe('In its place where outputs are handed in: case id → output.'),
})
  .refine(({ code, outputs }) => (code === undefined) !== (outputs === undefined), {
    error: 'give exactly one of "code" and "outputs"',
  })
  .openapi('Trial');

const field = z.unknown().optional();

/** Fields of a judge request that belong to a problem and not to who solves it; validated as such a request. */
const problemShape = {
  tests: field,
  graders: field,
  compare: field,
  scoring: field,
  reward_range: field,
  stop: field,
  profile: field,
  limits: field,
  files: field,
  args: field,
  env: field,
  environment: field,
  language: field,
};
export const PROBLEM_FIELDS = [
  'tests',
  'graders',
  'compare',
  'scoring',
  'reward_range',
  'stop',
  'profile',
  'limits',
  'files',
  'args',
  'env',
  'environment',
  'language',
] as const satisfies readonly (keyof typeof problemShape)[];

const Problem = strictRecord({
  id: z.string().describe('Unique in the set, for example "HumanEval/0".'),
  references: z
    .array(Trial)
    .max(TRIALS_MAX)
    .default([])
    .describe(
      'Right programs. They must pass, every time; without any the problem stays unproved.',
    ),
  controls: z
    .array(Trial)
    .max(TRIALS_MAX)
    .default([])
    .describe('Wrong programs of yours, tried beside those that every problem is tried with.'),
  ...problemShape,
})
  .describe(
    'Beside these: the fields of a judge request that make the problem (tests, compare, …).',
  )
  .openapi('TestsetProblem');
export type Problem = z.infer<typeof Problem>;

const CalibrationOptions = strictRecord({
  runs: z
    .int()
    .min(1)
    .max(200)
    .default(20)
    .describe('How often the references of a problem are run, in all; two hash seeds in turn.'),
  controls: z.boolean().default(true).describe('Whether wrong programs are tried.'),
});

export const TestsetRequest = strictRecord({
  id: z
    .string()
    .regex(TESTSET_ID, { error: 'letters, digits, ".", "_" and "-", at most 100' })
    .describe('Name of the set. An id that is taken gets a new version.'),
  hidden: z
    .boolean()
    .default(true)
    .describe('Whether reports keep the tests to themselves: no expected values, no test code.'),
  problems: z.array(Problem).min(1).max(PROBLEMS_MAX),
  calibrate: CalibrationOptions.prefault({}).describe('How thoroughly problems are tried.'),
  partial: z
    .boolean()
    .default(false)
    .describe(
      'Register the problems that hold, and leave out those that do not. Default: all or none.',
    ),
}).openapi('TestsetRequest');
export type TestsetRequest = z.infer<typeof TestsetRequest>;

const Calibration = z
  .object({
    mode: z.string().nullable().describe('Strictest mode in which the references pass.'),
    references: z.int(),
    runs: z.int(),
    controls: z.int(),
    cpu_ms_max: z.number(),
  })
  .openapi('Calibration');

/** Whether anything showed that a right program passes, and if not, what that means. */
const proof = {
  calibrated: z.boolean().describe('Whether its references passed, as often as was asked for.'),
  warning: z.string().nullable().describe('Why it is not; null otherwise.'),
};

const ProblemReport = z
  .object({
    id: z.string(),
    accepted: z.boolean(),
    reason: z.string().nullable().describe('Why it was refused.'),
    ...proof,
    calibration: orNull(Calibration),
  })
  .openapi('TestsetProblemReport');

const Summary = z
  .object({
    id: z.string(),
    digest: z.string().describe('`sha256:…` of the newest version.'),
    hidden: z.boolean(),
    problems: z.int(),
    versions: z.array(z.object({ digest: z.string(), registered: z.string() })),
  })
  .openapi('TestsetSummary');

export const TestsetReport = Summary.extend({ results: z.array(ProblemReport) }).openapi(
  'TestsetReport',
);
/** A line of the answer that tells how the registration goes on. */
export const TestsetLine = z
  .union([
    ProblemReport,
    z.object({
      summary: z.object({
        problems: z.int(),
        accepted: z.int(),
        refused: z.int(),
        testset: orNull(Summary).describe('Null where nothing was registered.'),
        error: orNull(ProblemWire).describe('Why nothing was, with its status.'),
      }),
    }),
  ])
  .openapi('TestsetLine');
export const TestsetDescription = Summary.extend({
  results: z.array(z.object({ id: z.string(), ...proof, calibration: Calibration })),
}).openapi('TestsetDescription');
export const TestsetList = z.object({ testsets: z.array(Summary) }).openapi('TestsetList');
