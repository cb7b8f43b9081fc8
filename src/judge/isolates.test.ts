/** The order of runtimes. */
import { describe, expect, it } from 'vitest';

import { anEnvironment } from '../catalog/test-environment.ts';
import { hasIsolates, poolId, runtimesFor } from './isolates.ts';

const plain = anEnvironment();
const named = anEnvironment({ isolate: true });
const warm = {
  ...named,
  toolchain: { ...named.toolchain, isolateHost: { command: ['/host'], mounts: [] } },
};

describe('runtimesFor', () => {
  it('tries an isolate first where the environment has a host for them', () => {
    expect(runtimesFor(warm, { warm: true })).toEqual(['isolate', 'process']);
  });

  it('runs processes alone when asked to, or where there is no host', () => {
    expect(runtimesFor(warm, { warm: false })).toEqual(['process']);
    expect(runtimesFor(named, { warm: true })).toEqual(['process']);
    expect(runtimesFor(plain, { warm: true })).toEqual(['process']);
  });

  it('needs both the definition and the probe', () => {
    const undefinedHere = { ...warm, language: plain.language };
    expect([warm, named, undefinedHere].map(hasIsolates)).toEqual([true, false, false]);
  });

  it('keeps the pools of one environment apart', () => {
    expect([poolId(warm, 'process'), poolId(warm, 'isolate')]).toEqual(['toy', 'toy+isolate']);
  });
});
