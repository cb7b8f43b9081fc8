/** The surfaces that this service can offer to clients of others, by the names of the setting that switches them. */
import type { Hono } from 'hono';

import { SURFACES, type Surface } from '../../domain/surfaces.ts';
import type { AppEnv, HTTPDeps } from '../app-env.ts';
import { judge0Routes } from './judge0/routes.ts';
import { nemoSkillsRoutes } from './nemo-skills/routes.ts';
import { openInstructRoutes } from './open-instruct/routes.ts';
import { openRLHFRoutes, slimeRoutes } from './reward-model/routes.ts';
import { sandboxFusionRoutes } from './sandbox-fusion/routes.ts';

const ROUTES: Readonly<Record<Surface, (deps: HTTPDeps) => Hono<AppEnv>>> = {
  sandbox_fusion: sandboxFusionRoutes,
  open_instruct: openInstructRoutes,
  openrlhf: openRLHFRoutes,
  slime: slimeRoutes,
  nemo_skills: nemoSkillsRoutes,
  judge0: judge0Routes,
};

/** Those that are switched on, in the order of `SURFACES`. */
export function surfaceRoutes(deps: HTTPDeps): readonly Hono<AppEnv>[] {
  return SURFACES.filter((name) => deps.config.surfaces.includes(name)).map((name) =>
    ROUTES[name](deps),
  );
}
