/** The budget, and its part for small bodies. */
import { describe, expect, it } from 'vitest';

import { createByteBudget, SMALL_BODY_BYTES } from './byte-budget.ts';

const MIB = 1024 * 1024;

describe('createByteBudget', () => {
  it('takes up to its maximum and not a byte more', () => {
    const budget = createByteBudget(100);
    expect(budget.take(60, 60)).toBe(true);
    expect(budget.take(41, 41)).toBe(false);
    expect(budget.take(40, 40)).toBe(true);
    budget.give(60);
    expect(budget.held).toBe(40);
  });

  it('keeps a sixteenth for small bodies', () => {
    const budget = createByteBudget(64 * MIB);
    expect(budget.take(60 * MIB, 60 * MIB)).toBe(true);
    expect(budget.take(1, SMALL_BODY_BYTES + 1)).toBe(false);
    expect(budget.take(SMALL_BODY_BYTES, SMALL_BODY_BYTES)).toBe(true);
  });
});
