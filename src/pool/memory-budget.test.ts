/** Memory given out: never beyond the capacity but for one run alone, first come first served, idle jails first to go. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MemoryBudget, type MemoryHold } from './memory-budget.ts';

const never = new AbortController().signal;

/** Whether it has been granted by now. */
async function isGranted(hold: Promise<MemoryHold>): Promise<boolean> {
  let granted = false;
  void hold.then(() => (granted = true));
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  return granted;
}

/** Holds idle memory in pieces, like a pool with ready jails. */
function anIdleHolder(budget: MemoryBudget, sizes: readonly number[], since: number) {
  const holds = sizes.flatMap((bytes) => budget.tryIdle(bytes) ?? []);
  const holder = {
    idleSince: () => (holds.length === 0 ? null : since),
    giveUp: () => holds.pop()?.release(),
  };
  budget.join(holder);
  return { left: () => holds.length };
}

describe('MemoryBudget', () => {
  it('gives runs what there is, and lets others wait until some have ended', async () => {
    const budget = new MemoryBudget(100);
    const first = await budget.busy(60, never);
    const second = budget.busy(60, never);
    const third = budget.busy(10, never);
    // The third would fit, but it came later.
    expect(await isGranted(second)).toBe(false);
    expect(await isGranted(third)).toBe(false);
    expect(budget.stats()).toMatchObject({ busyBytes: 60, waiting: 2 });
    first.release();
    first.release();
    expect(await isGranted(second)).toBe(true);
    expect(await isGranted(third)).toBe(true);
    expect(budget.stats()).toMatchObject({ busyBytes: 70, waiting: 0 });
  });

  it('makes no jail ahead beyond the capacity, and says so', () => {
    const budget = new MemoryBudget(100);
    expect(budget.tryIdle(100)).not.toBeNull();
    expect(budget.tryIdle(1)).toBeNull();
    expect(budget.stats()).toMatchObject({ idleBytes: 100, refused: 1 });
  });

  it('gives up idle jails for a run, those first that are longest without use', async () => {
    const budget = new MemoryBudget(100);
    const old = anIdleHolder(budget, [20, 20], 1);
    const recent = anIdleHolder(budget, [20, 20], 2);
    await budget.busy(50, never);
    expect([old.left(), recent.left()]).toEqual([0, 2]);
    expect(budget.stats()).toMatchObject({ idleBytes: 40, busyBytes: 50, reclaimed: 2 });
  });

  it('lets one run alone go beyond it, which could never start otherwise', async () => {
    const budget = new MemoryBudget(100);
    const huge = await budget.busy(500, never);
    const next = budget.busy(1, never);
    expect(await isGranted(next)).toBe(false);
    huge.release();
    expect(await isGranted(next)).toBe(true);
  });

  it('lets who waits leave, with the reason of the signal, and serves those behind', async () => {
    const budget = new MemoryBudget(100);
    await budget.busy(60, never);
    const leaving = new AbortController();
    const large = budget.busy(80, leaving.signal).catch((error: unknown) => error);
    const small = budget.busy(40, never);
    leaving.abort(new Error('gone'));
    expect(await large).toMatchObject({ message: 'gone' });
    expect(await isGranted(small)).toBe(true);
  });

  it('takes measured sizes in place of estimates, and gives out what is left over', async () => {
    const budget = new MemoryBudget(100);
    const jail = budget.holdIdle(80);
    const run = await budget.busy(20, never);
    const next = budget.busy(40, never);
    jail.resize(30);
    expect(await isGranted(next)).toBe(true);
    run.resize(10);
    expect(budget.stats()).toMatchObject({ idleBytes: 30, busyBytes: 50 });
  });

  it('never gives out more than the capacity but to one run, and forgets nobody, whatever comes', async () => {
    const action = fc.oneof(
      fc.record({ kind: fc.constant('busy' as const), bytes: fc.integer({ min: 1, max: 150 }) }),
      fc.record({ kind: fc.constant('idle' as const), bytes: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ kind: fc.constant('end' as const), index: fc.nat(20) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
        const budget = new MemoryBudget(100);
        const runs: MemoryHold[] = [];
        const jails: MemoryHold[] = [];
        budget.join({
          idleSince: () => (jails.length === 0 ? null : 1),
          giveUp: () => jails.pop()?.release(),
        });
        let asked = 0;
        let granted = 0;
        const take = (hold: MemoryHold): void => {
          granted += 1;
          runs.push(hold);
          const { idleBytes, busyBytes } = budget.stats();
          expect(idleBytes + busyBytes <= 100 || runs.length === 1).toBe(true);
        };
        for (const each of actions) {
          if (each.kind === 'busy') {
            asked += 1;
            void budget.busy(each.bytes, never).then(take);
          } else if (each.kind === 'idle') {
            const hold = budget.tryIdle(each.bytes);
            if (hold !== null) jails.push(hold);
          } else runs.splice(each.index % Math.max(1, runs.length), 1)[0]?.release();
          await Promise.resolve();
          await Promise.resolve();
        }
        while (granted < asked) {
          expect(runs.length).toBeGreaterThan(0);
          runs.pop()?.release();
          for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
        }
        for (const hold of runs) hold.release();
        expect(budget.stats()).toMatchObject({ busyBytes: 0, waiting: 0 });
      }),
    );
  });
});
