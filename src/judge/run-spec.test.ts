/** What a runtime is told of its memory, at the ends of the range. */
import { describe, expect, it } from 'vitest';

import { LanguageDefinition } from '../domain/language.ts';
import { DEFAULT_MAXIMA, MINIMA, resolveLimits } from '../domain/limits.ts';
import { aDefinition } from '../catalog/test-environment.ts';
import { plannedMemory, runLimits } from './run-spec.ts';

const MIB = 1024 * 1024;

describe('plannedMemory', () => {
  const language = LanguageDefinition.parse(aDefinition({ extraMemoryMb: 128 }));

  it.each([
    [512 * MIB, 'v2', 512, 64],
    [512 * MIB, 'none', 512, 16],
    [32 * MIB, 'v1', 32, 32],
    [8 * MIB, 'none', 8, 8],
    [100 * MIB + 5, 'v2', 100, 64],
    [1, 'v2', MINIMA.memoryBytes / MIB, MINIMA.memoryBytes / MIB],
  ] as const)(
    'of %i bytes, cgroups %s: heap %i, stack %i MiB',
    (memoryBytes, cgroup, heap, stack) => {
      const { limits } = resolveLimits({ memoryBytes }, DEFAULT_MAXIMA);
      const run = runLimits(limits, language, cgroup);
      expect(run.memoryBytes).toBe(limits.memoryBytes + 128 * MIB);
      expect(plannedMemory(limits, run)).toEqual({ memoryMb: heap, stackMb: stack });
    },
  );
});
