/**
 * The fair queue under virtual time: histories of tenants that send jobs to slots, simulated to the millisecond. What a
 * job costs is told wrongly on purpose; only its end tells the truth.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { FairQueue, type Ask, type Ticket } from './fair-queue.ts';

interface SentJob {
  readonly tenant: string;
  readonly weight: number;
  readonly priority: number;
  readonly at: number;
  /** What is told, and what it takes. */
  readonly estimateMs: number;
  readonly usedMs: number;
  readonly number: number;
}

interface Started extends SentJob {
  readonly startedAt: number;
}

function aQueue<Item>(): FairQueue<Item> {
  return new FairQueue<Item>({ lengthMax: 1e6, bytesMax: 1e9, tenantShare: 1 });
}

function askOf({ tenant, weight, priority, estimateMs }: SentJob): Ask {
  const payer = { tenant, weight };
  return { payer, priority, costMs: estimateMs, bytes: 1, deadlineAt: null, reserveMs: 0 };
}

/** Runs all jobs on so many slots and says when each started, in that order. */
function simulate(jobs: readonly SentJob[], slots: number): Started[] {
  const queue = aQueue<SentJob>();
  const coming = jobs.toSorted((a, b) => a.at - b.at || a.number - b.number);
  const running: { readonly ticket: Ticket<SentJob>; readonly endsAt: number }[] = [];
  const started: Started[] = [];
  let now = 0;
  let next = 0;
  for (;;) {
    for (let job = coming[next]; job !== undefined && job.at <= now; job = coming[next]) {
      queue.push(job, askOf(job));
      next += 1;
    }
    while (running.length < slots && queue.length > 0) {
      const { ticket } = queue.take(now);
      if (ticket === null) throw new Error('a slot was free, a job waited, and none was given');
      started.push({ ...ticket.item, startedAt: now });
      running.push({ ticket, endsAt: now + ticket.item.usedMs });
      running.sort((a, b) => a.endsAt - b.endsAt);
    }
    const [first] = running;
    const comesAt = coming[next]?.at ?? Infinity;
    now = Math.min(first?.endsAt ?? Infinity, comesAt);
    if (now === Infinity) break;
    if (first !== undefined && first.endsAt <= now) {
      running.shift();
      queue.settle(first.ticket, first.ticket.item.usedMs);
    }
  }
  expect(queue.length).toBe(0);
  expect(queue.bytes).toBe(0);
  expect(queue.tenantCount).toBe(0);
  return started;
}

const aJob = (most: number) =>
  fc.record({
    tenant: fc.constantFrom('a', 'b', 'c', 'd'),
    priority: fc.integer({ min: -2, max: 2 }),
    at: fc.nat(2000),
    estimateMs: fc.integer({ min: 1, max: most }),
    usedMs: fc.integer({ min: 1, max: most }),
  });
const WEIGHTS: Readonly<Record<string, number>> = { a: 1, b: 2, c: 0.5, d: 4 };
const someJobs = fc
  .array(aJob(200), { maxLength: 150 })
  .map((list) =>
    list.map((job, number): SentJob => ({ ...job, number, weight: WEIGHTS[job.tenant] ?? 1 })),
  );

