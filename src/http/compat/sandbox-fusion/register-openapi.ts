/** Puts Sandbox Fusion's endpoints into the OpenAPI document. */
import { z, type OpenAPIHono } from '@hono/zod-openapi';

import { EXAMPLES } from '../../native/examples.ts';
import {
  DATASET_POSTINGS,
  DetailDoc,
  RunCodeRequestDoc,
  RunCodeResponseDoc,
  RunJupyterRequestDoc,
  RunJupyterResponseDoc,
} from './openapi.ts';

const json = (schema: z.ZodType, example?: unknown) => ({
  'application/json': example === undefined ? { schema } : { schema, example },
});
const answer = (description: string, schema: z.ZodType) => ({ description, content: json(schema) });

const ERRORS = {
  413: answer('The body is too large.', DetailDoc),
  422: answer('Not a valid request.', DetailDoc),
  504: answer('No slot within the time that the client waits: ask again.', DetailDoc),
};
const DATASET_ERRORS = {
  400: answer('Rows that cannot be judged, with the reason.', DetailDoc),
  ...ERRORS,
  500: answer('No verdict, by no fault of the program: ask again.', DetailDoc),
};

/** Lists of prompts are of rows. */
export function datasetExample(path: string): object {
  const { config, ...rest } = EXAMPLES.dataset;
  const { provided_data: row } = config;
  const isOfRows = path === '/get_prompts' || path === '/list_ids';
  return { ...rest, config: { ...config, provided_data: isOfRows ? [row] : row } };
}

export function registerSandboxFusion(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerPath({
    method: 'post',
    path: '/run_code',
    summary: "Sandbox Fusion's wire: run a program",
    description:
      'For clients of Sandbox Fusion (verl, SkyRL, ROLL and others). What went wrong for want of capacity is 504, the only status that verl tries again.',
    request: { body: { required: true, content: json(RunCodeRequestDoc, EXAMPLES.runCode) } },
    responses: {
      200: answer('Answered, whatever the program did; a fault of ours too.', RunCodeResponseDoc),
      ...ERRORS,
    },
  });
  registry.registerPath({
    method: 'post',
    path: '/run_jupyter',
    summary: "Sandbox Fusion's wire: run cells of a notebook in a fresh process",
    request: { body: { required: true, content: json(RunJupyterRequestDoc, EXAMPLES.runJupyter) } },
    responses: {
      200: answer('Answered, whatever the cells did; a fault of ours too.', RunJupyterResponseDoc),
      ...ERRORS,
    },
  });
  for (const [path, summary, request, response] of DATASET_POSTINGS) {
    registry.registerPath({
      method: 'post',
      path,
      summary: `Sandbox Fusion's wire: ${summary}`,
      request: { body: { required: true, content: json(request, datasetExample(path)) } },
      responses: { 200: answer('OK', response), ...DATASET_ERRORS },
    });
  }
  registry.registerPath({
    method: 'get',
    path: '/list_datasets',
    summary: "Sandbox Fusion's wire: the data sets that the service holds, which are none",
    responses: { 200: answer('OK', z.array(z.string())) },
  });
  registry.registerPath({
    method: 'get',
    path: '/v1/ping',
    summary: "Sandbox Fusion's wire: whether the service is there",
    responses: { 200: answer('OK', z.literal('pong')) },
  });
}
