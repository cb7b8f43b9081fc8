/** The directory of tenants as it is kept, in a file or in Redis: JSON, with digests of keys and never keys. */
import { z } from 'zod';

import { DEFAULT_POLICY, PRIORITY, TENANT_BOUNDS, type TenantPolicy } from '../../domain/tenant.ts';
import { REAL_WALLS } from '../../domain/wall.ts';

export const TenantId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'is lower-case letters, digits, - and _, 64 at most');

const positive = z.number().positive().max(1e9);
const limit = z.int().min(1);

const Maxima = z.strictObject({
  cpuMs: limit.optional(),
  wallMs: limit.optional(),
  memoryBytes: limit.optional(),
  outputBytes: limit.optional(),
  processes: limit.optional(),
  diskBytes: limit.optional(),
  openFiles: limit.optional(),
  compileCpuMs: limit.optional(),
  compileWallMs: limit.optional(),
});

/** Every field may be left out; `domain/tenant.ts` says what each means. */
export const Policy = z
  .strictObject({
    requestsPerS: positive.nullable(),
    burst: z.int().min(1).max(1_000_000),
    concurrency: z.int().min(1).max(1_000_000).nullable(),
    cpuSPerMinute: z.number().min(0.01).max(1e9).nullable(),
    maxima: Maxima,
    priorityMax: z.int().min(PRIORITY.least).max(PRIORITY.most),
    weight: z.number().min(0.01).max(1000),
    languages: z.array(z.string().min(1).max(64)).min(1).max(256).nullable(),
    wall: z.enum(REAL_WALLS).nullable(),
    sharesBuilds: z.boolean(),
    isOperator: z.boolean(),
  })
  .partial();
export type Policy = z.infer<typeof Policy>;

export const KeyRecord = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  /** SHA-256 of the whole key, hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created: z.iso.datetime(),
  /** From then on it is unknown. */
  expires: z.iso.datetime().optional(),
});
export type KeyRecord = z.infer<typeof KeyRecord>;

export const TenantRecord = z.strictObject({
  id: TenantId,
  policy: Policy.default({}),
  keys: z.array(KeyRecord).max(TENANT_BOUNDS.keys).default([]),
});
export type TenantRecord = z.infer<typeof TenantRecord>;

export const Directory = z
  .strictObject({
    version: z.literal(1),
    tenants: z.array(TenantRecord).max(TENANT_BOUNDS.tenants),
  })
  .refine(({ tenants }) => new Set(tenants.map(({ id }) => id)).size === tenants.length, {
    message: 'two tenants have one id',
  });
export type Directory = z.infer<typeof Directory>;

export const EMPTY: Directory = { version: 1, tenants: [] };

/** Throws an Error that names the place and never shows a value. */
export function parseDirectory(text: string | null): Directory {
  if (text === null || text.trim() === '') return EMPTY;
  if (Buffer.byteLength(text) > TENANT_BOUNDS.documentBytes) throw new Error('it is too large');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's message quotes the text.
    throw new Error('it is not JSON');
  }
  const parsed = Directory.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`);
}

/** A policy with its defaults. A rate without a burst may be sent at once what it gives in a second. */
export function toPolicy({ burst, ...policy }: Policy): TenantPolicy {
  const rate = policy.requestsPerS ?? null;
  const atOnce = burst ?? Math.max(1, Math.ceil(rate ?? 1));
  const given = Object.fromEntries(
    Object.entries(policy).filter(([, value]) => value !== undefined),
  );
  return { ...DEFAULT_POLICY, ...given, burst: atOnce };
}
