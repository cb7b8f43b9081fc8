/** Limits of one process, in memory: the default, and what stands in while Redis is away. */
import type { Clock } from '../../lib/clock.ts';
import { filled, msUntil, type Bucket } from './bucket.ts';
import {
  type Limiter,
  type LimitName,
  type LimitState,
  type Passage,
  type Renewal,
  type Spent,
  type Taken,
} from './limiter.ts';
import { cpuRules, tokenRules } from './policy.ts';

interface Account {
  tokens: Bucket | null;
  cpu: Bucket | null;
  /** Lease → when it ends. */
  readonly leases: Map<string, number>;
}

/** There is one account for each tenant at most, and tenants are a bounded set. */
export class MemoryLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async take({ tenant, policy, lease, leaseMs }: Passage): Promise<Taken> {
    const now = this.#clock.now();
    const account = this.#account(tenant);
    dropExpired(account, now);
    const rules = { tokens: tokenRules(policy), cpu: cpuRules(policy) };
    const tokens = rules.tokens === null ? null : filled(account.tokens, rules.tokens, now);
    const cpu = rules.cpu === null ? null : filled(account.cpu, rules.cpu, now);
    const state = (level: number | null): LimitState => ({
      tokens: level === null ? null : Math.floor(level),
      fullInMs:
        level === null || rules.tokens === null
          ? 0
          : msUntil({ level, at: now }, rules.tokens.capacity, rules.tokens),
      active: account.leases.size,
      cpuMs: cpu === null ? null : Math.floor(cpu.level),
    });
    const refused = (by: LimitName, retryAfterMs: number | null): Taken => ({
      granted: false,
      by,
      retryAfterMs,
      state: state(tokens?.level ?? null),
    });
    if (cpu !== null && rules.cpu !== null && cpu.level < 1)
      return refused('cpu', msUntil(cpu, 1, rules.cpu));
    if (tokens !== null && rules.tokens !== null && tokens.level < 1)
      return refused('rate', msUntil(tokens, 1, rules.tokens));
    if (policy.concurrency !== null && account.leases.size >= policy.concurrency)
      return refused('concurrency', null);
    account.leases.set(lease, now + leaseMs);
    account.cpu = cpu;
    account.tokens = tokens === null ? null : { level: tokens.level - 1, at: now };
    return { granted: true, state: state(account.tokens?.level ?? null) };
  }

  async give({ tenant, policy, lease }: Passage, { cpuMs, isRefunded }: Spent): Promise<void> {
    const now = this.#clock.now();
    const account = this.#account(tenant);
    const wasHeld = account.leases.delete(lease);
    const rules = { tokens: tokenRules(policy), cpu: cpuRules(policy) };
    if (rules.cpu !== null) {
      const { level } = filled(account.cpu, rules.cpu, now);
      account.cpu = { level: level - cpuMs, at: now };
    }
    if (rules.tokens !== null && isRefunded && wasHeld) {
      const { level } = filled(account.tokens, rules.tokens, now);
      account.tokens = { level: Math.min(rules.tokens.capacity, level + 1), at: now };
    }
  }

  async renew({ tenant, leases, leaseMs }: Renewal): Promise<void> {
    const now = this.#clock.now();
    const account = this.#account(tenant);
    for (const lease of leases) account.leases.set(lease, now + leaseMs);
  }

  #account(tenant: string): Account {
    const known = this.#accounts.get(tenant);
    if (known !== undefined) return known;
    const account: Account = { tokens: null, cpu: null, leases: new Map() };
    this.#accounts.set(tenant, account);
    return account;
  }
}

function dropExpired({ leases }: Account, now: number): void {
  for (const [lease, endsAt] of leases) if (endsAt <= now) leases.delete(lease);
}
