/** The turnstile under virtual time: who is let in, refused or kept waiting, in which order, and what is left behind. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Rejection } from '../../domain/errors.ts';
import type { LimitPolicy } from '../../domain/tenant.ts';
import { createFakeClock } from '../../lib/fake-clock.ts';
import type { Limiter } from './limiter.ts';
import { MemoryLimiter } from './memory-limiter.ts';
import { Turnstile, type Entry, type Pass } from './turnstile.ts';

const NONE: LimitPolicy = { requestsPerS: null, burst: 1, concurrency: null, cpuSPerMinute: null };
const SPENT = { cpuMs: 0, isRefunded: false };

interface Parts {
  readonly lengthMax?: number;
  readonly bytesMax?: number;
  readonly tenantShare?: number;
  /** Before leases are renewed. */
  readonly onRenew?: (leases: readonly string[]) => Promise<void>;
}

function create({
  lengthMax = 100,
  bytesMax = 1000,
  tenantShare = 1,
  onRenew = async () => undefined,
}: Parts = {}) {
  const clock = createFakeClock();
  const own = new MemoryLimiter(clock);
  const limiter: Limiter = {
    take: (passage) => own.take(passage),
    give: (passage, spent) => own.give(passage, spent),
    async renew(renewal) {
      await onRenew(renewal.leases);
      await own.renew(renewal);
    },
  };
  let leases = 0;
  const turnstile = new Turnstile({
    limiter,
    clock,
    lengthMax,
    bytesMax,
    tenantShare,
    createLease: () => String((leases += 1)),
  });
  const { signal } = new AbortController();
  const entry = (policy: Partial<LimitPolicy>, parts: Partial<Entry> = {}): Entry => ({
    tenant: 'a',
    policy: { ...NONE, ...policy },
    bytes: 1,
    signal,
    deadlineMs: null,
    waits: false,
    ...parts,
  });
  return { clock, turnstile, entry };
}

