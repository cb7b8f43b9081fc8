/** Which route answered a request, for logs, metrics and traces: a closed set, whatever callers ask for. */
import { matchedRoutes } from 'hono/route';

import type { AppContext } from '../../app-env.ts';

/** What is polled again and again by machines and by the dashboard: not worth a line of the log each time. */
export const QUIET_ROUTES: ReadonlySet<string> = new Set([
  '/healthz',
  '/readyz',
  '/health',
  '/metrics',
  '/dashboard/data',
]);

/** The pattern of the route that answered, e.g. `/v1/judge`; `*` when none did. */
export function routeOf(c: AppContext): string {
  const handlers = matchedRoutes(c).filter((route) => !route.path.endsWith('*'));
  return handlers.at(-1)?.path ?? '*';
}
