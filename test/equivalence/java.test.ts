/**
 * The two ways of compiling Java through the live service: by the compiler that is kept ready and by one that starts for
 * the program. Both must tell the same: success or not, exit code, every byte of what javac says, and the classes. What
 * the kept one may not decide must be found to be so, and it must be as good after a hostile program as before.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { findJdk } from '../../languages/shared/jdk.ts';
import type { RunResponse } from '../../src/http/native/schema/report.ts';
import { useLanguage } from '../support/languages.ts';
import { waitFor } from '../support/wait.ts';
import { DOUBTFUL, HOSTILE, TOLD } from './java/programs.ts';

/** Both files that a compile step leaves. */
const collect = ['main.jar', 'main.args'];
const HELLO = 'class Main { public static void main(String[] a) { System.out.println(1); } }';

type Compile = NonNullable<RunResponse['compile']>;

/** All that must be equal. */
function told({ compile, files }: RunResponse) {
  if (compile === null) return null;
  const { ok, exit_code, limit, stdout, stderr, stderr_bytes, stderr_truncated } = compile;
  return { ok, exit_code, limit, stdout, stderr, stderr_bytes, stderr_truncated, files };
}

describe('a Java compiler that is kept ready and one that starts', () => {
  const java = useLanguage('java', { '--compile-cache-mb': '0', '--self-test': 'none' });
  const run = async (code: string, warm: boolean, limits = {}): Promise<RunResponse> =>
    await java.service().client.run({ language: 'java', code, warm, collect, limits });
  /** Until a compiler is ready: at first, and after one that was used up. */
  const warmRun = async (code: string): Promise<RunResponse & { compile: Compile }> =>
    await waitFor(
      async () => {
        const { compile, ...rest } = await run(code, true);
        return compile?.warm === true ? { ...rest, compile } : null;
      },
      { what: 'a compiler that is ready', timeoutMs: 45_000 },
    );
  let isAvailable = false;
  beforeAll(async () => {
    const languages = await java.service().client.languages();
    isAvailable = languages.some(({ id, available }) => id === 'java' && available);
    if (isAvailable) await warmRun(HELLO);
  });
  beforeEach(({ skip }) => skip(!isAvailable, 'no Java on this host'));

  it.each(Object.entries(TOLD))('tell the same of %s', async (_name, code) => {
    const cold = await run(code, false);
    expect(cold.compile).toMatchObject({ warm: false });
    const warm = await warmRun(code);
    expect(told(warm)).toEqual(told(cold));
    // Nothing of the one is left for the other.
    expect(told(await run(code, true))).toEqual(told(cold));
  });

  it.each(Object.entries(DOUBTFUL))('leave %s to the one that starts', async (_name, code) => {
    await warmRun(HELLO);
    const doubtful = await run(code, true);
    expect(doubtful.compile).toMatchObject({ warm: false });
    expect(told(doubtful)).toEqual(told(await run(code, false)));
  });

  it('keep what is in several files to the one that starts', async () => {
    const files = {
      'Main.java': 'class Main { public static void main(String[] a) { Other.hello(); } }',
      'Other.java': 'class Other { static void hello() { System.out.println(1); } }',
    };
    const { client } = java.service();
    const report = await client.run({ language: 'java', files, entry: 'Main.java' });
    expect(report).toMatchObject({
      compile: { ok: true, warm: false },
      outcome: { stdout: '1\n' },
    });
  });

  it.each(HOSTILE)('end the same of a program with $name', async ({ code, kinds }) => {
    const limits = { compile_cpu_ms: 6000, compile_wall_ms: 25_000 };
    for (const warm of [true, false]) {
      const since = performance.now();
      const { outcome, compile, fault } = await run(code, warm, limits);
      expect(fault).toBeNull();
      expect(kinds).toContain(compile?.limit ?? (compile?.ok === true ? 'ok' : 'error'));
      expect(outcome?.kind === 'compile_error').toBe(compile?.ok === false);
      // Both limits, a tenth for the one that is kept, and what a busy host needs besides.
      expect(performance.now() - since).toBeLessThan(35_000);
    }
    expect(await warmRun(HELLO)).toMatchObject({ outcome: { stdout: '1\n' } });
  });

  it('compile no program with another one’s classes', async () => {
    await warmRun('class Helper { static int one() { return 1; } }');
    const { compile } = await warmRun(
      'class Main { public static void main(String[] a) { Helper.one(); } }',
    );
    expect(compile).toMatchObject({ ok: false, exit_code: 1 });
    expect(compile.stderr).toContain('cannot find symbol');
  });

  it('say what javac itself says on this host', async ({ skip }) => {
    const javac = path.join(findJdk().home, 'bin', 'javac');
    skip(!existsSync(javac), 'no javac');
    const folder = await mkdtemp(path.join(tmpdir(), 'assay-javac-'));
    try {
      for (const name of ['errors of many kinds', 'more errors than javac shows', 'a warning']) {
        const code = TOLD[name] ?? '';
        await writeFile(path.join(folder, 'Main.java'), code);
        const env = { LANG: 'C.UTF-8', PATH: '/usr/bin:/bin' };
        const options = { cwd: folder, encoding: 'utf8', env } as const;
        const args = ['-encoding', 'UTF-8', '-proc:none', 'Main.java'];
        const { status, stderr } = spawnSync(javac, args, options);
        const { compile } = await warmRun(code);
        expect(compile).toMatchObject({ exit_code: status, stderr });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
