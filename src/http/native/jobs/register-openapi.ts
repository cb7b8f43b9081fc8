/** The endpoints of jobs in the OpenAPI document. */
import { z, type OpenAPIHono } from '@hono/zod-openapi';

import { EXAMPLES } from '../examples.ts';
import {
  JobLine,
  JobList,
  JobRequest,
  JobResults,
  JobResultsQuery,
  JobWire,
} from '../schema/job.ts';
import { JudgeRequestDoc } from '../schema/judge.ts';

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const PATH = '/v1/jobs';

/** `problems`: the answers that all endpoints have in common. */
export function registerJobs(registry: OpenAPIHono['openAPIRegistry'], problems: object): void {
  const params = z.object({ id: z.string() });
  const ok = (schema: z.ZodType) => ({
    200: { description: 'OK', content: json(schema) },
    ...problems,
  });
  registry.registerPath({
    method: 'post',
    path: PATH,
    summary: 'Hand in a large batch that is judged while its caller is away',
    description:
      'Judge requests, one a line, or a test set and samples of it. Answers when all are kept; from then on they survive a crash. Each item is judged once in what is counted; a fault is tried again twice. Whoever waits for an answer elsewhere goes first.',
    request: {
      body: {
        required: true,
        content: {
          ...json(JobRequest),
          'application/x-ndjson': { schema: JudgeRequestDoc, example: EXAMPLES.judge },
        },
      },
    },
    responses: {
      ...problems,
      202: { description: 'Kept; `Location` is its address.', content: json(JobWire) },
    },
  });
  registry.registerPath({
    method: 'get',
    path: PATH,
    summary: 'Your jobs, newest first',
    responses: ok(JobList),
  });
  registry.registerPath({
    method: 'get',
    path: `${PATH}/{id}`,
    summary: 'How far a job is',
    request: { params },
    responses: ok(JobWire),
  });
  registry.registerPath({
    method: 'get',
    path: `${PATH}/{id}/results`,
    summary: 'The results of a job, in pages, or as lines as they come',
    description:
      'With Accept: application/x-ndjson, or `stream=1`, lines until the job ends and then `{"summary": …}`, its state; a stream without it was cut.',
    request: { params, query: JobResultsQuery },
    responses: {
      ...problems,
      200: {
        description: 'OK',
        content: { ...json(JobResults), 'application/x-ndjson': { schema: JobLine } },
      },
    },
  });
  registry.registerPath({
    method: 'post',
    path: `${PATH}/{id}/cancel`,
    summary: 'Stop a job; the results that are there stay',
    request: { params },
    responses: ok(JobWire),
  });
  registry.registerPath({
    method: 'delete',
    path: `${PATH}/{id}`,
    summary: 'Stop a job and forget it with its results',
    request: { params },
    responses: { 204: { description: 'Gone.' }, ...problems },
  });
}
