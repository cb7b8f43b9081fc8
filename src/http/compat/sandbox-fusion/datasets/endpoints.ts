/**
 * The data-set endpoints, for rows that come with the request (`provided_data`): this service holds no data sets of its
 * own. Code of the request (`custom_extract_logic`) is never executed.
 */
import { reportFields } from '../../../../observe/submission-log.ts';
import type { AppContext, HTTPDeps } from '../../../app-env.ts';
import { createId } from '../../../middleware/request-id/request-id.ts';
import { sendJSON } from '../../../send-json.ts';
import { answerWithin, readRequest } from '../answer.ts';
import { SUBMIT_DEADLINE_MS } from '../deadline.ts';
import { BadRequest } from '../errors.ts';
import { noProgram, toEvalResult } from './eval-result.ts';
import { evaluatorOf } from './evaluate.ts';
import { classOf, kindNamed } from './kinds/all.ts';
import type { DatasetKind } from './plan.ts';
import {
  DatasetRequest,
  GetMetricsRequest,
  GetPromptByIdRequest,
  GetPromptsRequest,
  isObject,
  SubmitRequest,
  type Prompt,
  type Row,
} from './schema.ts';

export async function submit(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { request } = await readRequest(c, deps, SubmitRequest);
  const kind = kindOf(request);
  const plan = kind.plan(oneRow(request), request);
  const id = createId('jdg');
  Object.assign(c.get('logFields'), { submission_id: id, work: plan.work.kind });
  const asked = { id: request.id, plan, podName: deps.config.podName };
  const ask = await evaluatorOf(plan.work, id, deps);
  if (plan.extracted.code.trim() === '') return sendJSON(c, noProgram(asked));
  return await answerWithin(c, deps, {
    async ask(context) {
      const evaluation = await ask(context);
      Object.assign(c.get('logFields'), reportFields(evaluation.report));
      return toEvalResult(evaluation, asked);
    },
    deadlineMs: SUBMIT_DEADLINE_MS,
    toBody(result) {
      c.get('logFields')['accepted'] = result.accepted;
      return result;
    },
    // An answer that says anything at all would be taken for a verdict.
    givenUp: null,
  });
}

export async function getPrompts(c: AppContext, deps: HTTPDeps): Promise<Response> {
  return sendJSON(c, await promptsOf(c, deps));
}

export async function listIds(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const prompts = await promptsOf(c, deps);
  return sendJSON(
    c,
    prompts.map(({ id }) => id),
  );
}

async function promptsOf(c: AppContext, deps: HTTPDeps): Promise<readonly Prompt[]> {
  const { request } = await readRequest(c, deps, GetPromptsRequest);
  const kind = kindOf(request);
  const { provided_data: rows } = request.config;
  if (rows === null) throw noData(request);
  if (!Array.isArray(rows))
    throw new BadRequest('request.config.provided_data should be a list of str -> str | int');
  const from = Math.max(0, request.offset);
  const list: readonly Row[] = rows;
  return list
    .slice(from, from + Math.max(0, request.limit))
    .map((row) => kind.prompt(row, request.config));
}

export async function getPromptById(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { request } = await readRequest(c, deps, GetPromptByIdRequest);
  return sendJSON(c, kindOf(request).prompt(oneRow(request), request.config));
}

export async function getMetrics(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { request } = await readRequest(c, deps, GetMetricsRequest);
  kindOf(request);
  const total = request.results.length;
  const accepted = request.results.filter((each) => each.accepted).length;
  return sendJSON(c, { total, accepted, accuracy: total === 0 ? null : accepted / total });
}

export async function getMetricsFunction(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { request } = await readRequest(c, deps, DatasetRequest);
  kindOf(request);
  return sendJSON(c, { function: null });
}

export function listDatasets(c: AppContext): Response {
  return sendJSON(c, []);
}

function kindOf({ dataset, config }: DatasetRequest): DatasetKind {
  if (config.custom_extract_logic !== null)
    throw new BadRequest(
      'custom_extract_logic is not executed here: extract the code before you send it',
    );
  const name = classOf(dataset) ?? config.dataset_type;
  if (name === null) throw new BadRequest(`no eval class found for dataset ${shown(dataset)}`);
  const kind = kindNamed(name);
  if (kind === null) throw new BadRequest(`eval class ${shown(name)} not found`);
  return kind;
}

function oneRow(request: DatasetRequest): Row {
  const { provided_data: row } = request.config;
  if (row === null) throw noData(request);
  if (isObject(row)) return row;
  throw new BadRequest('request.config.provided_data should be a dict with str -> str | int');
}

function noData({ dataset }: DatasetRequest): BadRequest {
  return new BadRequest(
    `this service holds no data sets: provide the rows of ${shown(dataset)} in config.provided_data`,
  );
}

/** Names are short. */
function shown(name: string): string {
  return name.slice(0, 128);
}
