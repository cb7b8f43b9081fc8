/** The pool over the fake wall: making ahead, leasing, checking, retiring, replacing, failing starts, closing. */
import { afterEach, describe, expect, it } from 'vitest';

import { Fault } from '../domain/errors.ts';
import { LanguageDefinition, type Environment } from '../domain/language.ts';
import { createFakeClock, type FakeClock } from '../lib/fake-clock.ts';
import {
  createFakeSandbox,
  type FakeSandbox,
  type FakeSandboxOptions,
} from '../sandbox/fake/fake.ts';
import { EnvironmentPool, type Lease } from './environment-pool.ts';
import { MemoryBudget } from './memory-budget.ts';
import { DEFAULT_RETIRE_RULES, type RetireReason, type RetireRules } from './slot.ts';

const never = new AbortController().signal;

const environment: Environment = {
  id: 'toy',
  language: LanguageDefinition.parse({
    id: 'toy',
    title: 'Toy',
    aliases: [],
    sourceFile: 'main',
    probe: { program: 'none' },
    compile: null,
    run: { command: ['./main'], needsSource: true },
    selfTests: {},
  }),
  toolchain: { version: '1', tools: {}, mounts: [], packages: {} },
  fingerprint: 'sha256:0',
};

interface Setup {
  readonly pool: EnvironmentPool;
  readonly sandbox: FakeSandbox;
  readonly clock: FakeClock;
  readonly anomalies: RetireReason[];
}

const opened: EnvironmentPool[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});

function aPool(
  options: Omit<FakeSandboxOptions, 'clock'> & {
    slots?: number;
    rules?: Partial<RetireRules>;
    budget?: MemoryBudget;
    isHelper?: boolean;
  } = {},
): Setup {
  const { slots = 2, rules = {}, budget, isHelper = false, ...fake } = options;
  const clock = createFakeClock();
  const sandbox = createFakeSandbox({ clock, ...fake });
  const anomalies: RetireReason[] = [];
  const pool = new EnvironmentPool({
    environment,
    policy: {
      environment: 'toy',
      mounts: [],
      memoryMaxBytes: 1,
      processesMax: 1,
      stagingBytes: 1,
      warm: null,
    },
    sandbox,
    clock,
    slots,
    rules: { ...DEFAULT_RETIRE_RULES, ...rules },
    helloTimeoutMs: 1000,
    isHelper,
    ...(budget === undefined ? {} : { budget }),
    onAnomaly: ({ reason }) => anomalies.push(reason),
  });
  opened.push(pool);
  pool.start();
  return { pool, sandbox, clock, anomalies };
}

