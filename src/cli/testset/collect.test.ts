/** Packages and rows of files as problems: what each format says, and that hostile or unsupported ones are refused by name. */
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Language } from '../program-file.ts';
import { collectProblems, type Collected } from './collect.ts';
import { FOLDER_BOUNDS, PackageFolder } from './folder.ts';
import { parseIni } from './package-files.ts';

const language = (id: string, file: string, available = true): Language => ({
  id,
  source_file: file,
  aliases: [],
  fence_tags: [],
  available,
  reason: null,
  environments: [],
});
const LANGUAGES = [
  language('python', 'main.py'),
  { ...language('cpp', 'main.cpp'), aliases: ['cc'] },
  language('go', 'main.go', false),
];

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'assay-package-'));
});
afterEach(async () => await rm(root, { recursive: true, force: true }));

type Tree = Readonly<Record<string, string>>;

async function write(files: Tree, under = ''): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, under, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return path.join(root, under);
}

const OPTIONS = { languages: LANGUAGES, schema: 'auto', language: null, cpuMs: null, skip: null };
const collect = async (name: string, isFolder = true): Promise<Collected> =>
  await collectProblems(name, { ...OPTIONS, isFolder });

const DATA: Tree = {
  'data/sample/1.in': '1 2\n',
  'data/sample/1.ans': '3\n',
  'data/secret/2.in': '2 2\n',
  'data/secret/2.ans': '4\n',
  'data/secret/10.in': '5 5\n',
  'data/secret/10.ans': '10\n',
};
const collectOne = async (files: Tree) => {
  const { problems, refused, notes } = await collect(await write(files, 'sum'));
  expect(refused).toEqual([]);
  return { problem: problems[0], notes };
};
const refusalOf = async (files: Tree): Promise<string> => {
  const { problems, refused } = await collect(await write(files, 'sum'));
  expect(problems).toEqual([]);
  return refused.join('\n');
};

