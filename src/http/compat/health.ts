/** `GET /health`, which several surfaces share: in the word of whichever is on, for their clients ask for no more than 200. */
import { Hono } from 'hono';

import type { Surface } from '../../domain/surfaces.ts';
import type { AppEnv, HTTPDeps } from '../app-env.ts';
import { methodNotAllowed } from '../middleware/errors/errors.ts';
import { sendJSON } from '../send-json.ts';

/** The first that is on has its way. */
const WORDS: readonly (readonly [Surface, string])[] = [
  ['open_instruct', 'healthy'],
  ['open_r1', 'ok'],
];

export function healthRoutes({ config }: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const found = WORDS.find(([surface]) => config.surfaces.includes(surface));
  if (found === undefined) return app;
  app.get('/health', (c) => sendJSON(c, { status: found[1] }));
  app.all('/health', methodNotAllowed(['GET', 'HEAD']));
  return app;
}
