/** Sandbox Fusion's paths, as its clients call them. A thin adapter: no features of its own. */
import { Hono } from 'hono';

import type { AppEnv, HTTPDeps } from '../../app-env.ts';
import { knownCaller } from '../../middleware/caller/caller.ts';
import { logUnknown, methodNotAllowed } from '../../middleware/errors/errors.ts';
import { sendJSON } from '../../send-json.ts';
import { serve, type Endpoint } from './answer.ts';
import {
  getMetrics,
  getMetricsFunction,
  getPromptById,
  getPrompts,
  listDatasets,
  listIds,
  submit,
} from './datasets/endpoints.ts';
import { runJupyter } from './jupyter/run-jupyter.ts';
import { jupyterError } from './jupyter/translate.ts';
import { sendBody } from '../send-body.ts';
import { toSurfaceError } from './errors.ts';
import { runCode } from './run-code.ts';
import { sandboxError } from './translate.ts';

/** The path itself, the SDK's base, and what a client makes that appends the path to a full URL. */
const RUN_CODE_PATHS = ['/run_code', '/faas/sandbox/run_code', '/run_code/run_code'];
const RUN_JUPYTER_PATHS = ['/run_jupyter', '/faas/sandbox/run_jupyter'];

export function sandboxFusionRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const { paths, endpoint } of postings(deps)) {
    for (const path of paths) {
      app.use(path, knownCaller(deps));
      app.post(path, (c) => serve(c, deps, endpoint));
      app.all(path, methodNotAllowed(['POST']));
    }
  }
  app.use('/list_datasets', knownCaller(deps));
  app.get('/list_datasets', (c) => listDatasets(c));
  app.all('/list_datasets', methodNotAllowed(['GET', 'HEAD']));
  app.get('/v1/ping', (c) => sendJSON(c, 'pong'));
  app.all('/v1/ping', methodNotAllowed(['GET', 'HEAD']));
  app.onError((error, c) => {
    logUnknown(c, error, deps);
    return sendBody(c, toSurfaceError(error, datasetError));
  });
  return app;
}

const DATASET_HANDLERS: Readonly<Record<string, Endpoint['handle']>> = {
  '/submit': submit,
  '/get_prompts': getPrompts,
  '/get_prompt_by_id': getPromptById,
  '/list_ids': listIds,
  '/get_metrics': getMetrics,
  '/get_metrics_function': getMetricsFunction,
};

/** No result at all, so that no client takes it for a failed program; the SDK asks again. */
const datasetError: Endpoint['toNoVerdict'] = (message) => ({
  status: 500,
  body: { detail: `failed to request sandbox: ${message}` },
});

interface Posting {
  readonly paths: readonly string[];
  readonly endpoint: Endpoint;
}

function postings({ config: { podName } }: HTTPDeps): readonly Posting[] {
  return [
    {
      paths: RUN_CODE_PATHS,
      endpoint: {
        handle: runCode,
        toNoVerdict: (message) => ({ status: 200, body: sandboxError(message, podName) }),
      },
    },
    {
      paths: RUN_JUPYTER_PATHS,
      endpoint: {
        handle: runJupyter,
        toNoVerdict: (message) => ({ status: 200, body: jupyterError(message, podName) }),
      },
    },
    ...Object.entries(DATASET_HANDLERS).map(([path, handle]) => ({
      paths: [path],
      endpoint: { handle, toNoVerdict: datasetError },
    })),
  ];
}
