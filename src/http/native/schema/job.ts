/** The wire of jobs: what is handed in beside NDJSON, and how far a job is. */
import { z } from '@hono/zod-openapi';

import { JOB_BOUNDS } from '../../../domain/limits.ts';
import { strictRecord } from '../validation.ts';
import { JudgeRequest } from './judge.ts';
import { JudgeResponse, ProblemWire } from './report.ts';
import { submissionShape } from './submission.ts';

const { language, environment, code, completion, extract, files, entry, id, labels } =
  submissionShape;
const judgeShape = JudgeRequest.shape;

const JobSample = strictRecord({
  problem: z
    .string()
    .optional()
    .describe('Its problem in the test set; may be left out where the set has one.'),
  language: language.optional(),
  environment,
  code,
  completion,
  extract,
  files,
  entry,
  id,
  labels: labels.optional(),
}).openapi('JobSample');

/** A test set and samples of it; `application/x-ndjson` takes judge requests instead, one a line. */
export const JobRequest = strictRecord({
  testset: z
    .string()
    .describe(
      'Its id, or "id@digest"; without a digest the version of this moment, for all samples.',
    ),
  samples: z.array(JobSample).min(1).describe('Each becomes an item; lines count from 1.'),
  language: language.optional().describe('Of samples that name none.'),
  limits: submissionShape.limits.optional().describe('For all samples, as for `/v1/judge`.'),
  scoring: judgeShape.scoring,
  detail: judgeShape.detail.describe('As for `/v1/judge`; `full` is cut where it is long.'),
}).openapi('JobRequest');
export type JobRequest = z.infer<typeof JobRequest>;

const time = (text: string) => z.string().nullable().describe(`${text}, RFC 3339; null before.`);

export const JobWire = z
  .strictObject({
    id: z.string(),
    state: z
      .enum(['receiving', 'running', 'done', 'cancelled'])
      .describe(
        'receiving: its items are still coming. running: they wait or are judged. done: each has a result. cancelled: what had none by then gets none.',
      ),
    total: z.number().describe('Items.'),
    done: z.number().describe('Items with a result.'),
    accepted: z.number(),
    faults: z
      .number()
      .describe('Results with the verdict `fault`, after all tries: their reward is null.'),
    rejected: z.number().describe('Results with an error: lines that are no judge requests.'),
    rate_per_s: z
      .number()
      .nullable()
      .describe('Results a second since the first item was begun; null before.'),
    created: z.string().describe('RFC 3339.'),
    started: time('When the first item was begun'),
    ended: time('When it was done or cancelled'),
  })
  .openapi('Job');
export type JobWire = z.infer<typeof JobWire>;

export const JobList = z.strictObject({ jobs: z.array(JobWire) }).openapi('JobList');

const JobResult = z
  .union([
    JudgeResponse.extend({
      line: z.number().describe('Of the request, from 1; of samples, their number.'),
      cases_left_out: z
        .literal(true)
        .optional()
        .describe('The report was long: the cases that `detail` asks for are not in it.'),
    }),
    z.strictObject({ line: z.number(), id: z.string().nullable(), error: ProblemWire }),
  ])
  .openapi('JobResult');

export const JobResults = z
  .strictObject({
    results: z
      .array(JobResult)
      .describe('As the lines of `/v1/judge/batch`, in the order in which they came.'),
    cursor: z
      .string()
      .nullable()
      .describe(
        'Where to go on; null once the job has ended and all is read. A page may be empty while items are judged.',
      ),
  })
  .openapi('JobResults');

export type JobResults = z.infer<typeof JobResults>;

/** A line of the stream. */
export const JobLine = z
  .union([JobResult, z.strictObject({ summary: JobWire })])
  .openapi('JobLine');

export const JobResultsQuery = z.object({
  cursor: z.string().optional().describe('From an earlier page. Default: the beginning.'),
  limit: z
    .string()
    .optional()
    .describe(`Results at most, 1 … ${JOB_BOUNDS.page}. Default ${JOB_BOUNDS.pageDefault}.`),
  stream: z
    .enum(['0', '1'])
    .optional()
    .describe('1: lines as they come, as with `Accept: application/x-ndjson`.'),
});
