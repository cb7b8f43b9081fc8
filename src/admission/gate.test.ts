/** The gate: order, bounds, leaving, draining; and under random histories that no permit is lost or doubled. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Rejection } from '../domain/errors.ts';
import { ANONYMOUS } from '../domain/tenant.ts';
import { createFakeClock, type FakeClock } from '../lib/fake-clock.ts';
import { Gate, type AdmitRequest, type Permit } from './gate.ts';

const never = new AbortController().signal;

/** What of a request a test does not look at. */
const PLAIN = {
  payer: ANONYMOUS,
  priority: 0,
  costMs: 10,
  bytes: 1,
  deadlineAt: null,
  signal: never,
} as const satisfies AdmitRequest;

interface GateParts {
  readonly slots?: number;
  readonly lengthMax?: number;
  readonly bytesMax?: number;
  readonly tenantShare?: number;
  readonly clock?: FakeClock;
}

function aGate(options: GateParts = {}): Gate {
  return new Gate({
    slots: Array.from({ length: options.slots ?? 1 }, (_, cpu) => cpu),
    lengthMax: options.lengthMax ?? 10,
    bytesMax: options.bytesMax ?? 1000,
    tenantShare: options.tenantShare ?? 1,
    clock: options.clock ?? createFakeClock(),
  });
}

const rejectionCode = async (promise: Promise<unknown>): Promise<string> =>
  await promise.then(
    () => 'granted',
    (error: unknown) => (error instanceof Rejection ? error.code : String(error)),
  );

