/**
 * One canonical log line per request; with the report's facts where the request is one submission. Labels by route
 * pattern, never by raw URL; no content of any kind.
 */
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';

import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';

/** Starts the request's fields and writes them when it is answered (or when its stream has ended). */
export function accessLog({
  clock,
  logger,
}: Pick<HTTPDeps, 'clock' | 'logger'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = clock.now();
    c.set('logFields', {});
    const write = (): void => {
      const { status } = c.res;
      const own = c.get('logFields');
      const fields = {
        request_id: c.get('requestId'),
        method: c.req.method,
        route: routeOf(c),
        status,
        duration_ms: Math.round((clock.now() - startedAt) * 1000) / 1000,
        ...own,
      };
      const isFault = (own['fault'] ?? null) !== null;
      if (isFault || (status >= 500 && status !== 503 && status !== 504))
        logger.error(fields, 'request');
      else if (status >= 400) logger.warn(fields, 'request');
      else logger.info(fields, 'request');
    };
    try {
      await next();
    } finally {
      const end = c.get('streamEnd');
      if (end === undefined) write();
      else void end.then(write, write);
    }
  };
}

/** The pattern of the route that answered, e.g. `/v1/judge`; `*` when none did. */
function routeOf(c: AppContext): string {
  const handlers = matchedRoutes(c).filter((route) => !route.path.endsWith('*'));
  return handlers.at(-1)?.path ?? '*';
}