/** All that is due at this moment. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return await promise.then(
    () => 'in',
    (error: unknown) => (error instanceof Rejection ? error.code : String(error)),
  );
}

describe('who does not wait', () => {
  it('is refused at once, and told when to come again', async () => {
    const { turnstile, entry, clock } = create();
    const policy = { requestsPerS: 2, burst: 2 };
    await turnstile.enter(entry(policy));
    await turnstile.enter(entry(policy));
    const refusal = await turnstile.enter(entry(policy)).catch((error: unknown) => error);
    if (!(refusal instanceof Rejection)) throw new Error('it was to be refused');
    expect(refusal.code).toBe('rate_limited');
    expect(refusal.context).toEqual({
      detail: 'tenant a may send 2 submissions a second, 2 at once',
      retryAfterMs: 500,
    });
    clock.advance(500);
    expect(await codeOf(turnstile.enter(entry(policy)))).toBe('in');
  });

  it('pays no attention to limits that there are not', async () => {
    const { turnstile, entry } = create();
    const passes = await Promise.all(
      Array.from({ length: 500 }, async () => await turnstile.enter(entry({}))),
    );
    expect(new Set(passes.map(({ waitedMs }) => waitedMs))).toEqual(new Set([0]));
  });

  it('gives its place back once', async () => {
    const { turnstile, entry } = create();
    const pass = await turnstile.enter(entry({ concurrency: 1 }));
    expect(await codeOf(turnstile.enter(entry({ concurrency: 1 })))).toBe('rate_limited');
    pass.leave(SPENT);
    pass.leave(SPENT);
    expect(await codeOf(turnstile.enter(entry({ concurrency: 1 })))).toBe('in');
    expect(await codeOf(turnstile.enter(entry({ concurrency: 1 })))).toBe('rate_limited');
  });
});

describe('who waits', () => {
  it('comes in in order, as fast as the limit allows', async () => {
    const { turnstile, entry, clock } = create();
    const order: number[] = [];
    for (let each = 0; each < 5; each += 1)
      void turnstile
        .enter(entry({ requestsPerS: 10, burst: 1 }, { waits: true }))
        .then(({ waitedMs }) => order.push(each * 1000 + waitedMs));
    await settle();
    for (let step = 0; step < 50; step += 1) {
      clock.advance(10);
      await settle();
    }
    expect(order).toEqual([0, 1100, 2200, 3300, 4400]);
    expect(turnstile.waiting('a')).toBe(0);
  });

  it('comes in when another of this process leaves', async () => {
    const { turnstile, entry } = create();
    const policy = { concurrency: 1 };
    const first = await turnstile.enter(entry(policy));
    const second = turnstile.enter(entry(policy, { waits: true }));
    await settle();
    expect(turnstile.waiting('a')).toBe(1);
    first.leave(SPENT);
    expect(await codeOf(second)).toBe('in');
  });

  it('holds nobody else of its kind up when it leaves', async () => {
    const { turnstile, entry, clock } = create();
    const policy = { concurrency: 1 };
    const pass = await turnstile.enter(entry(policy));
    const gone = new AbortController();
    const left = codeOf(turnstile.enter(entry(policy, { waits: true, signal: gone.signal })));
    const late = codeOf(turnstile.enter(entry(policy, { waits: true, deadlineMs: 300 })));
    const stays = turnstile.enter(entry(policy, { waits: true }));
    await settle();
    gone.abort(new Rejection('caller_gone', { detail: 'gone' }));
    clock.advance(300);
    expect(await left).toBe('caller_gone');
    expect(await late).toBe('deadline');
    pass.leave(SPENT);
    await settle();
    expect((await stays).waitedMs).toBe(300);
    expect(turnstile.waiting('a')).toBe(0);
  });

  it('is refused where too many wait, or they hold too much', async () => {
    const { turnstile, entry } = create({ lengthMax: 2, bytesMax: 10 });
    const policy = { concurrency: 1 };
    await turnstile.enter(entry(policy));
    void turnstile.enter(entry(policy, { waits: true, bytes: 9 }));
    expect(await codeOf(turnstile.enter(entry(policy, { waits: true, bytes: 2 })))).toBe(
      'queue_full',
    );
    void turnstile.enter(entry(policy, { waits: true }));
    expect(await codeOf(turnstile.enter(entry(policy, { waits: true, bytes: 0 })))).toBe(
      'queue_full',
    );
  });

  it('is refused when the service stops, like who comes then', async () => {
    const { turnstile, entry } = create();
    const policy = { concurrency: 1 };
    await turnstile.enter(entry(policy));
    const waiting = codeOf(turnstile.enter(entry(policy, { waits: true })));
    await settle();
    turnstile.drain();
    expect(await waiting).toBe('draining');
    expect(await codeOf(turnstile.enter(entry(policy)))).toBe('draining');
  });

  it('keeps its lease for as long as it is there', async () => {
    const { turnstile, entry, clock } = create();
    const policy = { concurrency: 1 };
    const pass = await turnstile.enter(entry(policy));
    for (let minute = 0; minute < 60; minute += 1) {
      clock.advance(1000);
      await settle();
    }
    expect(await codeOf(turnstile.enter(entry(policy)))).toBe('rate_limited');
    pass.leave(SPENT);
    expect(await codeOf(turnstile.enter(entry(policy)))).toBe('in');
  });
});

describe('over any history', () => {
  it('lets in no more than burst and rate allow, never more at once than may be, and leaves nobody waiting', async () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 0, max: 400 }),
      arrives: fc.integer({ min: 0, max: 3 }),
      leaves: fc.integer({ min: 0, max: 3 }),
    });
    const limits = fc.record({
      requestsPerS: fc.integer({ min: 1, max: 20 }),
      burst: fc.integer({ min: 1, max: 5 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 30 }), async (given, steps) => {
        const { turnstile, entry, clock } = create();
        const inside: Pass[] = [];
        let letIn = 0;
        let asked = 0;
        const check = (): void => {
          expect(inside.length).toBeLessThanOrEqual(given.concurrency);
          const allowed = given.burst + (given.requestsPerS * clock.now()) / 1000;
          expect(letIn).toBeLessThanOrEqual(allowed + 1e-6);
        };
        const enter = async (): Promise<void> => {
          const pass = await turnstile.enter(entry(given, { waits: true }));
          letIn += 1;
          inside.push(pass);
        };
        for (const { waitMs, arrives, leaves } of steps) {
          for (let count = 0; count < arrives; count += 1) {
            asked += 1;
            void enter();
          }
          for (const pass of inside.splice(0, leaves)) pass.leave(SPENT);
          clock.advance(waitMs);
          await settle();
          check();
        }
        for (let turn = 0; turn < 4 * asked && letIn < asked; turn += 1) {
          for (const pass of inside.splice(0)) pass.leave(SPENT);
          await settle();
          clock.advance(1000);
          await settle();
          check();
        }
        expect(letIn).toBe(asked);
      }),
      { numRuns: 60 },
    );
  });
});

describe('leases', () => {
  it('that are given back while they are renewed stay given back, of more than one renewal too', async () => {
    const held: Pass[] = [];
    const renewed: number[] = [];
    const { turnstile, entry } = create({
      async onRenew(leases) {
        renewed.push(leases.length);
        // Of the first renewal, which is under way, and of those that are still to come.
        for (const pass of held.splice(0)) pass.leave(SPENT);
        await settle();
      },
    });
    const policy = { concurrency: 2500 };
    for (let each = 0; each < 2500; each += 1) held.push(await turnstile.enter(entry(policy)));
    await turnstile.renewAll();
    await settle();
    expect(renewed).toEqual([1000]);
    const states: number[] = [];
    await turnstile.enter(entry(policy, { onState: ({ active }) => states.push(active) }));
    expect(states).toEqual([1]);
  });
});

it('keeps places of the line for others, whatever one tenant has waiting', async () => {
  const { turnstile, entry } = create({ lengthMax: 10, tenantShare: 0.8, bytesMax: 100 });
  const busy = { concurrency: 1 };
  const waiting = (tenant: string, bytes = 1) =>
    codeOf(turnstile.enter(entry(busy, { tenant, bytes, waits: true, deadlineMs: 10 })));
  for (const tenant of ['a', 'b', 'c']) await turnstile.enter(entry(busy, { tenant }));
  const own = Array.from({ length: 9 }, () => waiting('a'));
  expect(await own[8]).toBe('queue_full');
  void waiting('b');
  expect(await waiting('c', 92)).toBe('queue_full');
  void waiting('c');
  expect(await waiting('c')).toBe('queue_full');
  expect(turnstile.waiting('a')).toBe(8);
});