describe('a package', () => {
  it('of the legacy format has tests, limits, and submissions whose verdicts are known', async () => {
    const { problem, notes } = await collectOne({
      ...DATA,
      'problem.yaml':
        'name: Sum\nvalidator_flags: float_tolerance 1e-4\nlimits:\n  memory: 256\n  output: 2\n  compilation_time: 20\n',
      '.timelimit': '2\n',
      'submissions/accepted/a.py': 'right',
      'submissions/accepted/b.go': 'right',
      'submissions/accepted/c.hs': 'right',
      'submissions/accepted/many/main.py': 'right',
      'submissions/wrong_answer/w.cc': 'wrong',
      'submissions/time_limit_exceeded/t.py': 'slow',
      'submissions/slow_accepted/s.py': 'slow',
    });
    expect(problem).toEqual({
      id: 'sum',
      tests: {
        kind: 'stdio',
        cases: [
          { id: 'sample/1', stdin: '1 2\n', expected_stdout: '3\n' },
          { id: 'secret/2', stdin: '2 2\n', expected_stdout: '4\n' },
          { id: 'secret/10', stdin: '5 5\n', expected_stdout: '10\n' },
        ],
      },
      compare: { float: { abs: 1e-4, rel: 1e-4, ignore_case: true } },
      limits: { cpu_ms: 2000, memory_mb: 256, output_kb: 2048, compile_cpu_ms: 20_000 },
      references: [{ name: 'accepted/a.py', language: 'python', code: 'right' }],
      controls: [
        { name: 'time_limit_exceeded/t.py', language: 'python', code: 'slow' },
        { name: 'wrong_answer/w.cc', language: 'cpp', code: 'wrong' },
      ],
    });
    expect(notes.map((note) => note.replace(/^.*: submissions/, 'submissions'))).toEqual([
      'submissions/accepted/b.go: left out, go is not available',
      'submissions/accepted/c.hs: left out, is in a language that the service does not have',
      'submissions/accepted/many: left out, has several files',
      'submissions/slow_accepted: left out, nothing follows for a reward',
    ]);
  });

  it('of 2023-07 has points by group, arguments, and a validator with flags', async () => {
    const { problem } = await collectOne({
      'problem.yaml':
        'problem_format_version: 2023-07-draft\ntype: scoring\nlimits: {time_limit: 1.5, validation_time: 3}\n',
      'data/sample/1.in': '',
      'data/sample/1.ans': '',
      'data/secret/a/test_group.yaml':
        'scoring: {score: 30, aggregation: min}\nargs: [x, "2"]\noutput_validator_args: strict 7\n',
      'data/secret/a/1.in': 'i',
      'data/secret/a/1.ans': 'o',
      'data/secret/b/test_group.yaml':
        'scoring: {score: 70, aggregation: sum}\noutput_validator_args: [strict, "7"]\n',
      'data/secret/b/deep/1.in': 'I',
      'data/secret/b/deep/1.ans': 'O',
      'data/sample/test_group.yaml': 'output_validator_args: strict 7\n',
      'output_validator/validate.cc': 'validator',
      'output_validator/validate.h': 'header',
    });
    expect(problem).toMatchObject({
      tests: {
        cases: [
          { id: 'secret/a/1', group: 'secret/a', args: ['x', '2'] },
          { id: 'secret/b/deep/1', group: 'secret/b' },
        ],
      },
      scoring: {
        groups: {
          'secret/a': { points: 30, rule: 'min' },
          'secret/b': { points: 70, rule: 'sum' },
        },
      },
      compare: {
        checker: {
          language: 'cpp',
          entry: 'validate.cc',
          files: { 'validate.cc': 'validator', 'validate.h': 'header' },
          convention: 'kattis',
          args: ['strict', '7'],
          limits: { cpu_ms: 3000 },
        },
      },
      limits: { cpu_ms: 1500 },
    });
  });

  it.each<[string, object]>([
    ['accept_score: 50\ngrader_flags: min first_error\nrange: 0 50', { points: 50, rule: 'min' }],
    ['accept_score: 5', { points: 10, rule: 'sum' }],
    ['grader_flags: avg\naccept_score: 40', { points: 40, rule: 'sum' }],
    ['', { points: 2, rule: 'sum' }],
  ])('has legacy groups: %j', async (yaml, rule) => {
    const { problem } = await collectOne({
      'problem.yaml': 'type: scoring\n',
      'data/secret/g/testdata.yaml': yaml,
      'data/secret/g/1.in': '',
      'data/secret/g/1.ans': '',
      'data/secret/g/2.in': '',
      'data/secret/g/2.ans': '',
    });
    expect(problem).toMatchObject({ scoring: { groups: { 'secret/g': rule } } });
  });

  it("of DOMjudge has its time limit, and executables in the validator's place", async () => {
    const { problem } = await collectOne({
      'domjudge-problem.ini': "timelimit = '3.5'  \nspecial_run=talk ; a comment\n",
      'problem.yaml': 'name: Guess\nvalidation: custom interactive\n',
      'data/secret/1.in': '5\n',
      'run/build': '#!/bin/sh\n',
      'run/run.py': 'interactor',
    });
    expect(problem).toMatchObject({
      tests: {
        kind: 'interactive',
        interactor: { language: 'python', entry: 'run.py', convention: 'kattis' },
        cases: [{ stdin: '5\n', expected_stdout: '' }],
      },
      limits: { cpu_ms: 3500 },
    });
    expect(problem).not.toHaveProperty('compare');
  });

  it('of answers that are handed in is of outputs alone', async () => {
    const { problem } = await collectOne({ ...DATA, 'problem.yaml': 'type: submit-answer' });
    expect(problem).toMatchObject({ language: 'text', tests: { kind: 'output_only' } });
  });

  it.each<[string, Tree, RegExp]>([
    ['type: multi-pass', {}, /problem\.yaml: type: multi-pass is not supported/],
    ['validation: custom', {}, /output_validators: the validator is not there/],
    ['validation: custom score', {}, /scores of a validator/],
    ['validator_flags: odd', {}, /the flag odd/],
    ['validator_flags: float_tolerance x', {}, /float_tolerance needs a number/],
    ['limits: {memory: -1}', {}, /problem\.yaml: limits\.memory: /],
    ['limits: [1', {}, /problem\.yaml: is no YAML \(line 1\)/],
    [
      'a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c]',
      {},
      /too many aliases/,
    ],
    ['', { 'data/secret/3.in': '' }, /data\/secret\/3\.in: has no 3\.ans/],
    ['', { 'data/secret/2.files/x': '' }, /2\.files: is not supported/],
    ['', { 'include/cpp/grader.cpp': '' }, /include: files that are built with programs/],
    ['', { '.timelimit': 'soon' }, /\.timelimit: the time limit is no number/],
    [
      'validation: custom',
      { 'output_validators/a.py': '', 'output_validators/b.py': '' },
      /main file is clear/,
    ],
    [
      'validation: custom',
      { 'output_validators/a/a.py': '', 'output_validators/b/b.py': '' },
      /several validators/,
    ],
    ['type: scoring', { 'data/secret/testdata.yaml': 'grader_flags: max' }, /flags max/],
    ['type: scoring', { 'data/secret/testdata.yaml': 'reject_score: 1' }, /reject_score/],
    [
      'validation: custom',
      {
        'output_validators/v.py': '',
        'data/secret/g/testdata.yaml': 'output_validator_flags: other',
        'data/secret/g/1.in': '',
        'data/secret/g/1.ans': '',
      },
      /differ in the flags/,
    ],
  ])('is refused by name: %j %j', async (yaml, files, message) => {
    expect(await refusalOf({ ...DATA, ...files, 'problem.yaml': yaml })).toMatch(message);
  });

  it('without tests is refused', async () => {
    expect(await refusalOf({ 'problem.yaml': '' })).toMatch(/data\/secret: holds no \*\.in/);
  });
});

