/** `GET /metrics`: everything that is counted, in Prometheus' text format. */
import { Hono } from 'hono';

import { processFacts } from '../../observe/process-facts.ts';
import { DEGRADATIONS, type AppEnv, type HTTPDeps } from '../app-env.ts';
import { knownCaller, onlyOperators } from '../middleware/caller/caller.ts';
import { methodNotAllowed } from '../middleware/errors/errors.ts';
import { createStatsMetrics } from './stats-metrics.ts';

export function metricsRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const { service, observed, config } = deps;
  const { registry } = observed;
  const update = createStatsMetrics(registry);
  const app = new Hono<AppEnv>();
  app.use('/metrics', knownCaller(deps), onlyOperators());
  app.get('/metrics', async (c) => {
    const { service: version, runner, walls } = service.capabilities();
    const degraded = deps.degraded();
    update({
      stats: service.stats(),
      isReady: service.readiness().ready,
      degraded: Object.fromEntries(
        DEGRADATIONS.map((part) => [part, Number(degraded.includes(part))]),
      ),
      languages: service.languages(),
      walls,
      versions: { service: version, runner },
      bodies: { heldBytes: c.get('bodyBudget').held, maxBytes: config.bodiesMaxBytes },
      own: processFacts(),
    });
    const text = await registry.metrics();
    c.header('Content-Type', registry.contentType);
    return c.body(text);
  });
  app.all('/metrics', methodNotAllowed(['GET', 'HEAD']));
  return app;
}
