/** The paths of OpenRLHF's and slime's remote reward models. Thin adapters; errors are the native API's. */
import { Hono } from 'hono';

import { Rejection } from '../../../domain/errors.ts';
import { parseExactNumbers } from '../../../lib/exact-numbers.ts';
import { inParallel } from '../../../lib/in-parallel.ts';
import { reportFields } from '../../../observe/submission-log.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import { knownCaller, serving } from '../../middleware/caller/caller.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { placesAt } from '../../middleware/body/places.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { methodNotAllowed } from '../../middleware/errors/errors.ts';
import { parseWith } from '../../native/validation.ts';
import { sendJSON } from '../../send-json.ts';
import { completionIn } from './completion.ts';
import { judgeSample, type Judged, type Sample } from './judge.ts';
import {
  GetRewardRequest,
  parseSettings,
  RemoteRMRequest,
  type GetRewardResponse,
  type Settings,
  type RemoteRMObject,
} from './schema.ts';

/** Nobody judges by a prompt, and to both clients a refusal is the end of their step. */
const OF_MODELS = placesAt('query.*', 'prompts.*', 'response', 'prompt', 'prompt.**');

/** What each client waits in all, less a margin, ms: its time-outs are of the whole exchange. */
const OPENRLHF_MS = 170_000;
const SLIME_MS = 110_000;
/** Samples of one request that are judged at once. */
const AT_ONCE = 64;

export function openRLHFRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use('/get_reward', knownCaller(deps));
  app.post('/get_reward', (c) => getReward(c, serving(c, deps)));
  app.all('/get_reward', methodNotAllowed(['POST']));
  return app;
}

export function slimeRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use('/remote_rm', knownCaller(deps));
  app.post('/remote_rm', (c) => remoteRM(c, serving(c, deps)));
  app.all('/remote_rm', methodNotAllowed(['POST']));
  return app;
}

async function getReward(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const settings = parseSettings(c.req.query());
  using body = await readBody(c, deps);
  const { query, prompts, labels } = parseWith(GetRewardRequest, parseJSON(body.take(), OF_MODELS));
  for (const [name, list] of Object.entries({ prompts, labels })) {
    if (list.length === query.length) continue;
    const message = `has ${list.length} items, query has ${query.length}`;
    throw new Rejection('invalid', {
      detail: `${name}: ${message}`,
      errors: [{ path: name, message }],
    });
  }
  const samples = query.map((text, index): Sample => ({
    completion: completionIn(text, prompts[index] ?? '', `query[${index}]`),
    label: labels[index],
    path: `labels[${index}]`,
  }));
  const context = contextOf(c, deps, { settings, waitMs: OPENRLHF_MS });
  const judged = await inParallel(samples, {
    most: AT_ONCE,
    work: (sample) => judgeSample(sample, context),
  });
  const [first] = judged;
  if (judged.length === 1 && first !== undefined)
    Object.assign(c.get('logFields'), reportFields(first.report));
  return sendJSON(c, toGetReward(judged));
}

function toGetReward(judged: readonly Judged[]): GetRewardResponse {
  return {
    rewards: judged.map(({ reward }) => reward),
    scores: judged.map(({ score }) => score),
    extra_logs: {
      passed: judged.map(({ report }) => report.passed),
      total: judged.map(({ report }) => report.total),
      fraction: judged.map(({ report }) => report.fraction),
    },
  };
}

async function remoteRM(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { answer = 'number', ...query } = c.req.query();
  if (answer !== 'number' && answer !== 'object') {
    const message = 'is number or object';
    throw new Rejection('invalid', {
      detail: `answer: ${message}`,
      errors: [{ path: 'answer', message }],
    });
  }
  const settings = parseSettings(query);
  using body = await readBody(c, deps);
  const bytes = body.take();
  const { response, label } = parseWith(RemoteRMRequest, parseJSON(bytes, OF_MODELS));
  const context = contextOf(c, deps, { settings, waitMs: SLIME_MS });
  const judged = await judgeSample(
    {
      completion: response,
      label: typeof label === 'string' ? label : exactly(bytes, 'label'),
      path: 'label',
    },
    context,
  );
  Object.assign(c.get('logFields'), reportFields(judged.report));
  return sendJSON(c, answer === 'number' ? judged.reward : toObject(judged));
}

/** A field of a body that was valid, with its numbers as they are written: 1.0 is not 1 in the tests of a row. */
function exactly(bytes: Uint8Array, name: string): unknown {
  const body = parseExactNumbers(new TextDecoder().decode(bytes));
  return typeof body === 'object' && body !== null
    ? Object.entries(body).find(([key]) => key === name)?.[1]
    : undefined;
}

function toObject({ reward, score, report }: Judged): RemoteRMObject {
  const { passed, total, fraction, verdict } = report;
  return { reward, score, passed, total, fraction, verdict };
}

function contextOf(
  c: AppContext,
  deps: HTTPDeps,
  { settings, waitMs }: { settings: Settings; waitMs: number },
) {
  return { deps, settings, signal: c.req.raw.signal, deadlineAt: deps.clock.now() + waitMs };
}
