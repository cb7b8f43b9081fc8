/** The wire of a request for rewards: rows as trainers hold them, and what models answered to them. */
import { z } from '@hono/zod-openapi';

import { schemaNames } from '../../../datasets/to-problem.ts';
import { REJECTION_CODES } from '../../../domain/errors.ts';
import { REWARD_BOUNDS } from '../../../domain/limits.ts';
import { strictRecord } from '../validation.ts';
import { JudgeRequest } from './judge.ts';
import { JudgeResponse } from './report.ts';
import { submissionShape } from './submission.ts';

export const RewardItem = strictRecord({
  id: submissionShape.id,
  row: z
    .record(z.string(), z.unknown())
    .describe('The row of the data set, with the fields that it has there.'),
  completion: z.string().optional().describe("A model's whole answer; gives one reward."),
  completions: z
    .array(z.string())
    .optional()
    .describe('Several answers to the same row; give a list of rewards.'),
})
  .refine((item) => (item.completion === undefined) !== (item.completions === undefined), {
    error: 'give exactly one of "completion" and "completions"',
  })
  .openapi('RewardItem');
export type RewardItem = z.infer<typeof RewardItem>;

const judgeShape = JudgeRequest.shape;

/** Everything but the items, which are validated a part at a time. */
export const RewardEnvelope = strictRecord({
  dataset: z
    .enum(['auto', ...schemaNames()])
    .default('auto')
    .describe("The data set that the rows are of. Default: by each row's fields."),
  language: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe("For all rows, whatever they say. Default: the row's; required where it has none."),
  environment: submissionShape.environment,
  extract: submissionShape.extract,
  scoring: z
    .enum(['all', 'fraction', 'weighted'])
    .optional()
    .describe("As for `/v1/judge`. Default: the row's points where it has any, else all."),
  reward_range: judgeShape.reward_range,
  stop: judgeShape.stop,
  profile: judgeShape.profile,
  detail: z
    .enum(['summary', 'failures', 'full'])
    .default('summary')
    .describe('What reports show of cases, as for `/v1/judge`. Default: summary, no cases.'),
  limits: submissionShape.limits.describe("Win over the row's own, one by one."),
  warm: submissionShape.warm,
  priority: submissionShape.priority,
  cache: submissionShape.cache,
  deadline_ms: submissionShape.deadline_ms.describe(
    'What is not judged within this many ms, queueing included, has the reward null. Default: none.',
  ),
});
export type RewardEnvelope = z.infer<typeof RewardEnvelope>;

/** What callers send. */
export const RewardRequestDoc = RewardEnvelope.extend({
  items: z
    .array(RewardItem)
    .max(REWARD_BOUNDS.items)
    .describe(
      `At most ${REWARD_BOUNDS.items}, with ${REWARD_BOUNDS.completions} completions in all.`,
    ),
}).openapi('RewardRequest');

const Judged = z
  .strictObject({
    ...JudgeResponse.shape,
    dataset: z.string().describe('What the row was taken for.'),
    notes: z.array(z.string()).describe('What a reader of the reward should know of the row.'),
    cases_left_out: z
      .boolean()
      .describe('The answer was full: the cases that `detail` asks for are not in it.'),
  })
  .openapi('RewardReport');

const Unjudged = z
  .strictObject({
    id: z.string(),
    reward: z.null(),
    error: z.strictObject({
      code: z.enum([...REJECTION_CODES, 'unsupported', 'fault']),
      path: z.string().describe('In the row where that is to blame; "" for all of it.'),
      reason: z.string(),
      retryable: z.boolean().describe('Whether the same may succeed later.'),
    }),
  })
  .describe('No reward, and why: the row is no problem, or it could not be judged.')
  .openapi('RewardError');

export const RewardResult = z.union([Judged, Unjudged]);
export type RewardResult = z.infer<typeof RewardResult>;
export type RewardError = z.infer<typeof Unjudged>['error'];

const reward = z
  .number()
  .nullable()
  .describe("Null for faults and refused rows, which are not the model's.");

export const RewardResponse = z
  .strictObject({
    rewards: z
      .array(z.union([reward, z.array(reward)]))
      .describe('For each item; a list where it has `completions`.'),
    results: z
      .array(z.union([RewardResult, z.array(RewardResult)]))
      .describe('In the same places.'),
    summary: z.strictObject({
      completions: z.number(),
      judged: z.number().describe('With a report, faults included.'),
      rejected: z.number().describe('With an error.'),
      faults: z.number().describe('Reports with the verdict `fault`.'),
    }),
  })
  .openapi('RewardResponse');
export type RewardResponse = z.infer<typeof RewardResponse>;

export const RewardLine = z
  .union([
    z.strictObject({
      item: z.number().describe('Index among the items, from 0.'),
      completion: z
        .number()
        .nullable()
        .describe('Index among its `completions`; null for a single one.'),
      reward,
      result: RewardResult,
    }),
    z.strictObject({ summary: RewardResponse.shape.summary }),
  ])
  .openapi('RewardLine');
