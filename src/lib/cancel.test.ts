/** One signal out of many reasons; the first wins. */
import { describe, expect, it } from 'vitest';

import { createCancelScope } from './cancel.ts';
import { createFakeClock } from './fake-clock.ts';

describe('createCancelScope', () => {
  const reasons = { gone: new Error('gone'), late: new Error('late') };

  it('aborts with the first reason and keeps it', () => {
    const clock = createFakeClock();
    const caller = new AbortController();
    using scope = createCancelScope({
      clock,
      sources: [{ signal: caller.signal, reason: () => reasons.gone }],
      deadline: { ms: 10, reason: () => reasons.late },
    });
    clock.advance(9);
    expect(scope.signal.aborted).toBe(false);
    clock.advance(1);
    caller.abort();
    expect(scope.signal.reason).toBe(reasons.late);
  });

  it('is aborted from the start when its source is', () => {
    using scope = createCancelScope({
      clock: createFakeClock(),
      sources: [{ signal: AbortSignal.abort(), reason: () => reasons.gone }],
      deadline: null,
    });
    expect(scope.signal.reason).toBe(reasons.gone);
  });

  it('does nothing after it was disposed of', () => {
    const clock = createFakeClock();
    const scope = createCancelScope({
      clock,
      sources: [],
      deadline: { ms: 10, reason: () => reasons.late },
    });
    scope[Symbol.dispose]();
    clock.advance(20);
    expect(scope.signal.aborted).toBe(false);
  });
});
