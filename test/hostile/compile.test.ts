/** Attacks on the compile step: it runs behind the same wall, with limits of its own, and quotes nothing of the host. */
import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import type { RealWall } from '../../src/domain/wall.ts';
import { gvisorWall, skipNote } from '../contract/walls.ts';
import { aJudge, aRun } from '../support/builders.ts';
import { hostileProgram, languageOf } from '../support/hostile-program.ts';
import { useArena, type Arena } from './hostile-suite.ts';

/** Behind gVisor, where compilers take three times as long, in the long proof. */
const isProof = process.env['ASSAY_TEST_ESCAPES'] === 'all';
const WALLS: readonly { wall: RealWall; missing: string | null }[] = [
  { wall: 'nsjail', missing: null },
  ...(isProof ? [{ wall: 'gvisor' as const, missing: (await gvisorWall('auto')).missing }] : []),
];
const LIMITS = { compile_cpu_ms: 2000, compile_wall_ms: 15_000 };
/** What a report shows of the compiler's words in the default detail, bytes. */
const EXCERPT_BYTES = 4096;

interface CompileRow {
  /** File below `programs/compile/`, or what is attempted by several. */
  readonly attack: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly verdicts: readonly string[];
  /** What the compiler must have said, so that the attempt was one. */
  readonly said?: RegExp;
}

const REFUSED = ['compile_error'];
const ROWS: readonly CompileRow[] = [
  { attack: 'include-host.c', verdicts: REFUSED },
  { attack: 'include-random.c', verdicts: REFUSED },
  { attack: 'include-zero.c', verdicts: REFUSED },
  { attack: 'include-stdin.c', verdicts: ['compile_error', 'wrong_answer'] },
  { attack: 'line-host.c', verdicts: REFUSED, said: /^\/etc\/shadow:1:/m },
  { attack: 'embed-host.c', verdicts: REFUSED, said: /embed/ },
  { attack: 'incbin.c', verdicts: REFUSED },
  { attack: 'incbin-zero.c', verdicts: REFUSED },
  { attack: 'assembler-include.c', verdicts: REFUSED, said: /\/etc\/shadow/ },
  {
    attack: 'a name that stands for a file of options (@main.c)',
    files: { '@main.c': '-wrapper /bin/sh,-c,id' },
    verdicts: REFUSED,
    said: /^\.\/@main\.c:1:/m,
  },
  {
    attack: 'a name that is an option (-wrapper.c)',
    files: { '-wrapper.c': '/bin/sh,-c,id' },
    verdicts: REFUSED,
    said: /^\.\/-wrapper\.c:1:/m,
  },
  { attack: 'large-object.c', verdicts: REFUSED },
  { attack: 'macro-bomb.c', verdicts: REFUSED },
  { attack: 'template-bomb.cpp', verdicts: REFUSED },
  { attack: 'template-depth.cpp', verdicts: REFUSED },
  { attack: 'constant-bomb.cpp', verdicts: REFUSED },
  { attack: 'flood.c', verdicts: ['compile_error', 'wrong_answer'] },
  { attack: 'include-host.rs', verdicts: REFUSED, said: /\/etc\/shadow/ },
  { attack: 'include-zero.rs', verdicts: REFUSED },
  { attack: 'constant-bomb.rs', verdicts: REFUSED },
  { attack: 'foreign-code.go', verdicts: REFUSED, said: /could not import C/ },
  { attack: 'embed-host.go', verdicts: REFUSED, said: /pattern/ },
  { attack: 'inner-names.go', verdicts: ['compile_error', 'wrong_answer'] },
  {
    attack: 'an assembler that includes files of the host (main.go)',
    files: {
      'main.go': 'package main\n\nfunc asked()\n\nfunc main() { asked() }\n',
      'go.mod': 'module x\n',
      'asked.s': '#include "/etc/shadow"\n#include "/proc/1/environ"\n',
    },
    verdicts: REFUSED,
    said: /asked\.s:2:/,
  },
  {
    attack: 'a compiler from elsewhere, and a module that is a folder of the host (main.go)',
    files: {
      'main.go': 'package main\n\nimport _ "example.com/host"\n\nfunc main() {}\n',
      'go.mod': 'module x\ngo 1.99\ntoolchain go1.99.1\nreplace example.com/host => /etc\n',
    },
    verdicts: REFUSED,
    said: /GOTOOLCHAIN=local/,
  },
];

/** The language and the program of a row: a file's, or that of the file in parentheses. */
function programOf({ attack, files }: CompileRow) {
  const entry = /\((.+)\)$/.exec(attack)?.[1];
  if (files === undefined || entry === undefined) return hostileProgram(`compile/${attack}`);
  return { language: languageOf(entry), files, entry };
}

