/** The surfaces that this service can offer to clients of others, by the names of the setting that switches them. */
import type { Hono } from 'hono';

import { SURFACES, type Surface } from '../../domain/surfaces.ts';
import type { AppEnv, HTTPDeps } from '../app-env.ts';
import { healthRoutes } from './health.ts';
import { judge0Routes } from './judge0/routes.ts';
import { nemoSkillsRoutes } from './nemo-skills/routes.ts';
import { openInstructRoutes } from './open-instruct/routes.ts';
import { openRLHFRoutes, slimeRoutes } from './reward-model/routes.ts';
import { openR1Routes } from './open-r1/routes.ts';
import { pistonRoutes } from './piston/routes.ts';
import { sandboxFusionRoutes } from './sandbox-fusion/routes.ts';

const ROUTES: Readonly<Record<Surface, (deps: HTTPDeps) => Hono<AppEnv>>> = {
  sandbox_fusion: sandboxFusionRoutes,
  piston: pistonRoutes,
  open_r1: openR1Routes,
  open_instruct: openInstructRoutes,
  openrlhf: openRLHFRoutes,
  slime: slimeRoutes,
  nemo_skills: nemoSkillsRoutes,
  judge0: judge0Routes,
};

interface SurfaceRoutes {
  readonly surface: string;
  readonly routes: Hono<AppEnv>;
}

/** Those that are switched on, in the order of `SURFACES`, after what they share. */
export function surfaceRoutes(deps: HTTPDeps): readonly SurfaceRoutes[] {
  const on = SURFACES.filter((name) => deps.config.surfaces.includes(name));
  return [
    { surface: 'own', routes: healthRoutes(deps) },
    ...on.map((surface) => ({ surface, routes: ROUTES[surface](deps) })),
  ];
}
