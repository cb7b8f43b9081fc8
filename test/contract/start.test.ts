/** A jail that cannot be started is a fault that says why, and the sandbox works on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Fault } from '../../src/domain/errors.ts';
import type { JailPolicy, Sandbox } from '../../src/sandbox/port.ts';
import { POLICY, aCommand, gvisorWall, nsjailWall, openSession, skipNote } from './walls.ts';

const walls = [await nsjailWall('none'), await gvisorWall('none')];

describe.each(walls)('starts on $name', (wall) => {
  describe.skipIf(wall.missing !== null)(`a jail${skipNote(wall.missing)}`, () => {
    let sandbox: Sandbox;
    const failure = async (policy: JailPolicy): Promise<Fault> => {
      try {
        await openSession(await sandbox.start(policy), sandbox);
      } catch (error) {
        if (error instanceof Fault) return error;
        throw error;
      }
      throw new Error('it started');
    };

    beforeAll(async () => {
      sandbox = await wall.create({ jailsMax: 2 });
    });
    afterAll(async () => {
      await sandbox.close();
    });

    it('names the mount that is missing', async () => {
      const mounts = [{ kind: 'bind', source: '/nowhere/toolchain', target: '/x' } as const];
      const fault = await failure({ ...POLICY, mounts });
      expect(fault.code).toBe('jail_start_failed');
      expect(fault.detail).toContain('/nowhere/toolchain');
    });

    it('refuses a policy that is beyond a frame, before anything is started', async () => {
      const mounts = Array.from({ length: 5000 }, (_, n) => {
        return { kind: 'empty', target: `/${'x'.repeat(100)}${n}` } as const;
      });
      expect((await failure({ ...POLICY, mounts })).code).toBe('jail_start_failed');
    });

    it('refuses one jail more than it may have', async () => {
      const sessions = [];
      for (let n = 0; n < 2; n++) {
        sessions.push(await openSession(await sandbox.start(POLICY), sandbox));
      }
      const fault = await failure(POLICY);
      expect(fault.code).toBe('jail_start_failed');
      expect(fault.detail).toBe('2 jails are as many as may be');
      const [one] = sessions;
      expect((await one?.run(aCommand(['/bin/true'])))?.exitCode).toBe(0);
      await Promise.all(sessions.map((session) => session.close()));
    });

    it('shows a run nothing of the host but what was mounted', async () => {
      const session = await openSession(await sandbox.start(POLICY), sandbox);
      const seen = await session.run(aCommand(['/bin/ls', '-a', '/', '/etc', '/dev', '/run']));
      const env = await session.run(aCommand(['/usr/bin/env'], { env: { ONLY: 'this' } }));
      await session.close();
      const lines = new Set(Buffer.from(seen.stdout).toString().split('\n'));
      // The supervisor's own folders are under /run, covered: nothing of them may be listed.
      for (const name of [
        'supervisor',
        'skel',
        '0',
        '1',
        'p',
        'w',
        'root',
        'home',
        'shadow',
        'sys',
      ]) {
        expect(lines.has(name), name).toBe(false);
      }
      expect(lines.has('passwd')).toBe(true);
      expect(Buffer.from(env.stdout).toString()).toBe('ONLY=this\n');
    });
  });
});
