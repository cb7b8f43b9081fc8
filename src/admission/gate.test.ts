/** The gate: order, bounds, leaving, draining; and under random histories that no permit is lost or doubled. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Rejection } from '../domain/errors.ts';
import { createFakeClock, type FakeClock } from '../lib/fake-clock.ts';
import { Gate, type Permit } from './gate.ts';

const never = new AbortController().signal;

interface GateParts {
  readonly slots?: number;
  readonly lengthMax?: number;
  readonly bytesMax?: number;
  readonly clock?: FakeClock;
}

function aGate(options: GateParts = {}): Gate {
  return new Gate({
    slots: Array.from({ length: options.slots ?? 1 }, (_, cpu) => cpu),
    lengthMax: options.lengthMax ?? 10,
    bytesMax: options.bytesMax ?? 1000,
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
    const first = await gate.admit({ bytes: 1, signal: never });
    const second = await gate.admit({ bytes: 1, signal: never });
    expect(new Set([first.cpu, second.cpu])).toEqual(new Set([0, 1]));
    const order: string[] = [];
    const third = gate.admit({ bytes: 1, signal: never }).then((p) => (order.push('third'), p));
    const fourth = gate.admit({ bytes: 1, signal: never }).then((p) => (order.push('fourth'), p));
    expect(gate.queue).toEqual({ length: 2, bytes: 2 });
    second[Symbol.dispose]();
    expect((await third).cpu).toBe(second.cpu);
    first[Symbol.dispose]();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
    expect(gate.queue).toEqual({ length: 0, bytes: 0 });
  });

  it('never sends a caller away for longer than half a minute', async () => {
    const clock = createFakeClock();
    const gate = aGate({ lengthMax: 1, clock });
    const slow = await gate.admit({ bytes: 1, signal: never });
    clock.advance(24 * 3_600_000);
    slow[Symbol.dispose]();
    await gate.admit({ bytes: 1, signal: never });
    void gate.admit({ bytes: 1, signal: never });
    const refused = await gate.admit({ bytes: 1, signal: never }).catch((error: unknown) => error);
    expect((refused as Rejection).context.retryAfterMs).toBe(30_000);
  });

  it('refuses the caller beyond the length and says when to come back', async () => {
    const gate = aGate({ lengthMax: 1 });
    await gate.admit({ bytes: 1, signal: never });
    void gate.admit({ bytes: 1, signal: never });
    const refused = await gate.admit({ bytes: 1, signal: never }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Rejection);
    expect((refused as Rejection).code).toBe('queue_full');
    expect((refused as Rejection).context.retryAfterMs).toBeGreaterThan(0);
  });

  it('lets the service itself wait beyond the bounds, in its turn', async () => {
    const gate = aGate({ lengthMax: 0, bytesMax: 1 });
    const first = await gate.admit({ bytes: 1, signal: never });
    const own = gate.admit({ bytes: 100, signal: never, isOwn: true });
    expect(await rejectionCode(gate.admit({ bytes: 1, signal: never }))).toBe('queue_full');
    first[Symbol.dispose]();
    expect((await own).cpu).toBe(first.cpu);
  });

  it('refuses the caller whose bytes do not fit, and takes one whose bytes just do', async () => {
    const gate = aGate({ bytesMax: 100 });
    await gate.admit({ bytes: 500, signal: never });
    void gate.admit({ bytes: 100, signal: never });
    expect(await rejectionCode(gate.admit({ bytes: 1, signal: never }))).toBe('queue_full');
  });

  it('forgets a waiting caller who leaves', async () => {
    const gate = aGate();
    const held = await gate.admit({ bytes: 1, signal: never });
    const leaving = new AbortController();
    const gone = gate.admit({ bytes: 7, signal: leaving.signal });
    const staying = gate.admit({ bytes: 1, signal: never });
    leaving.abort(new Rejection('caller_gone', { detail: 'gone' }));
    expect(await rejectionCode(gone)).toBe('caller_gone');
    held[Symbol.dispose]();
    expect((await staying).cpu).toBe(0);
    expect(gate.queue).toEqual({ length: 0, bytes: 0 });
  });

  it('gives one permit back only once', async () => {
    const gate = aGate();
    const held = await gate.admit({ bytes: 1, signal: never });
    held[Symbol.dispose]();
    held[Symbol.dispose]();
    await gate.admit({ bytes: 1, signal: never });
    expect(gate.busy).toBe(1);
    void gate.admit({ bytes: 1, signal: never });
    expect(gate.queue.length).toBe(1);
  });

  it('refuses waiting and new callers once it drains', async () => {
    const gate = aGate();
    await gate.admit({ bytes: 1, signal: never });
    const waiting = gate.admit({ bytes: 1, signal: never });
    gate.drain();
    expect(await rejectionCode(waiting)).toBe('draining');
    expect(await rejectionCode(gate.admit({ bytes: 1, signal: never }))).toBe('draining');
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
            gate.admit({ bytes: action.bytes, signal: caller.signal }).then(
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
