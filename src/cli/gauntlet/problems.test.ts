/** The form of a gauntlet on disk: what is read from it, and what is no gauntlet. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readGauntlet } from './problems.ts';
import { attemptName, attemptsOf } from './run.ts';

const CASE = { stdin: { file: 'in.txt' }, expected_stdout: { repeat: '7\n', times: 2 } };
const PROBLEM = {
  title: 'Sevens',
  limits: { hack: { cpu_ms: 100 }, honest: {} },
  styles: {
    stdio: { tests: { kind: 'stdio', cases: [CASE] } },
    some: { only: 'honest', compare: 'exact', tests: { cases: { lines: 'in.txt' } } },
  },
};
const HACK = '# Hack 1, A1: Says so.\n# Expected: no reward.\n';
const HONEST = '// Honest: Is right.\n// Expected: accepted.\n// Environment: scientific\n';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'assay-gauntlet-'));
});
afterEach(async () => await rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  const all = {
    'catalogue.json': JSON.stringify({ hacks: { 1: 'One', A1: 'Own' }, not_applicable: {} }),
    'p/problem.json': JSON.stringify(PROBLEM),
    'p/in.txt': 'a\n\nb\n',
    'p/hacks/x.py': HACK,
    'p/honest/y.go/main.go': HONEST,
    'p/honest/y.go/data/z.txt': 'z',
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

describe('a gauntlet on disk', () => {
  it('is read with its programs, texts and limits', async () => {
    await write({});
    const attempts = attemptsOf(await readGauntlet(folder), /^/);
    expect(attempts.map((each) => [attemptName(each), each.program.hacks])).toEqual([
      ['p/stdio/hacks/x.py', ['1', 'A1']],
      ['p/stdio/honest/y.go', []],
      ['p/some/honest/y.go', []],
    ]);
    const [hack, honest, exact] = attempts;
    expect(hack?.request).toEqual({
      limits: { cpu_ms: 100 },
      tests: { kind: 'stdio', cases: [{ stdin: 'a\n\nb\n', expected_stdout: '7\n7\n' }] },
    });
    expect(honest?.program).toMatchObject({
      environment: 'scientific',
      extension: 'go',
      source: { 'main.go': HONEST, 'data/z.txt': 'z' },
    });
    expect(exact?.request).toEqual({ limits: {}, compare: 'exact', tests: { cases: ['a', 'b'] } });
  });

  it('keeps numbers as they are written', async () => {
    const text = JSON.stringify(PROBLEM)
      .replace('"a"', '')
      .replace('{"file":"in.txt"}', '9007199254740993');
    await write({ 'p/problem.json': text });
    const [attempt] = attemptsOf(await readGauntlet(folder), /^/);
    expect(JSON.stringify(attempt?.request)).toContain('9007199254740993');
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'a program that says nothing of itself',
      { 'p/hacks/x.py': 'print(1)\n' },
      /x\.py: begins with/,
    ],
    [
      'a hack of no number',
      { 'p/hacks/x.py': HACK.replace('Hack 1, A1', 'Honest') },
      /begins with/,
    ],
    [
      'a hack that is to be accepted',
      { 'p/hacks/x.py': HACK.replace('no reward', 'accepted') },
      /begins/,
    ],
    ['an honest program with a number', { 'p/honest/h.py': HACK }, /h\.py: begins with/],
    [
      'a hack that is not in the catalogue',
      { 'p/hacks/x.py': HACK.replace('A1', '777') },
      /no hack 777/,
    ],
    [
      'a program of several files without a main one',
      { 'p/hacks/q.c/a.c': '' },
      /no file is called main/,
    ],
    ['a manifest with an unknown field', { 'p/problem.json': '{"titel": ""}' }, /titel/],
  ])('is refused with %s', async (_, files, message) => {
    await write(files);
    await expect(readGauntlet(folder)).rejects.toThrow(message);
  });
});
