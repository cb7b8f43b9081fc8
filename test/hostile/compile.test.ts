/** Attacks on the compile step: it runs behind the same wall, with limits of its own, and quotes nothing of the host. */
import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { aJudge } from '../support/builders.ts';
import { hostileProgram } from '../support/hostile-program.ts';
import { useArena } from './hostile-suite.ts';

const LIMITS = { compile_cpu_ms: 3000, compile_wall_ms: 15_000 };
/** What a report shows of the compiler's words in the default detail, bytes. */
const EXCERPT_BYTES = 4096;

interface CompileRow {
  readonly program: string;
  readonly verdicts: readonly string[];
}

const REFUSED = ['compile_error'];
const ROWS: readonly CompileRow[] = [
  { program: 'compile/include-host.c', verdicts: REFUSED },
  { program: 'compile/include-random.c', verdicts: REFUSED },
  { program: 'compile/include-zero.c', verdicts: REFUSED },
  { program: 'compile/include-stdin.c', verdicts: ['compile_error', 'wrong_answer'] },
  { program: 'compile/incbin.c', verdicts: REFUSED },
  { program: 'compile/incbin-zero.c', verdicts: REFUSED },
  { program: 'compile/large-object.c', verdicts: REFUSED },
  { program: 'compile/macro-bomb.c', verdicts: REFUSED },
  { program: 'compile/template-bomb.cpp', verdicts: REFUSED },
  { program: 'compile/template-depth.cpp', verdicts: REFUSED },
  { program: 'compile/flood.c', verdicts: ['compile_error', 'wrong_answer'] },
];

describe('the compile step', () => {
  const arena = useArena({ languages: ['cpp'] });

  it.each(ROWS)('contains $program', async ({ program, verdicts }) => {
    const { client, pid } = arena.service();
    const report = await client.judge(aJudge({ ...hostileProgram(program), limits: LIMITS }));
    expect(report.fault).toBeNull();
    expect(verdicts).toContain(report.verdict);
    expect(report.reward).toBe(0);
    expect(Buffer.byteLength(report.compile?.stderr ?? '')).toBeLessThanOrEqual(EXCERPT_BYTES);
    const text = JSON.stringify(report);
    for (const secret of await secrets(pid)) expect(text).not.toContain(secret);
    await arena.guard().expectUnharmed();
  });

  it('says that a compiled program is too large to keep', async () => {
    const code = 'char array[70 << 20] = { 1 };\nint main(void) { return 0; }\n';
    const report = await arena.service().client.judge(aJudge({ language: 'c', code }));
    expect(report).toMatchObject({ verdict: 'compile_error', reward: 0, fault: null });
    expect(report.compile).toMatchObject({ ok: false, exit_code: 0, limit: 'disk' });
    expect(report.compile?.stderr).toMatch(/^assay: the artefact main .* larger than \d+ bytes$/m);
    await arena.guard().expectUnharmed();
  });

  it('says what is wrong, and where', async () => {
    const report = await arena
      .service()
      .client.judge(aJudge({ language: 'c', code: 'int main(void) {\n  return undeclared;\n}\n' }));
    expect(report).toMatchObject({ verdict: 'compile_error', reward: 0, cases: [] });
    expect(report.compile?.stderr).toMatch(/main\.c:2:.*undeclared/);
  });
});

/** Texts that no answer may hold: lines of the host's files, variables of the service. */
async function secrets(pid: number): Promise<readonly string[]> {
  const passwd = await readFile('/etc/passwd', 'utf8');
  const shadow = await readFile('/etc/shadow', 'utf8').catch(() => '');
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  return [...passwd.split('\n'), ...shadow.split('\n'), ...environment.split('\0')].filter(
    (line) => line.length > 10,
  );
}
