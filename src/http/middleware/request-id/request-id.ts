/** Gives every request an id: the caller's own `X-Request-Id` if it is harmless, else a random one. */
import { randomBytes } from 'node:crypto';

import type { MiddlewareHandler } from 'hono';

import type { AppEnv } from '../../app-env.ts';

const HARMLESS = /^[\w.:=+/-]{1,128}$/;

/** Sets `requestId` and answers it as `X-Request-Id`. */
export function requestId(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const given = c.req.header('x-request-id');
    const id = given !== undefined && HARMLESS.test(given) ? given : createId('req');
    c.set('requestId', id);
    c.header('X-Request-Id', id);
    await next();
  };
}

/** A new id such as `run_5v0…`: 128 random bits in base64url behind the prefix. */
export function createId(prefix: 'req' | 'run' | 'rwd' | 'jdg' | 'cal' | 'job'): string {
  return `${prefix}_${randomBytes(16).toString('base64url')}`;
}