describe('Gate', () => {
  it('gives the slots out and then lets callers wait in order of arrival', async () => {
    const gate = aGate({ slots: 2 });
    const first = await gate.admit(PLAIN);
    const second = await gate.admit(PLAIN);
    expect(new Set([first.cpu, second.cpu])).toEqual(new Set([0, 1]));
    const order: string[] = [];
    const third = gate.admit(PLAIN).then((p) => (order.push('third'), p));
    const fourth = gate.admit(PLAIN).then((p) => (order.push('fourth'), p));
    expect(gate.queue).toMatchObject({ length: 2, bytes: 2 });
    second[Symbol.dispose]();
    expect((await third).cpu).toBe(second.cpu);
    first[Symbol.dispose]();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
    expect(gate.queue).toMatchObject({ length: 0, bytes: 0 });
  });

  it('never sends a caller away for longer than half a minute', async () => {
    const clock = createFakeClock();
    const gate = aGate({ lengthMax: 1, clock });
    const costMs = 24 * 3_600_000;
    await gate.admit({ ...PLAIN, costMs });
    void gate.admit({ ...PLAIN, costMs });
    const refused = await gate.admit(PLAIN).catch((error: unknown) => error);
    expect((refused as Rejection).context.retryAfterMs).toBe(30_000);
  });

  it('refuses the caller beyond the length and says when to come back', async () => {
    const gate = aGate({ lengthMax: 1 });
    await gate.admit(PLAIN);
    void gate.admit(PLAIN);
    const refused = await gate.admit(PLAIN).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Rejection);
    expect((refused as Rejection).code).toBe('queue_full');
    expect((refused as Rejection).context.retryAfterMs).toBeGreaterThan(0);
  });

  it('lets the service itself wait beyond the bounds, in its turn', async () => {
    const gate = aGate({ lengthMax: 0, bytesMax: 1 });
    const first = await gate.admit(PLAIN);
    const own = gate.admit({ ...PLAIN, bytes: 100, isOwn: true });
    expect(await rejectionCode(gate.admit(PLAIN))).toBe('queue_full');
    first[Symbol.dispose]();
    expect((await own).cpu).toBe(first.cpu);
  });

  it('refuses the caller whose bytes do not fit, and takes one whose bytes just do', async () => {
    const gate = aGate({ bytesMax: 100 });
    await gate.admit({ ...PLAIN, bytes: 500 });
    void gate.admit({ ...PLAIN, bytes: 100 });
    expect(await rejectionCode(gate.admit(PLAIN))).toBe('queue_full');
  });

  it('forgets a waiting caller who leaves', async () => {
    const gate = aGate();
    const held = await gate.admit(PLAIN);
    const leaving = new AbortController();
    const gone = gate.admit({ ...PLAIN, bytes: 7, signal: leaving.signal });
    const staying = gate.admit(PLAIN);
    leaving.abort(new Rejection('caller_gone', { detail: 'gone' }));
    expect(await rejectionCode(gone)).toBe('caller_gone');
    held[Symbol.dispose]();
    expect((await staying).cpu).toBe(0);
    expect(gate.queue).toMatchObject({ length: 0, bytes: 0 });
  });

  it('gives one permit back only once', async () => {
    const gate = aGate();
    const held = await gate.admit(PLAIN);
    held[Symbol.dispose]();
    held[Symbol.dispose]();
    await gate.admit(PLAIN);
    expect(gate.busy).toBe(1);
    void gate.admit(PLAIN);
    expect(gate.queue.length).toBe(1);
  });

  it('refuses waiting and new callers once it drains', async () => {
    const gate = aGate();
    await gate.admit(PLAIN);
    const waiting = gate.admit(PLAIN);
    gate.drain();
    expect(await rejectionCode(waiting)).toBe('draining');
    expect(await rejectionCode(gate.admit(PLAIN))).toBe('draining');
  });

  it('keeps places for others where one tenant has taken its share, and says when to come back', async () => {
    const gate = aGate({ lengthMax: 5, tenantShare: 0.8 });
    await gate.admit(PLAIN);
    for (let i = 0; i < 4; i += 1) void gate.admit({ ...PLAIN, costMs: 1000 });
    const refused = await gate.admit(PLAIN).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'queue_full', context: { retryAfterMs: 4000 } });
    const other = { tenant: 'other', weight: 1 };
    void gate.admit({ ...PLAIN, payer: other });
    expect(gate.queue.tenants).toEqual([
      { tenant: 'anonymous', length: 4, bytes: 4 },
      { tenant: 'other', length: 1, bytes: 1 },
    ]);
    expect(() => gate.check({ ...PLAIN, payer: other })).toThrow(Rejection);
  });

  it('refuses at once what cannot get a slot before its deadline', async () => {
    const clock = createFakeClock();
    const gate = aGate({ clock });
    await gate.admit(PLAIN);
    void gate.admit({ ...PLAIN, costMs: 500 });
    const deadlineAt = clock.now() + 400;
    expect(await rejectionCode(gate.admit({ ...PLAIN, deadlineAt }))).toBe('queue_full');
    void gate.admit({ ...PLAIN, deadlineAt: clock.now() + 600 });
    expect(gate.queue.length).toBe(2);
  });

  it('does not start what would not end in time while somebody else waits', async () => {
    const clock = createFakeClock();
    const gate = aGate({ clock });
    const held = await gate.admit(PLAIN);
    const late = gate.admit({ ...PLAIN, deadlineAt: clock.now() + 15 });
    const next = gate.admit(PLAIN);
    clock.advance(10);
    held[Symbol.dispose]();
    expect(await rejectionCode(late)).toBe('deadline');
    expect((await next).queueMs).toBe(10);
    expect(gate.queue.waitMs).toMatchObject({ p99: 10 });
  });

  it('tries what is thought to take longer than all the time it has, if its turn comes soon', async () => {
    const clock = createFakeClock();
    const gate = aGate({ clock });
    const held = await gate.admit(PLAIN);
    const others = [gate.admit({ ...PLAIN, costMs: 20 })];
    const long = { ...PLAIN, costMs: 10_000, deadlineAt: clock.now() + 100 };
    const tried = gate.admit(long);
    others.push(gate.admit(PLAIN));
    clock.advance(20);
    held[Symbol.dispose]();
    await new Promise(setImmediate);
    expect(gate.queue.length).toBe(2);
    expect(await rejectionCode(gate.admit({ ...long, costMs: 1 }))).toBe('queue_full');
    gate.drain();
    expect(await rejectionCode(tried)).toBe('draining');
    await Promise.allSettled(others);
  });

  it('lets tenants take turns by what they really used', async () => {
    const clock = createFakeClock();
    const gate = aGate({ clock, lengthMax: 100 });
    const order: string[] = [];
    const send = (tenant: string, count: number, usedMs: number): void => {
      for (let i = 0; i < count; i += 1) {
        void gate.admit({ ...PLAIN, payer: { tenant, weight: 1 } }).then((permit) => {
          order.push(tenant);
          clock.advance(usedMs);
          permit[Symbol.dispose]();
        });
      }
    };
    const first = await gate.admit(PLAIN);
    send('long', 4, 100);
    send('short', 40, 10);
    first[Symbol.dispose]();
    while (gate.queue.length > 0 || gate.busy > 0) await new Promise(setImmediate);
    // Both asked for 10 ms each; by the time that half of the long ones ran, the short ones had as much.
    const atHalf = order.lastIndexOf('long');
    const shorts = order.slice(0, atHalf).filter((tenant) => tenant === 'short').length;
    expect(order).toHaveLength(44);
    expect(shorts).toBeGreaterThanOrEqual(25);
    expect(shorts).toBeLessThanOrEqual(40);
  });

  it('refuses whoever comes while the host is full, and lets go on who is there', async () => {
    let shortages = ['the disk is 91 % full'];
    const gate = new Gate({
      ...{ slots: [null], lengthMax: 5, bytesMax: 1000, tenantShare: 1 },
      clock: createFakeClock(),
      shortages: () => shortages,
    });
    const full = {
      code: 'host_full',
      context: {
        detail: 'the disk is 91 % full: nothing new is accepted until there is room',
        retryAfterMs: 5000,
      },
    };
    await expect(gate.admit(PLAIN)).rejects.toMatchObject(full);
    expect(() => gate.check(PLAIN)).toThrow(expect.objectContaining({ code: 'host_full' }));
    // A self-test is none of the callers'.
    using own = await gate.admit({ ...PLAIN, isOwn: true });
    shortages = [];
    const waiting = gate.admit(PLAIN);
    shortages = ['the disk is 91 % full'];
    own[Symbol.dispose]();
    using granted = await waiting;
    expect(granted.queueMs).toBe(0);
  });

  it('never loses or doubles a permit, whatever the history', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('admit' as const), bytes: fc.nat(400) }),
      fc.record({ kind: fc.constant('release' as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constant('leave' as const), which: fc.nat(20) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step), async (slots, steps) => {
        const gate = aGate({ slots, lengthMax: 5 });
        const held: Permit[] = [];
        const callers: AbortController[] = [];
        for (const action of steps) {
          if (action.kind === 'admit') {
            const caller = new AbortController();
            callers.push(caller);
            gate.admit({ ...PLAIN, bytes: action.bytes, signal: caller.signal }).then(
              (permit) => held.push(permit),
              () => undefined,
            );
          }
          if (action.kind === 'release')
            held.splice(action.which % (held.length || 1), 1)[0]?.[Symbol.dispose]();
          if (action.kind === 'leave') callers[action.which % (callers.length || 1)]?.abort();
          await new Promise((resolve) => setImmediate(resolve));
          expect(held.length).toBe(gate.busy);
          expect(new Set(held.map(({ cpu }) => cpu)).size).toBe(held.length);
          expect(gate.queue.length).toBeLessThanOrEqual(5);
          if (gate.queue.length > 0) expect(gate.busy).toBe(slots);
        }
      }),
      { numRuns: 60 },
    );
  });
});
