/**
 * The compile cache through the live service: identical submissions compile once, also over a restart; whatever is
 * different is compiled; a program cannot tell which happened to it.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aJudge, type JudgeRequestBody } from '../support/builders.ts';
import { startService, type RunningService } from '../support/service.ts';

const FLAGS = { '--slots': '2', '--self-test': 'none' };
const cases = [{ stdin: '17 25\n', expected_stdout: '42\n' }];

/** Adds two numbers; `note` makes it another program. */
const sum = (note: string): string => `#include <stdio.h>
int main(void) { int a, b; if (scanf("%d %d", &a, &b) != 2) return 1; printf("%d\\n", a + b); }
/* ${note} */`;

/** Says what lies beside it, and what of it can be executed. */
const LIST = `#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
int main(void) {
  struct dirent *e;
  for (DIR *d = opendir("."); (e = readdir(d));) {
    struct stat s;
    if (e->d_name[0] != '.' && stat(e->d_name, &s) == 0)
      printf("%s %lld %o\\n", e->d_name, (long long)s.st_size, s.st_mode & 0777);
  }
}`;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ languages: ['c', 'cpp'], flags: FLAGS });
});
afterAll(async () => await service.stop());

const judge = async (code: string, given: Partial<JudgeRequestBody> = {}) => {
  const report = await service.client.judge(aJudge({ language: 'c', code, cases, ...given }));
  return { verdict: report.verdict, cached: report.compile?.cached, report };
};
const counts = async () => {
  const { compile_cache: cache } = await service.client.stats();
  if (cache === null) throw new Error('no cache');
  return cache;
};

describe('compile cache', () => {
  it('identical submissions at once compile once', async () => {
    const before = await counts();
    const code = sum('at once');
    const answers = await Promise.all(Array.from({ length: 8 }, async () => await judge(code)));
    expect(answers.map(({ verdict }) => verdict)).toEqual(Array(8).fill('accepted'));
    expect(answers.filter(({ cached }) => cached === false).length).toBe(1);
    const { misses, hits, shared } = await counts();
    expect(misses - before.misses).toBe(1);
    expect(hits + shared - before.hits - before.shared).toBe(7);
  });

  it('what was compiled is there in a few milliseconds, with the first one’s figures', async () => {
    const code = sum('seen before');
    const { report: first } = await judge(code);
    const { report: second } = await judge(code);
    expect(second.compile).toEqual({ ...first.compile, cached: true, warm: false });
    expect(first.phases.compile_ms).toBeGreaterThan(second.phases.compile_ms);
    const times = [];
    for (let i = 0; i < 20; i += 1) times.push((await judge(code)).report.phases.compile_ms);
    times.sort((a, b) => a - b);
    expect(times[10]).toBeLessThan(10);
  });

  it('another environment, file, name or limit is compiled', async () => {
    const code = sum('differences');
    const files = { 'main.c': '#include "add.h"\n#include <stdio.h>\nint main(void) { puts(X); }' };
    const entry = { entry: 'main.c', code: undefined };
    const withHeader = (x: string) => ({
      ...entry,
      files: { ...files, 'add.h': `#define X "${x}"` },
    });
    expect((await judge(code)).cached).toBe(false);
    expect(await judge(code, { environment: 'c11' })).toMatchObject({ cached: false });
    expect(await judge(code, { limits: { compile_cpu_ms: 9000 } })).toMatchObject({
      cached: false,
    });
    expect(await judge(code, { limits: { cpu_ms: 900 } })).toMatchObject({ cached: true });
    const right = await judge('', withHeader('42'));
    const wrong = await judge('', withHeader('43'));
    expect([right.verdict, right.cached]).toEqual(['accepted', false]);
    expect([wrong.verdict, wrong.cached]).toEqual(['wrong_answer', false]);
    expect(await judge('', withHeader('42'))).toMatchObject({ verdict: 'accepted', cached: true });
  });

  it('a compile error is kept with its text', async () => {
    const first = await judge('int main(void) { return x; }');
    const second = await judge('int main(void) { return x; }');
    expect([first.verdict, first.cached]).toEqual(['compile_error', false]);
    expect([second.verdict, second.cached]).toEqual(['compile_error', true]);
    expect(second.report.compile?.stderr).toContain('undeclared');
    expect(second.report.compile?.stderr).toBe(first.report.compile?.stderr);
  });

  it('a compile step that meets a limit is never kept', async () => {
    const code = `#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define C(x) B(B(x))
int main(void) { C(C(;)) return 0; }`;
    const limits = { compile_cpu_ms: 200 };
    for (let i = 0; i < 2; i += 1) {
      const { verdict, cached, report } = await judge(code, { limits });
      expect([verdict, cached]).toEqual(['compile_error', false]);
      // On a busy machine the wall limit may come first.
      expect(['cpu', 'wall']).toContain(report.compile?.limit);
    }
  });

  it('a program cannot tell whether it was compiled just now', async () => {
    const request = { language: 'c', files: { 'main.c': LIST, 'data.txt': 'x' }, entry: 'main.c' };
    const first = await service.client.run(request);
    const second = await service.client.run(request);
    expect([first.compile?.cached, second.compile?.cached]).toEqual([false, true]);
    expect(first.outcome?.stdout).toMatch(/^(?:data\.txt 1 644\n|main \d+ 755\n){2}$/);
    expect(second.outcome?.stdout).toBe(first.outcome?.stdout);
  });

  it('a file that was changed on disk is compiled again', async () => {
    const code = sum('changed on disk');
    await judge(code);
    const folder = path.join(service.stateDir, 'compile-cache');
    for (const name of await readdir(folder)) {
      const bytes = await readFile(path.join(folder, name));
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
      await writeFile(path.join(folder, name), bytes);
    }
    expect(await judge(code)).toMatchObject({ verdict: 'accepted', cached: false });
    expect(await judge(code)).toMatchObject({ verdict: 'accepted', cached: true });
    expect((await counts()).corrupt).toBe(1);
  });

  it('a restart keeps what was compiled', async () => {
    const code = sum('restart');
    await judge(code);
    await service.stop({ keepState: true });
    service = await startService({
      languages: ['c', 'cpp'],
      stateDir: service.stateDir,
      flags: FLAGS,
    });
    expect(await judge(code)).toMatchObject({ verdict: 'accepted', cached: true });
    expect(await counts()).toMatchObject({ hits: 1, misses: 0 });
  });

  it('a caller that leaves while it compiles does not take the others along', async () => {
    const code = `#include <bits/stdc++.h>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }`;
    const request = aJudge({ language: 'cpp', code, cases });
    const gone = new AbortController();
    const leaving = service.client.judge(request, { signal: gone.signal });
    const staying = service.client.judge(request);
    setTimeout(() => gone.abort(), 100);
    await expect(leaving).rejects.toThrow('abort');
    expect(await staying).toMatchObject({ verdict: 'accepted' });
  });

  it('with no room for it, everything is compiled', async () => {
    await using plain = await startService({
      languages: ['c', 'cpp'],
      flags: { ...FLAGS, '--compile-cache-mb': '0' },
    });
    const request = aJudge({ language: 'c', code: sum('no room'), cases });
    for (let i = 0; i < 2; i += 1) {
      const { verdict, compile } = await plain.client.judge(request);
      expect([verdict, compile?.cached]).toEqual(['accepted', false]);
    }
    expect((await plain.client.stats()).compile_cache).toBeNull();
  });
});