describe('a hostile package', () => {
  const place = async (): Promise<string> => await write({ ...DATA, 'problem.yaml': '' }, 'sum');

  it.each([
    'data/secret/9.in',
    'problem.yaml',
    'submissions',
    'data/secret/g',
    'output_validators/x.py',
  ])('does not read outside itself: %s', async (name) => {
    const folder = await place();
    await write({ 'secret.txt': 'secret', 'outside/9.in': 'secret' });
    const link = path.join(folder, name);
    await rm(link, { recursive: true, force: true });
    await mkdir(path.dirname(link), { recursive: true });
    const isFolder = !path.basename(name).includes('.');
    await symlink(
      isFolder ? '../'.repeat(name.split('/').length) + 'outside' : path.join(root, 'secret.txt'),
      link,
    );
    const { problems, refused } = await collect(folder);
    expect(JSON.stringify(problems)).not.toContain('secret.txt');
    expect(refused.join()).toMatch(/leads out of the package/);
  });

  it('may link within itself', async () => {
    const folder = await place();
    await symlink('2.in', path.join(folder, 'data/secret/3.in'));
    await symlink('2.ans', path.join(folder, 'data/secret/3.ans'));
    expect((await collect(folder)).problems[0]).toMatchObject({
      tests: { cases: [{}, {}, { id: 'secret/3', stdin: '2 2\n' }, {}] },
    });
  });

  it('holds no folder that is within itself, and no link to nothing', async () => {
    const folder = await place();
    await symlink('..', path.join(folder, 'data/secret/loop'));
    expect((await collect(folder)).refused.join()).toMatch(/folders deep|files/);
    await rm(path.join(folder, 'data/secret/loop'));
    await symlink('nowhere', path.join(folder, 'data/secret/x'));
    expect((await collect(folder)).refused.join()).toMatch(/link to nothing/);
  });

  it('is read within bounds', async () => {
    const folder = await place();
    await writeFile(path.join(folder, 'data/secret/2.in'), '');
    await truncate(path.join(folder, 'data/secret/2.in'), FOLDER_BOUNDS.fileBytes + 1);
    expect((await collect(folder)).refused.join()).toMatch(/2\.in: is larger than 64 MiB/);
    const bounds = { ...FOLDER_BOUNDS, entries: 3, bytes: 5 };
    const small = await PackageFolder.open(folder, bounds);
    await small.bytes('data/secret/10.in');
    await expect(small.bytes('data/sample/1.in')).rejects.toThrow(/the package is larger/);
    await expect(small.list('data/secret')).rejects.toThrow(/more than 3 files/);
  });

  it('is a folder that is there and holds a problem', async () => {
    await expect(collect(path.join(root, 'none'))).rejects.toThrow(/no such folder/);
    await expect(collect(root)).rejects.toThrow(/holds no problem\.yaml/);
  });

  it('spoils no other in a folder of packages', async () => {
    await write({ ...DATA, 'problem.yaml': '' }, 'good');
    await write({ ...DATA, 'problem.yaml': '[' }, 'bad');
    const { problems, refused } = await collect(root);
    expect(problems.map(({ id }) => id)).toEqual(['good']);
    expect(refused).toHaveLength(1);
  });
});

