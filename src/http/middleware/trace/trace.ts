/** A span for each request, the caller's `traceparent` taken over; the log line gets the trace's id. */
import type { MiddlewareHandler } from 'hono';

import type { Traces } from '../../../observe/traces.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { QUIET_ROUTES, routeOf } from '../access-log/route-of.ts';

const CARRIED = ['traceparent', 'tracestate'] as const;

/** Comes after `accessLog`, whose fields it adds to. Who only polls has no spans. */
export function traceRequests(
  traces: Traces,
  surfaceOf: (route: string) => string,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (QUIET_ROUTES.has(c.req.path)) return await next();
    const start = { method: c.req.method, requestId: c.get('requestId'), carrier: carrierOf(c) };
    await traces.request(start, async (span) => {
      c.get('logFields')['trace_id'] = span.traceId;
      const end = (): void => {
        const route = routeOf(c);
        span.end({ route, surface: surfaceOf(route), status: c.res.status });
      };
      try {
        await next();
      } finally {
        const streamEnd = c.get('streamEnd');
        if (streamEnd === undefined) end();
        else void streamEnd.then(end, end);
      }
    });
  };
}

function carrierOf(c: AppContext): Record<string, string> {
  const found = CARRIED.flatMap((name) => {
    const value = c.req.header(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}
