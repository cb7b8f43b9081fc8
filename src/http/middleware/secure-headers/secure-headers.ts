/** Headers that keep browsers from making more of an answer than it is. */
import type { MiddlewareHandler } from 'hono';

import type { AppEnv } from '../../app-env.ts';

const HEADERS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cache-Control', 'no-store'],
] as const;

/** Sets them before the handler runs, so a handler that serves pages can replace one. */
export function secureHeaders(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    for (const [name, value] of HEADERS) c.header(name, value);
    await next();
  };
}
