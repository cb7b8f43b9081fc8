/**
 * One canonical log line per request, with the report's facts where the request is one submission, and its counts. Labels
 * by route pattern, never by raw URL; no content of any kind.
 */
import type { MiddlewareHandler } from 'hono';

import type { AppEnv, HTTPDeps } from '../../app-env.ts';
import { QUIET_ROUTES, routeOf } from './route-of.ts';

/**
 * Starts the request's fields and writes them when it is answered (or when its stream has ended). What is polled is told
 * at the level debug, however it is answered, but for errors of ours.
 */
export function accessLog(
  { clock, logger, observed }: Pick<HTTPDeps, 'clock' | 'logger' | 'observed'>,
  surfaceOf: (route: string) => string,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = clock.now();
    c.set('logFields', {});
    const write = (): void => {
      const { status } = c.res;
      const own = c.get('logFields');
      const { method } = c.req;
      const route = routeOf(c);
      const ms = clock.now() - startedAt;
      observed.request({ surface: surfaceOf(route), route, method, status, seconds: ms / 1000 });
      const fields = {
        request_id: c.get('requestId'),
        method,
        route,
        status,
        duration_ms: Math.round(ms * 1000) / 1000,
        ...own,
      };
      const isFault = (own['fault'] ?? null) !== null;
      if (isFault || (status >= 500 && status !== 503 && status !== 504))
        logger.error(fields, 'request');
      else if (QUIET_ROUTES.has(route)) logger.debug(fields, 'request');
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
