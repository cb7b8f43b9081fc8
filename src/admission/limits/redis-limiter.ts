/**
 * Limits shared by all replicas, in Redis: one script for each transition (`lua/`), by Redis' own clock. Throws where Redis
 * does not answer in time; `insured-limiter.ts` knows what to do then.
 */
import assert from 'node:assert';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { z } from 'zod';

import { runScript, toScript, type Connection, type Script } from '../redis/connection.ts';
import { RENEWED_AT_ONCE, type Limiter, type Passage, type Spent, type Taken } from './limiter.ts';
import { cpuRules, tokenRules } from './policy.ts';

interface Scripts {
  readonly take: Script;
  readonly give: Script;
  readonly renew: Script;
}

async function loadScripts(): Promise<Scripts> {
  const read = async (name: string): Promise<string> =>
    await readFile(path.join(import.meta.dirname, 'lua', `${name}.lua`), 'utf8');
  const common = await read('common');
  const load = async (name: string): Promise<Script> => toScript(`${common}\n${await read(name)}`);
  const [take, give, renew] = await Promise.all([load('take'), load('give'), load('renew')]);
  return { take, give, renew };
}

const whole = z.union([z.literal('').transform(() => null), z.coerce.number()]);
const Answer = z.tuple([
  z.enum(['granted', 'cpu', 'rate', 'concurrency']),
  z.number(),
  whole,
  z.number(),
  z.number(),
  whole,
]);

/** A limiter over this connection, under keys that begin with `assay:`. */
export async function createRedisLimiter(connection: Connection): Promise<Limiter> {
  const scripts = await loadScripts();
  return {
    async take({ tenant, policy, lease, leaseMs }) {
      const { concurrency } = policy;
      const [tokens, perMs, cpu, cpuPerMs] = rulesOf(policy);
      const args = [tokens, perMs, word(concurrency), cpu, cpuPerMs, lease, String(leaseMs)];
      return toTaken(Answer.parse(await runScript(connection, scripts.take, keysOf(tenant), args)));
    },
    async give({ tenant, policy, lease }: Passage, { cpuMs, isRefunded }: Spent) {
      const args = [...rulesOf(policy), lease, String(cpuMs), isRefunded ? '1' : '0'];
      await runScript(connection, scripts.give, keysOf(tenant), args);
    },
    async renew({ tenant, leases, leaseMs }) {
      const [, key] = keysOf(tenant);
      assert(leases.length <= RENEWED_AT_ONCE, 'too many leases at once');
      await runScript(connection, scripts.renew, [key], [String(leaseMs), ...leases]);
    },
  };
}

/** The braces keep a tenant's keys on one node of a cluster. */
function keysOf(tenant: string): readonly [string, string] {
  return [`assay:{${tenant}}:buckets`, `assay:{${tenant}}:leases`];
}

function word(number: number | null): string {
  return number === null ? 'none' : String(number);
}

function rulesOf(policy: Passage['policy']): readonly [string, string, string, string] {
  const tokens = tokenRules(policy);
  const cpu = cpuRules(policy);
  return [
    word(tokens?.capacity ?? null),
    word(tokens?.perMs ?? null),
    word(cpu?.capacity ?? null),
    word(cpu?.perMs ?? null),
  ];
}

function toTaken([what, waitMs, tokens, fullInMs, active, cpuMs]: z.infer<typeof Answer>): Taken {
  const state = { tokens, fullInMs, active, cpuMs };
  if (what === 'granted') return { granted: true, state };
  return { granted: false, by: what, retryAfterMs: waitMs < 0 ? null : waitMs, state };
}
