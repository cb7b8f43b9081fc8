/**
 * Whose request it is: reads the key, asks whose it is, and gives handlers the service as it is to that caller. Keys are
 * taken from wherever clients can put one, and go no further than this file.
 */
import type { IncomingHttpHeaders } from 'node:http';

import type { MiddlewareHandler } from 'hono';

import { Rejection } from '../../../domain/errors.ts';
import type { Allowance, Caller } from '../../../judge/tenants/door.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import { rateLimitFields } from './rate-limit-fields.ts';

/** Proxies that pass a request on say so in one of these. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

const LOOPBACK = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;

const PRIORITY_FIELD = 'Assay-Priority';

type HeaderReader = (name: string) => string | undefined;

/**
 * Finds the caller, for the paths of one surface: what is wrong with a key is thrown where that surface's own error handler
 * answers it. `WWW-Authenticate` goes with it.
 */
export function knownCaller(deps: Pick<HTTPDeps, 'callers' | 'config'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.get('caller') === undefined) {
      const incoming = c.env?.incoming;
      const origin: Origin = {
        header: (name) => c.req.header(name),
        // Without a socket the request is this process' own.
        address: incoming?.socket.remoteAddress ?? null,
        isInProcess: incoming === undefined,
      };
      const caller = await identify(deps, origin).catch((error: unknown) => {
        if (error instanceof Rejection && error.code === 'unknown_key')
          c.header('WWW-Authenticate', 'Bearer realm="assay"');
        throw error;
      });
      c.set('caller', caller);
      c.get('logFields')['tenant'] = caller.tenant;
    }
    await next();
  };
}

/** After `knownCaller`, for what concerns all tenants. */
export function onlyOperators(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { isOperator, tenant } = callerIn(c);
    if (!isOperator) {
      const detail = `tenant ${tenant} is no operator; this is of all tenants`;
      throw new Rejection('not_allowed', { detail });
    }
    await next();
  };
}

/** As `knownCaller`, for a request that has no context: one that asks to be upgraded. Throws as `Callers.identify`. */
export async function callerOf(
  deps: Pick<HTTPDeps, 'callers' | 'config'>,
  request: { readonly headers: IncomingHttpHeaders; readonly address: string | null },
): Promise<Caller> {
  const header = (name: string): string | undefined => {
    const value = request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  };
  return await identify(deps, { header, address: request.address, isInProcess: false });
}

interface Origin {
  readonly header: HeaderReader;
  readonly address: string | null;
  readonly isInProcess: boolean;
}

async function identify(
  { callers, config }: Pick<HTTPDeps, 'callers' | 'config'>,
  { header, address, isInProcess }: Origin,
): Promise<Caller> {
  const isDirect = FORWARDED.every((name) => header(name) === undefined);
  const isFromHere = address !== null && LOOPBACK.test(address);
  const isLocal = isInProcess || (config.isLoopback && isFromHere && isDirect);
  return await callers.identify({ key: keyIn(header), isLocal });
}

interface ServingOptions {
  /** Whether a submission waits for its tenant's limits. Only who can be told to come back is refused. Default true. */
  readonly waits?: boolean;
}

/**
 * What a handler works with: the service is its caller's. Throws where no caller was looked for, so that a path that was
 * forgotten serves nobody.
 */
export function serving<Deps extends Pick<HTTPDeps, 'service'>>(
  c: AppContext,
  deps: Deps,
  { waits = true }: ServingOptions = {},
): Deps {
  const priority = priorityIn((name) => c.req.header(name));
  const onAllowance = waits ? {} : { onAllowance: (allowance: Allowance) => tell(c, allowance) };
  const service = callerIn(c).service({ waits, priority, ...onAllowance });
  return { ...deps, service };
}

/** The caller of a request; throws where none was looked for. */
export function callerIn(c: AppContext): Caller {
  const caller = c.get('caller');
  if (caller === undefined) throw new Error('nobody looked for the caller of this request');
  return caller;
}

/** What is asked for, in whole numbers; anything else asks for nothing. */
function priorityIn(header: HeaderReader): number {
  const text = header(PRIORITY_FIELD) ?? '';
  return /^-?\d{1,3}$/.test(text) ? Number(text) : 0;
}

/** The headers that clients can set; URLs carry a key as user or password, which clients send as `Basic`. */
function keyIn(header: HeaderReader): string | null {
  const plain = header('x-api-key') ?? header('x-auth-token');
  if (plain !== undefined) return plain.trim();
  const [first = '', second] = (header('authorization') ?? '').trim().split(/\s+/, 2);
  if (first === '') return null;
  if (second === undefined) return first;
  return first.toLowerCase() === 'basic' ? inBasic(second) : second;
}

function inBasic(text: string): string {
  const [user = '', password = ''] = Buffer.from(text, 'base64').toString('utf8').split(':', 2);
  return password === '' ? user : password;
}

function tell(c: AppContext, allowance: Allowance): void {
  const fields = rateLimitFields(allowance);
  if (fields === null) return;
  c.header('RateLimit-Policy', fields.policy);
  c.header('RateLimit', fields.state);
}
