/** The facts of a job as Redis has them, in a hash of texts. Pure. */
import { z } from 'zod';

import type { Job } from './store.ts';

const Facts = z.object({
  tenant: z.string(),
  weight: z.coerce.number(),
  state: z.enum(['receiving', 'running', 'done', 'cancelled']),
  total: z.coerce.number(),
  bytes: z.coerce.number(),
  size: z.coerce.number(),
  done: z.coerce.number(),
  accepted: z.coerce.number(),
  fault: z.coerce.number(),
  rejected: z.coerce.number(),
  created: z.coerce.number(),
  started: z.coerce.number().optional(),
  ended: z.coerce.number().optional(),
});
export type Facts = z.infer<typeof Facts>;

/** Null for a job that is not there, or of which only a word is left that was written after its end. */
export function toFacts(fields: Readonly<Record<string, string>>): Facts | null {
  return Facts.safeParse(fields).data ?? null;
}

export function toJob(id: string, facts: Facts): Job {
  const { tenant, weight, state, total, bytes, done, accepted, rejected } = facts;
  return {
    id,
    payer: { tenant, weight },
    state,
    total,
    bytes,
    counts: { done, accepted, faults: facts.fault, rejected },
    createdAt: facts.created,
    startedAt: facts.started ?? null,
    endedAt: facts.ended ?? null,
  };
}