describe.each(WALLS)('the compile step behind $wall', ({ wall, missing }) => {
  describe.skipIf(missing !== null)(`is tried${skipNote(missing)}`, () => {
    const arena = useArena({
      languages: ['cpp', 'go', 'java', 'rust'],
      flags: { '--walls': wall },
    });
    it.for(ROWS)('contains $attack', async (row, { skip }) => {
      const program = programOf(row);
      await requireLanguage(arena, program.language, skip);
      await expectContained(arena, row, program);
    });
    it('contains what javac loads and starts by itself', async ({ skip }) => {
      await requireLanguage(arena, 'java', skip);
      await expectPlugInContained(arena);
    });
    it('says that a compiled program is too large to keep', async () => {
      await expectTooLargeToKeep(arena);
    });
    it('says what is wrong, and where', async () => {
      const code = 'int main(void) {\n  return undeclared;\n}\n';
      const report = await arena.service().client.judge(aJudge({ language: 'c', code }));
      expect(report).toMatchObject({ verdict: 'compile_error', reward: 0, cases: [] });
      expect(report.compile?.stderr).toMatch(/main\.c:2:.*undeclared/);
    });
  });
});

/** Skips the test where the host lacks the language. */
async function requireLanguage(
  arena: Arena,
  language: string,
  skip: (condition: boolean, note: string) => void,
): Promise<void> {
  const entry = (await arena.service().client.languages()).find(({ id }) => id === language);
  skip(entry?.available !== true, `this host lacks ${language}: ${entry?.reason}`);
}

async function expectContained(
  arena: Arena,
  { verdicts, said: wanted }: CompileRow,
  program: ReturnType<typeof programOf>,
): Promise<void> {
  const { client, pid } = arena.service();
  const report = await client.judge(aJudge({ ...program, limits: LIMITS }));
  expect(report.fault).toBeNull();
  expect(verdicts).toContain(report.verdict);
  expect(report.reward).toBe(0);
  const said = report.compile?.stderr ?? '';
  expect(Buffer.byteLength(said)).toBeLessThanOrEqual(EXCERPT_BYTES);
  if (wanted !== undefined) expect(said).toMatch(wanted);
  const text = JSON.stringify(report);
  for (const secret of await secrets(pid)) expect(text).not.toContain(secret);
  await arena.guard().expectUnharmed();
}

async function expectPlugInContained(arena: Arena): Promise<void> {
  const { client } = arena.service();
  const made = await client.run(
    aRun({
      ...hostileProgram('compile/Make.java'),
      files: { 'Ran.java': hostileProgram('compile/Ran.java').code },
      collect: ['Ran.class'],
    }),
  );
  expect(made.outcome).toMatchObject({ kind: 'exited', exit_code: 0, stderr: '' });
  const { language, code: look } = hostileProgram('compile/Look.java');
  const files = {
    'Look.java': look,
    'Ran.class': made.files['Ran.class'] ?? '',
    'META-INF/services/com.sun.source.util.Plugin': 'Ran\n',
  };
  const answer = await client.run(aRun({ language, files, entry: 'Look.java', limits: LIMITS }));
  const said = answer.compile?.stderr.split('\n') ?? [];
  expect(said).toContain('left a file and a daemon');
  expect(said.filter((line) => line.startsWith('yes '))).toEqual([]);
  expect(said.filter((line) => line.startsWith('no '))).toHaveLength(6);
  // Nothing of it is there any more when the program runs.
  expect(answer.outcome).toMatchObject({ kind: 'exited', exit_code: 0, stdout: 'clean\n' });
  await arena.guard().expectUnharmed();
}

async function expectTooLargeToKeep(arena: Arena): Promise<void> {
  const code = 'char array[70 << 20] = { 1 };\nint main(void) { return 0; }\n';
  const report = await arena.service().client.judge(aJudge({ language: 'c', code }));
  expect(report).toMatchObject({ verdict: 'compile_error', reward: 0, fault: null });
  expect(report.compile).toMatchObject({ ok: false, exit_code: 0, limit: 'disk' });
  expect(report.compile?.stderr).toMatch(/^assay: the artefact main .* larger than \d+ bytes$/m);
  await arena.guard().expectUnharmed();
}

/** Texts that no answer may hold: lines of the host's files, variables of the service. */
async function secrets(pid: number): Promise<readonly string[]> {
  const passwd = await readFile('/etc/passwd', 'utf8');
  const shadow = await readFile('/etc/shadow', 'utf8').catch(() => '');
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  return [...passwd.split('\n'), ...shadow.split('\n'), ...environment.split('\0')].filter(
    (line) => line.length > 10,
  );
}
