/**
 * The contract of the sandbox port, one suite for every wall. A wall that this host cannot offer is skipped with the
 * probe's reason in the name, so that the gap is read and not guessed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Fault } from '../../src/domain/errors.ts';
import type { RawExit } from '../../src/domain/outcome.ts';
import type { Session } from '../../src/runner/session.ts';
import type { Sandbox } from '../../src/sandbox/port.ts';
import { waitFor } from '../support/wait.ts';
import { allWalls, openSession, skipNote } from './walls.ts';

const MIB = 1024 * 1024;
const walls = await allWalls();

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

function faultCode(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? error.code : String(error)),
  );
}

for (const wall of walls) {
  describe.skipIf(wall.missing !== null)(`${wall.name}${skipNote(wall.missing)}`, () => {
    let sandbox: Sandbox;
    const start = async (): Promise<Session> => {
      return openSession(await sandbox.start(wall.policy), sandbox);
    };
    const once = async (...args: Parameters<typeof wall.run>): Promise<RawExit> => {
      const session = await start();
      const exit = await session.run(wall.run(...args));
      await session.close();
      return exit;
    };

    beforeAll(async () => {
      sandbox = await wall.create();
    });
    afterAll(async () => {
      await sandbox.close();
    });

    it('talks with a live run, and its end ends the wait of whoever still writes', async () => {
      const session = await start();
      const heard: string[] = [];
      const onOutput = (_: string, bytes: Uint8Array): undefined => void heard.push(text(bytes));
      const talk = session.converse(wall.run('echo'), { onOutput });
      for (const word of ['one', 'two']) {
        await talk.write(Buffer.from(word));
        await expect.poll(() => heard.join('')).toContain(word);
      }
      talk.end();
      expect(await talk.exit).toMatchObject({ cause: 'exited', exitCode: 0, stdoutBytes: 6 });
      const silent = session.converse(
        wall.run('silent', { limits: { ...wall.run('silent').limits, wallMs: 300 } }),
        { onOutput },
      );
      await silent.write(Buffer.alloc(MIB));
      expect(await silent.exit).toMatchObject({ cause: 'wall', stdinUnread: true });
      await session.close();
    });

    it('starts a jail that says HELLO with a name of its own', async () => {
      const [one, two] = [await start(), await start()];
      expect(one.hello.name).not.toBe(two.hello.name);
      expect(one.hello.cgroup).toBe(sandbox.cgroup);
      expect(one.hello.baseline.processes).toBeGreaterThan(0);
      await Promise.all([one.close(), two.close()]);
    });

    it('tells what each jail holds in memory, and nothing of one that is gone', async () => {
      const [one, two] = [await start(), await start()];
      for (const { hello } of [one, two]) {
        const bytes = await sandbox.measure(hello.name);
        expect(bytes).toBeGreaterThan(wall.idleBytes.least);
        expect(bytes).toBeLessThan(wall.idleBytes.most);
      }
      await one.close();
      const gone = await waitFor(
        async () => ((await sandbox.measure(one.hello.name)) === null ? true : null),
        { what: 'the end of the jail', timeoutMs: 10_000 },
      );
      expect(gone).toBe(true);
      expect(await sandbox.measure(two.hello.name)).not.toBeNull();
      expect(await sandbox.measure('jail-none')).toBeNull();
      await two.close();
    });

    it('reports exit code and both streams exactly', async () => {
      const exit = await once('hello');
      expect(exit).toMatchObject({ cause: 'exited', exitCode: 3, signal: null });
      expect([text(exit.stdout), text(exit.stderr)]).toEqual(['hello', 'oops']);
      expect([exit.stdoutBytes, exit.stderrBytes]).toEqual([5, 4]);
    });

    it('reports the signal that ended the program', async () => {
      expect(await once('crash')).toMatchObject({ cause: 'signalled', exitCode: null, signal: 11 });
    });

    it('hands every byte of stdin through, up to its cap on the way back', async () => {
      const stdin = Buffer.alloc(2 * MIB);
      for (let at = 0; at < stdin.length; at++) stdin[at] = (at * 31) & 0xff;
      const exit = await once('echo', { stdin });
      expect(exit).toMatchObject({ cause: 'exited', exitCode: 0, stdoutTruncated: false });
      expect(Buffer.compare(exit.stdout, stdin)).toBe(0);
    });

    it('ends a run at the output cap, and keeps exactly the cap', async () => {
      const exit = await once('flood');
      expect(exit).toMatchObject({
        cause: 'output',
        stdoutTruncated: true,
        stderrTruncated: false,
      });
      expect(exit.stdout).toHaveLength(2 * MIB);
      expect(exit.stdoutBytes).toBeGreaterThan(2 * MIB);
    });

    it('collects what was made and says what was not', async () => {
      const exit = await once('collect', { collect: ['missing', 'made'] });
      expect(exit.collected.map((file) => [file.path, file.status, text(file.content)])).toEqual([
        ['missing', 'missing', ''],
        ['made', 'ok', '12345'],
      ]);
    });

    it('answers three runs sent at once in order', async () => {
      const session = await start();
      const inputs = ['a', 'b', 'c'];
      const runs = inputs.map((input) =>
        session.run(wall.run('echo', { stdin: Buffer.from(input) })),
      );
      expect((await Promise.all(runs)).map(({ stdout }) => text(stdout))).toEqual(inputs);
      await session.close();
    });

    it('cancels the run and the one behind it, then works on', async () => {
      const session = await start();
      const runs = [wall.run('sleep'), wall.run('sleep')].map((spec) => session.run(spec));
      await session.run(wall.run('sleep'), { signal: AbortSignal.abort() });
      session.cancel();
      expect((await Promise.all(runs)).map(({ cause }) => cause)).toEqual([
        'cancelled',
        'cancelled',
      ]);
      expect((await session.run(wall.run('hello'))).exitCode).toBe(3);
      await session.close();
    });

    it('cancels again and again without losing its place', async () => {
      const session = await start();
      for (let turn = 0; turn < 20; turn++) {
        const runs = ['echo', 'hello', 'sleep'].map((name) =>
          session.run(wall.run(name === 'echo' ? 'echo' : name === 'hello' ? 'hello' : 'sleep')),
        );
        for (let tick = 0; tick < turn; tick++)
          await new Promise((resolve) => setImmediate(resolve));
        session.cancel();
        for (const { cause } of await Promise.all(runs))
          expect(['cancelled', 'exited']).toContain(cause);
      }
      expect(await session.reset()).toMatchObject({ clean: true });
      await session.close();
    });

    it('is clean after a reset, and at its baseline', async () => {
      const session = await start();
      await session.run(wall.run('collect'));
      await session.run(wall.run('flood'));
      expect(await session.reset()).toMatchObject({ clean: true, ...session.hello.baseline });
      expect((await session.run(wall.run('hello'))).exitCode).toBe(3);
      await session.close();
    });

    it('rejects what is under way when it is closed, and ends', async () => {
      const jail = await sandbox.start(wall.policy);
      const session = await openSession(jail, sandbox);
      const code = faultCode(session.run(wall.run('sleep')));
      await session.close();
      expect(await code).toBe('jail_died');
      expect((await jail.closed).reason).toBe('closed by the service');
    });

    it('kills a jail by its name, which is a fault of the runs in it', async () => {
      const session = await start();
      const code = faultCode(session.run(wall.run('sleep')));
      sandbox.kill(session.hello.name);
      expect(await code).toBe('jail_died');
      expect(session.failure?.code).toBe('jail_died');
    });

    it('refuses jails once it is closed, and closes twice', async () => {
      const other = await wall.create();
      const session = await openSession(await other.start(wall.policy), other);
      await Promise.all([other.close(), other.close()]);
      expect(await faultCode(session.run(wall.run('hello')))).toBe('jail_died');
      expect(await faultCode(other.start(wall.policy))).toBe('jail_start_failed');
    });
  });
}
