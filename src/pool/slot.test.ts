/** The slot's state machine and the retire rules. */
import { describe, expect, it } from 'vitest';

import { DEFAULT_RETIRE_RULES, nextSlotState, retireReason } from './slot.ts';

describe('nextSlotState', () => {
  it('goes through a whole life', () => {
    const events = ['started', 'lease', 'release', 'clean', 'lease', 'retire'] as const;
    const states = events.reduce(
      (lived, event) => [...lived, nextSlotState(lived.at(-1) ?? 'starting', event)],
      ['starting' as ReturnType<typeof nextSlotState>],
    );
    expect(states).toEqual(['starting', 'ready', 'leased', 'resetting', 'ready', 'leased', 'gone']);
  });

  it.each([
    ['starting', 'lease'],
    ['leased', 'lease'],
    ['resetting', 'lease'],
    ['ready', 'release'],
    ['gone', 'retire'],
    ['leased', 'clean'],
  ] as const)('refuses that a %s slot does %s', (state, event) => {
    expect(() => nextSlotState(state, event)).toThrow(/cannot/);
  });
});

describe('retireReason', () => {
  const fresh = { leases: 1, ageMs: 1, memoryGrowthBytes: null };
  const rules = DEFAULT_RETIRE_RULES;
  it.each([
    [{ ...fresh }, null],
    [{ ...fresh, leases: rules.leasesMax - 1 }, null],
    [{ ...fresh, leases: rules.leasesMax }, 'leases'],
    [{ ...fresh, ageMs: rules.ageMaxMs }, 'age'],
    [{ ...fresh, memoryGrowthBytes: rules.memoryGrowthMaxBytes }, null],
    [{ ...fresh, memoryGrowthBytes: rules.memoryGrowthMaxBytes + 1 }, 'memory'],
  ])('of %o is %s', (history, reason) => {
    expect(retireReason(history, rules)).toBe(reason);
  });
});
