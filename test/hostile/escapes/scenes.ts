/** What several rows play. */
import { expect } from 'vitest';

import { aRun } from '../../support/builders.ts';
import { hostileProgram } from '../../support/hostile-program.ts';
import type { Scene } from './escape.ts';

const ROUNDS = 2;

/** Runs that look for what others left and leave all they can, so many at the same moment, one round after the other. */
export async function findsNothing(
  { service }: Scene,
  { together }: { readonly together: number },
): Promise<void> {
  const given = aRun({
    ...hostileProgram('leftovers/leave-and-look.c'),
    files: { 'data.txt': 'data' },
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const outcomes = await Promise.all(
      Array.from({ length: together }, () => service.client.outcome(given)),
    );
    expect(outcomes.map(({ stdout }) => stdout)).toEqual(outcomes.map(() => 'clean\n'));
  }
}
