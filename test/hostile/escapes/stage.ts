/** A service behind one wall for the table of escapes, with canaries and the guard that looks at the host after each row. */
import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import type { RealWall } from '../../../src/domain/wall.ts';
import { layCanaries } from '../../support/host-canaries.ts';
import { startService } from '../../support/service.ts';
import { createGuard } from '../../support/unharmed.ts';
import { attemptAll, type Manner } from './attempts.ts';
import type { Escape, Scene } from './escape.ts';

export interface Stage extends AsyncDisposable {
  /** Makes the attempts of a row and asserts that nothing outside of them has changed. */
  play(row: Escape, manner: Manner): Promise<void>;
}

const LANGUAGES = ['python', 'c', 'javascript'];
/** Of tests that call a function, so that the jails which hold such tests are there before the picture is taken. */
const WITH_TESTS = {
  language: 'python',
  code: 'def one():\n    return 1',
  tests: { kind: 'function' as const, entry: 'one', cases: [{ args: [], expected: 1 }] },
};

export async function openStage(wall: RealWall): Promise<Stage> {
  const text = `canary-${randomUUID()}`;
  await using stack = new AsyncDisposableStack();
  const service = stack.use(
    await startService({
      languages: LANGUAGES,
      // Rows look at what it logs, too.
      flags: { '--walls': wall, '--slots': '2', '--log-level': 'info' },
      environment: { ESCAPE_CANARY: text },
    }),
  );
  const canaries = stack.use(await layCanaries(service.pid, text));
  const warm = await service.client.judge(WITH_TESTS);
  if (warm.reward !== 1) throw new Error(`no function is tested: ${JSON.stringify(warm)}`);
  const guard = await createGuard(service, ['python', 'c']);
  const before = canaries.look();
  const scene: Scene = { service, wall, canaries };
  const owned = stack.move();
  return {
    async play(row, manner) {
      await attemptAll(row, scene, manner);
      expect(canaries.look()).toEqual(before);
      await guard.expectUnharmed();
    },
    [Symbol.asyncDispose]: async () => await owned.disposeAsync(),
  };
}