describe('rows of a file', () => {
  const MBPP = {
    task_id: 7,
    text: 'Add.',
    code: 'def add(a, b):\n    return a + b\n',
    test_list: ['assert add(1, 2) == 3'],
  };
  const HUMANEVAL = {
    task_id: 'HumanEval/0',
    prompt: 'def add(a, b):\n',
    entry_point: 'add',
    canonical_solution: '    return a + b\n',
    test: 'def check(candidate):\n    assert candidate(1, 2) == 3\n',
  };
  const rowsOf = async (text: string): Promise<Collected> => {
    await write({ 'rows.jsonl': text });
    return await collect(path.join(root, 'rows.jsonl'), false);
  };

  it('are problems with their reference', async () => {
    const lines = [MBPP, HUMANEVAL, MBPP].map((row) => JSON.stringify(row)).join('\n');
    const { problems, refused } = await rowsOf(`\uFEFF${lines}\n\n`);
    expect(refused).toEqual([]);
    expect(problems).toMatchObject([
      {
        id: '7',
        language: 'python',
        tests: { kind: 'asserts' },
        references: [{ code: MBPP.code }],
      },
      {
        id: 'HumanEval/0',
        tests: { kind: 'check', entry: 'add' },
        references: [{ code: 'def add(a, b):\n    return a + b\n' }],
      },
      { id: '7#3' },
    ]);
  });

  it('are told by their number where they are none', async () => {
    const { problems, refused } = await rowsOf(
      [JSON.stringify(MBPP), '{"odd": 1}', '{', JSON.stringify({ ...MBPP, test_list: [] })].join(
        '\n',
      ),
    );
    expect(problems).toHaveLength(1);
    expect(refused).toEqual([
      expect.stringMatching(/row 2: is of no known data set/),
      expect.stringMatching(/row 3: is not valid JSON/),
      expect.stringMatching(/row 4: test_list: /),
    ]);
  });

  it('keep their numbers as they are written, in a list too', async () => {
    const row =
      '{"input_output": {"fn_name": "f", "inputs": [[1.0]], "outputs": [[12345678901234567890]]}, "question": "", "solutions": []}';
    for (const text of [row, `[${row}]`]) {
      const { problems, refused } = await rowsOf(text);
      expect(refused).toEqual([]);
      expect(JSON.stringify(problems)).toContain('12345678901234567890');
      expect(JSON.stringify(problems)).toContain('1.0');
    }
  });

  it('are there', async () => {
    await expect(rowsOf('\n')).rejects.toThrow(/holds no rows/);
    await expect(rowsOf('[1, ')).rejects.toThrow(/not valid JSON/);
  });
});

describe('an ini', () => {
  it('has keys and values, in quotes or not', () => {
    const text =
      '; all\ntimelimit=\'5\'\nname = "A; B"\r\ncolor=#ff0000\nshort-name = x ; c\nodd line\n';
    expect([...parseIni(text)]).toEqual([
      ['timelimit', '5'],
      ['name', 'A; B'],
      ['color', ''],
      ['short-name', 'x'],
    ]);
  });
});
