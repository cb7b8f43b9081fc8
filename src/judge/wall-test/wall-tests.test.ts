/** When walls are tested: once at a time, again while nothing is known, and never again for a hole unless asked. */
import { describe, expect, it } from 'vitest';

import { Fault } from '../../domain/errors.ts';
import { createFakeClock } from '../../lib/fake-clock.ts';
import type { Sandbox } from '../../sandbox/port.ts';
import { doubtsOf } from '../walls.ts';
import type { WallTest } from './verdict.ts';
import { WallTests } from './wall-tests.ts';

/** A wall whose jails do not start; counts how often that was tried. */
function aBrokenWall() {
  let starts = 0;
  const sandbox: Sandbox = {
    wall: 'nsjail',
    cgroup: 'none',
    hasHosts: true,
    start: async () => {
      starts += 1;
      throw new Fault('jail_start_failed', 'no room');
    },
    kill: () => undefined,
    measure: async () => null,
    metCap: async () => false,
    close: async () => undefined,
  };
  return { sandbox, starts: () => starts };
}

function someTests() {
  const { sandbox, starts } = aBrokenWall();
  const clock = createFakeClock();
  const told: WallTest[] = [];
  const tests = new WallTests({
    sandboxes: [sandbox],
    clock,
    // Any file: no jail comes to execute it.
    probe: import.meta.filename,
    onTest: (test) => told.push(test),
  });
  return { tests, clock, starts, told };
}

const settle = async (tests: WallTests, starts: () => number, wanted: number): Promise<void> => {
  while (starts() < wanted) await new Promise(setImmediate);
  // The one under way.
  await tests.run();
};

describe('WallTests', () => {
  it('knows nothing before it is asked, and says so until the first test has ended', async () => {
    const { tests } = someTests();
    expect(tests.of('nsjail')).toBeNull();
    const started = tests.start();
    const first = tests.of('nsjail');
    expect(first).toMatchObject({ state: 'unknown', at: null });
    expect(doubtsOf([{ test: () => first }])).toEqual([
      'the wall nsjail is not proved: its test has not ended yet',
    ]);
    await started;
    expect(tests.of('nsjail')).toMatchObject({ state: 'unknown', reason: 'no room' });
    await tests.stop();
  });

  it('is one test for all who ask meanwhile', async () => {
    const { tests, starts, told } = someTests();
    const answers = await Promise.all([tests.run(), tests.run(), tests.run()]);
    expect(starts()).toBe(1);
    expect(told).toHaveLength(1);
    expect(answers.every((answer) => answer === answers[0])).toBe(true);
    await tests.run();
    expect(starts()).toBe(2);
    await tests.stop();
  });

  it('tries again while nothing is known, after pauses that double, until it is stopped', async () => {
    const { tests, clock, starts } = someTests();
    await tests.start();
    expect(starts()).toBe(1);
    clock.advance(999);
    expect(starts()).toBe(1);
    clock.advance(1);
    await settle(tests, starts, 2);
    const before = starts();
    await tests.stop();
    clock.advance(120_000);
    expect(starts()).toBe(before);
  });
});
