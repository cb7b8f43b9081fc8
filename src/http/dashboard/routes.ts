/** `GET /dashboard`: how the service fares, live, for people. `/dashboard/data` is the page's own and may change with it. */
import { Hono } from 'hono';

import type { LanguageInfo } from '../../judge/door.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../app-env.ts';
import { callerIn, knownCaller, onlyOperators } from '../middleware/caller/caller.ts';
import { methodNotAllowed } from '../middleware/errors/errors.ts';
import { statsToWire } from '../native/stats-to-wire.ts';
import { sendJSON } from '../send-json.ts';
import { staticFile } from '../static-file.ts';

const FILES = {
  '/dashboard': 'page.html',
  '/dashboard/page.css': 'page.css',
  '/dashboard/page.js': 'page.js',
  '/dashboard/chart.js': 'chart.js',
  '/dashboard/figures.js': 'figures.js',
};

export function dashboardRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const [path, name] of Object.entries(FILES)) {
    app.get(path, staticFile(new URL(name, import.meta.url)));
    app.all(path, methodNotAllowed(['GET', 'HEAD']));
  }
  app.use('/dashboard/data', knownCaller(deps), onlyOperators());
  app.get('/dashboard/data', (c) => sendJSON(c, dashboardData(c, deps)));
  app.all('/dashboard/data', methodNotAllowed(['GET', 'HEAD']));
  return app;
}

function dashboardData(c: AppContext, { service, observed, clock, sessions }: HTTPDeps) {
  const { service: version, walls, cgroup } = service.capabilities();
  return {
    now_ms: clock.now(),
    version,
    wall: walls[0]?.wall ?? null,
    cgroup,
    readiness: service.readiness(),
    stats: statsToWire(service.stats(), callerIn(c).stats(), sessions.stats()),
    languages: service.languages().map(languageData),
    ...observed.summary(),
  };
}

/** What is served, and of what is not, why. */
function languageData({ title, version, available, reason, environments }: LanguageInfo) {
  const missing = environments
    .filter((each) => !each.available)
    .map((each) => ({ title: each.title, reason: each.reason }));
  return { title, version, available, reason, missing };
}
