/** `GET /health`, which several surfaces share: as the first of them that is on has it. All their clients look for is a 200. */
import { Hono } from 'hono';

import type { Surface } from '../../domain/surfaces.ts';
import type { AppEnv, HTTPDeps } from '../app-env.ts';
import { methodNotAllowed } from '../middleware/errors/errors.ts';
import { sendJSON } from '../send-json.ts';

/** The first that is on says how. */
export const HEALTH_SURFACES = [
  'nemo_skills',
  'open_instruct',
  'open_r1',
] as const satisfies readonly Surface[];

export function healthRoutes({ config }: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const answers = {
    nemo_skills: { status: 'healthy', worker: config.podName ?? 'assay' },
    open_instruct: { status: 'healthy' },
    open_r1: { status: 'ok' },
  };
  const found = HEALTH_SURFACES.find((surface) => config.surfaces.includes(surface));
  if (found === undefined) return app;
  const answer = answers[found];
  app.get('/health', (c) => sendJSON(c, answer));
  app.all('/health', methodNotAllowed(['GET', 'HEAD']));
  return app;
}
