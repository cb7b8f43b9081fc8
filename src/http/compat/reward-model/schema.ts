/** The wires of remote reward models: OpenRLHF's lists of one, slime's single sample; and the settings in their URLs. */
import { z } from '@hono/zod-openapi';

import { RewardEnvelope } from '../../native/schema/reward.ts';
import { parseWith } from '../../native/validation.ts';

/** Samples of one request; OpenRLHF sends one. */
const SAMPLES_MAX = 1000;

const Texts = z.array(z.string()).min(1).max(SAMPLES_MAX);

export const GetRewardRequest = z
  .looseObject({
    query: Texts.describe('Prompts with their answers, as the model saw them.'),
    prompts: Texts.describe('The prompts alone, in the same places.'),
    labels: z
      .array(z.unknown())
      .min(1)
      .max(SAMPLES_MAX)
      .describe(
        'The tests, in the same places: a row of a data set, a list of tests, or {"testset": …} or {"tests": …} as for /v1/judge; each may be JSON text.',
      ),
  })
  .openapi('GetRewardRequest');
export type GetRewardRequest = z.infer<typeof GetRewardRequest>;

const numbers = z.array(z.number());

export const GetRewardResponse = z
  .strictObject({
    rewards: numbers.describe('In the places of `query`; never null, since a fault is a 5xx.'),
    scores: numbers.describe('The rewards as 0 … 1, for filters.'),
    extra_logs: z.strictObject({ passed: numbers, total: numbers, fraction: numbers }),
  })
  .openapi('GetRewardResponse');
export type GetRewardResponse = z.infer<typeof GetRewardResponse>;

export const RemoteRMRequest = z
  .looseObject({
    prompt: z.unknown().optional().describe('Not looked at.'),
    response: z.string().describe("The model's answer."),
    label: z.unknown().describe('As one of the `labels` of /get_reward.'),
  })
  .openapi('RemoteRMRequest');
export type RemoteRMRequest = z.infer<typeof RemoteRMRequest>;

const RemoteRMObject = z.strictObject({
  reward: z.number(),
  score: z.number(),
  passed: z.number(),
  total: z.number(),
  fraction: z.number(),
  verdict: z.string(),
});
export const RemoteRMResponse = z
  .union([z.number(), RemoteRMObject])
  .describe('The reward; with ?answer=object an object, for --reward-key reward.')
  .openapi('RemoteRMResponse');
export type RemoteRMObject = z.infer<typeof RemoteRMObject>;

const GivenSettings = RewardEnvelope.pick({
  dataset: true,
  language: true,
  environment: true,
  scoring: true,
  reward_range: true,
  stop: true,
  profile: true,
});

export interface Settings {
  /** With the defaults. */
  readonly ofRows: RewardEnvelope;
  /** What the URL gives, for problems that may say the same themselves. */
  readonly ofProblems: Readonly<Record<string, unknown>>;
}

/** Settings of `/v1/reward` in the query of the URL that the trainer is given, as `?dataset=taco&reward_range=-1,1`. */
export function parseSettings(query: Readonly<Record<string, string>>): Settings {
  const { dataset, reward_range: range, ...rest } = query;
  const ofProblems = range === undefined ? rest : { ...rest, reward_range: toNumbers(range) };
  const given = dataset === undefined ? ofProblems : { ...ofProblems, dataset };
  parseWith(GivenSettings, given);
  return { ofRows: parseWith(RewardEnvelope, given), ofProblems };
}

/** What is no number stays text, which the schema refuses. */
function toNumbers(text: string): (number | string)[] {
  return text.split(',').map((each) => (/^\s*[+-]?[\d.]+\s*$/.test(each) ? Number(each) : each));
}