/** Lets everything that waits on streams and promises happen. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

describe('EnvironmentPool', () => {
  it('has a jail ready before anyone asks, and leases it warm', async () => {
    const { pool, sandbox } = aPool();
    await settle();
    expect(sandbox.startCount).toBe(1);
    const lease = await pool.acquire(never);
    expect(lease.acquire).toBe('warm');
    expect(lease.jail).toBe('jail-1');
    await settle();
    // The next one is made while the first is used.
    expect(pool.stats()).toMatchObject({ ready: 1, leased: 1 });
  });

  it('gives a jail back after a clean check', async () => {
    const { pool, sandbox } = aPool();
    await settle();
    const lease = await pool.acquire(never);
    lease.release();
    lease.release();
    await settle();
    expect(pool.stats()).toMatchObject({ leased: 0 });
    expect(sandbox.jailCount).toBe(pool.stats().ready);
  });

  it('never hands one jail to two callers', async () => {
    const { pool } = aPool({ slots: 4 });
    const leases = await Promise.all([1, 2, 3, 4].map(() => pool.acquire(never)));
    expect(new Set(leases.map(({ jail }) => jail)).size).toBe(4);
  });

  it('hands a returned jail to who waits for one', async () => {
    const starts: number[] = [];
    const { pool } = aPool({
      slots: 1,
      onStart: (number) => (starts.push(number), number > 1 ? 'silent' : 'ok'),
    });
    await settle();
    const first = await pool.acquire(never);
    const second = pool.acquire(never);
    await settle();
    first.release();
    expect((await second).jail).toBe(first.jail);
    expect((await second).acquire).toBe('cold');
  });

  it.each([
    ['dirty', { isClean: () => false }],
    ['leases', { rules: { leasesMax: 1 } }],
    ['memory', { rules: { memoryGrowthMaxBytes: -1 } }],
  ] as const)(
    'ends a jail for reason %s after its lease and replaces it',
    async (reason, options) => {
      const { pool } = aPool(options);
      await settle();
      const lease = await pool.acquire(never);
      lease.release();
      await settle();
      expect(pool.stats().retired).toMatchObject({ [reason]: 1 });
      expect((await pool.acquire(never)).jail).not.toBe(lease.jail);
    },
  );

  it('retires a jail by age', async () => {
    const { pool, clock } = aPool({ rules: { ageMaxMs: 10 } });
    await settle();
    const lease = await pool.acquire(never);
    clock.advance(11);
    lease.release();
    await settle();
    expect(pool.stats().retired).toMatchObject({ age: 1 });
  });

  it('replaces a jail that ends by itself, also while it is leased', async () => {
    const { pool, sandbox, anomalies } = aPool();
    await settle();
    const lease = await pool.acquire(never);
    sandbox.kill(lease.jail);
    await settle();
    expect(anomalies).toEqual(['died']);
    expect(lease.session.failure).toBeInstanceOf(Fault);
    lease.discard('fault');
    expect(pool.stats().leased).toBe(0);
    expect((await pool.acquire(never)).jail).not.toBe(lease.jail);
  });

  it('tells who waits that a jail cannot be started, and tries again later', async () => {
    let isBroken = true;
    const { pool, clock, anomalies } = aPool({ onStart: () => (isBroken ? 'refused' : 'ok') });
    const failing = pool.acquire(never).catch((error: unknown) => error);
    // Who comes while starts are paused learns of the next one.
    await settle();
    clock.advance(10_000);
    expect(await failing).toMatchObject({ code: 'jail_start_failed' });
    expect(anomalies).toContain('start_failed');
    expect(pool.startFailures).toBeGreaterThan(0);
    isBroken = false;
    clock.advance(10_000);
    await settle();
    expect((await pool.acquire(never)).acquire).toBe('warm');
    expect(pool.startFailures).toBe(0);
  });

  it('starts another jail at once for who waits when the first did not start', async () => {
    const { pool, anomalies } = aPool({ onStart: (number) => (number <= 1 ? 'refused' : 'ok') });
    await pool.acquire(never);
    expect(anomalies).toEqual(['start_failed']);
    expect(pool.startFailures).toBe(0);
  });

  it('does not try in a tight loop while starts fail', async () => {
    const { sandbox, clock } = aPool({ onStart: () => 'refused' });
    for (let second = 0; second < 20; second += 1) {
      clock.advance(1000);
      await settle();
    }
    expect(sandbox.startCount).toBeLessThan(15);
  });

  it('gives up a jail that never says hello', async () => {
    const { pool, clock } = aPool({ onStart: () => 'silent' });
    const failed = pool.acquire(never).catch((error: unknown) => error);
    await settle();
    clock.advance(1001);
    expect(await failed).toMatchObject({ code: 'jail_start_failed' });
  });

  it('lets a caller leave who waits, with the reason of its signal', async () => {
    const { pool } = aPool({ onStart: () => 'silent' });
    const leaving = new AbortController();
    const waiting = pool.acquire(leaving.signal).catch((error: unknown) => error);
    leaving.abort(new Error('gone'));
    expect(await waiting).toMatchObject({ message: 'gone' });
  });

  it('never has more jails than slots and one spare, and shrinks when demand is over', async () => {
    const { pool, sandbox, clock } = aPool({ slots: 4 });
    const leases: Lease[] = await Promise.all([1, 2, 3, 4].map(() => pool.acquire(never)));
    await settle();
    expect(sandbox.jailCount).toBeLessThanOrEqual(5);
    for (const lease of leases) lease.release();
    await settle();
    clock.advance(61_000);
    await settle();
    clock.advance(61_000);
    await settle();
    expect(sandbox.jailCount).toBe(1);
  });

  it('leaves no jail behind when it closes, not even one that is starting or leased', async () => {
    const { pool, sandbox } = aPool({ slots: 4 });
    await pool.acquire(never);
    void pool.acquire(never).catch(() => undefined);
    await pool.close();
    await settle();
    expect(sandbox.jailCount).toBe(0);
    expect(await pool.acquire(never).catch((error: unknown) => error)).toBeInstanceOf(Fault);
  });

  it('tells how long leases were waited for, warm and cold apart, and how many found a jail', async () => {
    const { pool } = aPool({ slots: 1 });
    await settle();
    const first = await pool.acquire(never);
    const second = pool.acquire(never);
    first.release();
    (await second).release();
    const { warmHitRate, acquireMs, acquireWarmMs, acquireColdMs } = pool.stats();
    expect(warmHitRate).toBe(0.5);
    const none = { p50: 0, p95: 0, p99: 0 };
    expect([acquireMs, acquireWarmMs, acquireColdMs]).toEqual([none, none, none]);
  });

  it('holds more jails while a peak is recent', async () => {
    const { pool, clock } = aPool({ slots: 8 });
    const leases = await Promise.all([1, 2, 3, 4, 5].map(() => pool.acquire(never)));
    for (const lease of leases) lease.release();
    await settle();
    expect(pool.stats()).toMatchObject({ target: 6, ready: 6 });
    clock.advance(61_000);
    await settle();
    expect(pool.stats()).toMatchObject({ target: 1, ready: 1, retired: { surplus: 5 } });
  });

  it('measures its idle jails, one at a time, and tells what one holds', async () => {
    const budget = new MemoryBudget(1e9);
    const { pool, clock } = aPool({ budget, size: (number) => number * 1000 });
    await settle();
    expect(pool.stats().idleBytes).toBeNull();
    clock.advance(5000);
    await settle();
    expect(pool.stats().idleBytes).toBe(1000);
    expect(budget.stats().idleBytes).toBe(1000);
  });

  it('measures no jail that is leased', async () => {
    const { pool, clock } = aPool({ slots: 1, size: () => 1000, onStart: firstAlone });
    await settle();
    const lease = await pool.acquire(never);
    clock.advance(5000);
    await settle();
    expect(pool.stats().idleBytes).toBeNull();
    lease.release();
    await settle();
    clock.advance(5000);
    await settle();
    expect(pool.stats().idleBytes).toBe(1000);
  });

  it('makes no jail ahead that does not fit into memory, but one for who waits', async () => {
    const budget = new MemoryBudget(1e6);
    const { pool, sandbox } = aPool({ budget, slots: 4 });
    await settle();
    expect(sandbox.startCount).toBe(0);
    expect(budget.stats().refused).toBeGreaterThan(0);
    const lease = await pool.acquire(never, 1000);
    expect(lease.acquire).toBe('cold');
    await settle();
    expect(sandbox.jailCount).toBe(1);
  });

  it('gives up a ready jail where another environment needs its memory, and gets it back', async () => {
    const budget = new MemoryBudget(20e6);
    const { pool, clock } = aPool({ budget });
    await settle();
    expect(pool.stats().ready).toBe(1);
    const run = await budget.busy(19e6, never);
    expect(pool.stats()).toMatchObject({ ready: 0, retired: { reclaimed: 1 } });
    run.release();
    clock.advance(5000);
    await settle();
    expect(pool.stats().ready).toBe(1);
  });

  it('lets leases wait while the limits of those under way fill the memory', async () => {
    const { pool } = aPool({ budget: new MemoryBudget(100e6), slots: 4 });
    const first = await pool.acquire(never, 60e6);
    let isServed = false;
    const second = pool.acquire(never, 60e6).then((lease) => {
      isServed = true;
      return lease;
    });
    await settle();
    expect(isServed).toBe(false);
    first.release();
    expect((await second).jail).toMatch(/^jail-/);
  });

  it('lets nobody wait for memory who asks for none, as a companion of a jail that holds some', async () => {
    const budget = new MemoryBudget(100e6);
    const { pool } = aPool({ budget, slots: 4 });
    await pool.acquire(never, 90e6);
    void pool.acquire(never, 90e6);
    const companion = await pool.acquire(never, null);
    expect(budget.stats()).toMatchObject({ busyBytes: 90e6, waiting: 1 });
    companion.release();
  });

  it('replaces a jail that was idle for too long, and has one ready all the time', async () => {
    const { pool, sandbox, clock } = aPool({ rules: { idleMaxMs: 60_000 } });
    await settle();
    for (let second = 0; second < 70; second += 5) {
      clock.advance(5000);
      expect(pool.stats().ready).toBeGreaterThanOrEqual(1);
      await settle();
    }
    expect(pool.stats().retired).toEqual({ idle: 1 });
    expect(sandbox.startCount).toBe(2);
    expect((await pool.acquire(never)).jail).toBe('jail-2');
  });

  it('holds no helper before it is asked for, and none long after', async () => {
    const { pool, sandbox, clock } = aPool({ isHelper: true });
    await settle();
    expect(sandbox.startCount).toBe(0);
    expect(pool.tryAcquire()).toBeNull();
    await settle();
    expect(pool.stats().target).toBe(2);
    const lease = pool.tryAcquire();
    expect(lease?.acquire).toBe('warm');
    lease?.release();
    await settle();
    clock.advance(599_000);
    await settle();
    expect(sandbox.jailCount).toBe(1);
    clock.advance(10_000);
    await settle();
    expect(sandbox.jailCount).toBe(0);
  });

  it('replaces helpers that are used up one after the other ever more slowly', async () => {
    const { pool, sandbox, clock } = aPool({ isHelper: true });
    pool.tryAcquire();
    for (let second = 0; second < 60; second += 1) {
      await settle();
      pool.tryAcquire()?.discard('used_up');
      clock.advance(1000);
    }
    expect(sandbox.startCount).toBeGreaterThan(3);
    expect(sandbox.startCount).toBeLessThan(20);
  });
});

/** Of the starts, only the first one succeeds. */
function firstAlone(number: number): 'ok' | 'silent' {
  return number === 1 ? 'ok' : 'silent';
}