describe('FairQueue', () => {
  it('starts every job once, and by arrival within tenant and priority', () => {
    fc.assert(
      fc.property(someJobs, fc.integer({ min: 1, max: 4 }), (jobs, slots) => {
        const started = simulate(jobs, slots);
        expect(new Set(started.map(({ number }) => number)).size).toBe(jobs.length);
        const last = new Map<string, Started>();
        for (const job of started) {
          const key = `${job.tenant} ${job.priority}`;
          const before = last.get(key);
          if (before !== undefined) {
            expect(before.at < job.at || (before.at === job.at && before.number < job.number)).toBe(
              true,
            );
          }
          last.set(key, job);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('never starts a job of a tenant while one of a higher priority waits', () => {
    fc.assert(
      fc.property(someJobs, fc.integer({ min: 1, max: 3 }), (jobs, slots) => {
        const started = simulate(jobs, slots);
        for (const [index, job] of started.entries()) {
          const isPassed = started
            .slice(index + 1)
            .some(
              (later) =>
                later.tenant === job.tenant &&
                later.priority > job.priority &&
                later.at <= job.startedAt &&
                later.startedAt > job.startedAt,
            );
          expect(isPassed).toBe(false);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('is as soon done as any order could be: no slot rests while a job waits', () => {
    fc.assert(
      fc.property(someJobs, (jobs) => {
        // On one slot the end of all work is the same whatever the order.
        const started = simulate(jobs, 1);
        let freeAt = 0;
        for (const job of jobs.toSorted((a, b) => a.at - b.at))
          freeAt = Math.max(freeAt, job.at) + job.usedMs;
        const ends = started.map(({ startedAt, usedMs }) => startedAt + usedMs);
        expect(Math.max(0, ...ends)).toBe(freeAt);
      }),
      { numRuns: 100 },
    );
  });

  it('gives tenants that always want more their shares by weight, whatever their estimates', () => {
    const MOST = 100;
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            weight: fc.constantFrom(0.5, 1, 2, 3),
            lie: fc.constantFrom(0.1, 1, 5),
            lengths: fc.array(fc.integer({ min: 1, max: MOST }), { minLength: 1, maxLength: 7 }),
          }),
          { minLength: 2, maxLength: 5 },
        ),
        fc.integer({ min: 1, max: 4 }),
        (tenants, slots) => {
          const jobs = tenants.flatMap(({ weight, lie, lengths }, tenant) =>
            Array.from({ length: 20_000 / MOST }, (_, index): SentJob => {
              const usedMs = lengths[index % lengths.length] ?? 1;
              const estimateMs = usedMs * lie;
              const number = index * tenants.length + tenant;
              return {
                ...{ tenant: String(tenant), weight, priority: 0, at: 0 },
                ...{ estimateMs, usedMs, number },
              };
            }),
          );
          const started = simulate(jobs, slots);
          const left = tenants.map(() => jobs.length / tenants.length);
          const used = tenants.map(() => 0);
          for (const job of started) {
            const tenant = Number(job.tenant);
            used[tenant] = (used[tenant] ?? 0) + job.usedMs;
            left[tenant] = (left[tenant] ?? 0) - 1;
            if (left.includes(0)) break;
            // What runs may have been told five times too long or ten times too short: one job a slot, either way.
            const shares = used.map((ms, index) => ms / (tenants[index]?.weight ?? 1));
            const slackMs = ((slots + 1) * 6 * MOST + 2 * 20) / 0.5;
            expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(slackMs);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('delays a small tenant by no more than one job a slot, whatever another has queued', () => {
    for (const [slots, jobMs] of [
      [1, 100],
      [2, 100],
      [4, 100],
      [1, 5],
    ] as const) {
      const plain = { weight: 1, priority: 0, estimateMs: jobMs, usedMs: jobMs };
      const crowd = Array.from({ length: 50_000 }, (_, number): SentJob => ({
        ...plain,
        tenant: 'crowd',
        at: 0,
        number,
      }));
      const small = Array.from({ length: 20 }, (_, index): SentJob => ({
        ...plain,
        tenant: 'small',
        at: 1037 * (index + 1),
        number: 50_000 + index,
      }));
      const waits = simulate([...crowd, ...small], slots)
        .filter(({ tenant }) => tenant === 'small')
        .map(({ at, startedAt }) => startedAt - at);
      expect(waits).toHaveLength(20);
      expect(Math.max(...waits)).toBeLessThanOrEqual(jobMs);
    }
  });

  it('remembers what a tenant owes that has nothing waiting for a while', () => {
    const queue = aQueue<string>();
    const push = (tenant: string, costMs: number): void => {
      const payer = { tenant, weight: 1 };
      queue.push(tenant, { payer, priority: 0, costMs, bytes: 1, deadlineAt: null, reserveMs: 0 });
    };
    const used = { crowd: 0, pulse: 0 };
    for (let i = 0; i < 2000; i += 1) push('crowd', 10);
    for (let isBack = true; queue.length > 100;) {
      // Comes back only when its last job has ended and another has had the slot.
      if (isBack) push('pulse', 1000);
      const { ticket } = queue.take(0);
      if (ticket === null) throw new Error('nothing was given');
      isBack = ticket.item === 'crowd' && !queue.tenants(9).some((each) => each.tenant === 'pulse');
      queue.settle(ticket, ticket.costMs);
      if (ticket.item === 'crowd') used.crowd += 10;
      else used.pulse += 1000;
    }
    expect(used.pulse / used.crowd).toBeGreaterThan(0.8);
    expect(used.pulse / used.crowd).toBeLessThan(1.2);
  });

  it('starves nobody: newcomers without end do not keep those who wait from their turn', () => {
    const queue = aQueue<string>();
    const ask = (tenant: string): Ask => {
      const payer = { tenant, weight: 1 };
      return { payer, priority: 0, costMs: 100, bytes: 1, deadlineAt: null, reserveMs: 0 };
    };
    for (let i = 0; i < 5; i += 1) queue.push('patient', ask('patient'));
    let patient = 0;
    for (let turn = 0; turn < 400; turn += 1) {
      // Ten tenants, each of which comes back whenever it has nothing waiting.
      for (let i = 0; i < 10; i += 1) {
        const tenant = `busy ${i}`;
        if (!queue.tenants(20).some((each) => each.tenant === tenant))
          queue.push(tenant, ask(tenant));
      }
      const { ticket } = queue.take(turn);
      if (ticket === null) throw new Error('nothing was given');
      if (ticket.item === 'patient') patient += 1;
      queue.settle(ticket, 100);
    }
    expect(patient).toBe(5);
  });

  it('lets a job leave from anywhere, and forgets a tenant of whom nothing is left', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 50 }), (order) => {
        const queue = aQueue<number>();
        const tickets = Array.from({ length: 51 }, (_, index) =>
          queue.push(index, {
            payer: { tenant: String(index % 3), weight: 1 },
            priority: index % 2,
            costMs: 1,
            bytes: 2,
            deadlineAt: null,
            reserveMs: 0,
          }),
        );
        const gone = new Set<number>();
        for (const index of order) {
          const ticket = tickets[index];
          if (ticket !== undefined) expect(queue.remove(ticket)).toBe(!gone.has(index));
          gone.add(index);
        }
        expect(queue.length).toBe(51 - gone.size);
        expect(queue.bytes).toBe(2 * queue.length);
        const rest = queue.clear().map(({ item }) => item);
        expect(rest.toSorted((a, b) => a - b)).toEqual(
          tickets.map(({ item }) => item).filter((item) => !gone.has(item)),
        );
        expect(queue.tenantCount).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('holds its bounds, in all and for one tenant, at the most and at one more', () => {
    const queue = new FairQueue<null>({ lengthMax: 10, bytesMax: 100, tenantShare: 0.5 });
    const [a, b] = ['a', 'b'].map((tenant) => ({ tenant, weight: 1 }));
    if (a === undefined || b === undefined) throw new Error('two tenants were made');
    const push = (payer: typeof a, bytes: number): void => {
      queue.push(null, { payer, priority: 0, costMs: 1, bytes, deadlineAt: null, reserveMs: 0 });
    };
    expect(queue.refusal(a, 50)).toBeNull();
    expect(queue.refusal(a, 51)).toBe('own');
    for (let i = 0; i < 4; i += 1) push(a, 1);
    expect(queue.refusal(a, 1)).toBeNull();
    push(a, 1);
    expect(queue.refusal(a, 0)).toBe('own');
    expect(queue.refusal(b, 50)).toBeNull();
    for (let i = 0; i < 5; i += 1) push(b, 1);
    expect(queue.refusal({ tenant: 'c', weight: 1 }, 0)).toBe('all');
  });

  it('leaves out what has no time left, and starts it all the same where nobody else waits', () => {
    const queue = aQueue<string>();
    const ask = (deadlineAt: number | null): Ask => {
      const payer = { tenant: 'a', weight: 1 };
      return { payer, priority: 0, costMs: 50, bytes: 1, deadlineAt, reserveMs: 50 };
    };
    queue.push('over', ask(100));
    queue.push('tight', ask(130));
    queue.push('good', ask(200));
    queue.push('alone', ask(130));
    const { ticket, late } = queue.take(100);
    expect(late.map(({ item }) => item)).toEqual(['over', 'tight']);
    expect(ticket?.item).toBe('good');
    expect(queue.take(100).ticket?.item).toBe('alone');
    queue.push('over', ask(90));
    expect(queue.take(100)).toMatchObject({ ticket: null, late: [{ item: 'over' }] });
  });

  it('tells how much comes before a newcomer: of its own all, of others what their weights let pass', () => {
    const queue = aQueue<null>();
    const a = { tenant: 'a', weight: 1 };
    for (let i = 0; i < 100; i += 1)
      queue.push(null, {
        payer: a,
        priority: 0,
        costMs: 10,
        bytes: 1,
        deadlineAt: null,
        reserveMs: 0,
      });
    const b = { tenant: 'b', weight: 1 };
    expect(queue.aheadMs({ payer: a, priority: 0 })).toBe(1000);
    expect(queue.aheadMs({ payer: a, priority: 1 })).toBe(0);
    expect(queue.aheadMs({ payer: b, priority: 0 })).toBe(0);
    queue.push(null, {
      payer: b,
      priority: 0,
      costMs: 10,
      bytes: 1,
      deadlineAt: null,
      reserveMs: 0,
    });
    expect(queue.aheadMs({ payer: b, priority: 0 })).toBe(20);
  });
});
