/** Two leases as one, over pools of the fake wall: together, in turn, and given back when the second cannot be had. */
import { afterEach, describe, expect, it } from 'vitest';

import { LanguageDefinition } from '../domain/language.ts';
import { createFakeClock } from '../lib/fake-clock.ts';
import { EnvironmentPool } from '../pool/environment-pool.ts';
import { DEFAULT_RETIRE_RULES } from '../pool/slot.ts';
import { createFakeSandbox } from '../sandbox/fake/fake.ts';
import { leaseBoth } from './companion.ts';

const need = { signal: new AbortController().signal, memoryBytes: 1 };
const opened: EnvironmentPool[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});

function aPool(slots: number): EnvironmentPool {
  const clock = createFakeClock();
  const language = LanguageDefinition.parse({
    id: 'toy',
    title: 'Toy',
    aliases: [],
    sourceFile: 'main',
    probe: { program: 'none' },
    compile: null,
    run: { command: ['./main'], needsSource: true },
    selfTests: {},
  });
  const toolchain = { version: '1', tools: {}, mounts: [], packages: {} };
  const policy = { memoryMaxBytes: 1, processesMax: 1, stagingBytes: 1, mounts: [], warm: null };
  const pool = new EnvironmentPool({
    environment: { id: 'toy', language, toolchain, fingerprint: 'sha256:0' },
    policy: { environment: 'toy', ...policy },
    sandbox: createFakeSandbox({ clock }),
    clock,
    slots,
    rules: DEFAULT_RETIRE_RULES,
    helloTimeoutMs: 1000,
    onAnomaly: () => {},
  });
  opened.push(pool);
  return pool;
}

describe('leaseBoth', () => {
  it('gives as many pairs as there are slots at once, and each back', async () => {
    const [first, second] = [aPool(3), aPool(3)];
    const pairs = await Promise.all([1, 2, 3].map(() => leaseBoth(first, second, need)));
    expect(second.stats().leased).toBe(3);
    expect(new Set(pairs.map(({ companion }) => companion)).size).toBe(3);
    for (const pair of pairs) pair.release();
    expect([first.stats().leased, second.stats().leased]).toEqual([0, 0]);
  });

  it('discards both', async () => {
    const [first, second] = [aPool(1), aPool(1)];
    (await leaseBoth(first, second, need)).discard('fault');
    expect([first.stats().retired, second.stats().retired]).toEqual([{ fault: 1 }, { fault: 1 }]);
  });

  it('is one lease where no companion is asked for', async () => {
    expect((await leaseBoth(aPool(1), null, need)).companion).toBeNull();
  });

  it('gives the first back when the second cannot be had', async () => {
    const [first, second] = [aPool(1), aPool(1)];
    await second.close();
    await expect(leaseBoth(first, second, need)).rejects.toThrow('the pool is closed');
    expect(first.stats().leased).toBe(0);
  });
});
