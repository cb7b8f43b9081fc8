/**
 * Tests in the manner of jest and vitest, over HTTP against real jails: what crosses between tests and program, which test
 * counts for what, and that a fault of the tests is never the program's.
 */
import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { JudgeResponse } from '../../src/http/native/schema/report.ts';
import type { JudgeRequestBody } from '../support/builders.ts';
import { projectFile } from '../support/project.ts';
import { startService, type RunningService } from '../support/service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    languages: ['javascript', 'typescript', 'bash'],
    flags: { '--slots': '2' },
  });
});
afterAll(async () => await service.stop());

type Tests = Extract<JudgeRequestBody['tests'], { kind: 'jest' }>;
type More = Partial<Omit<JudgeRequestBody, 'tests'>> & { readonly tests?: Partial<Tests> };

/** Judges a program by the text of a test file, or by several by their names. */
function judge(
  code: string,
  files: string | Record<string, string>,
  { tests, ...more }: More = {},
): Promise<JudgeResponse> {
  const named = typeof files === 'string' ? { 'sum.test.js': files } : files;
  return service.client.judge({
    language: 'javascript',
    code,
    tests: { kind: 'jest', files: named, ...tests },
    ...more,
  });
}

/** What came of each test, by the end of its id. */
function ends({ cases }: JudgeResponse): Record<string, string> {
  return Object.fromEntries(
    cases.map(({ id, verdict }) => [id.replace(/^[\w./]+ > /, ''), verdict]),
  );
}

const ADD = 'exports.add = (a, b) => a + b;';
const IMPORT = "const { add } = require('./solution');\n";

describe('what crosses', () => {
  it('is all that tests and programs usually ask of one another', async () => {
    const read = (name: string): Promise<string> =>
      readFile(projectFile('test', 'e2e', 'programs', 'jest', name), 'utf8');
    const files = { '__tests__/solution.test.js': await read('tests.js') };
    const report = await judge(await read('solution.js'), files, { stop: 'never' });
    const failed = report.cases.filter(({ verdict }) => verdict !== 'accepted');
    expect(failed.map(({ id, message }) => [id, message])).toEqual([]);
    expect(report).toMatchObject({ reward: 1, mode: 'split', passed: report.total });
    expect(report.total).toBeGreaterThan(40);
  });

  it('is written back only where that is asked for', async () => {
    const code = 'exports.clear = (list) => { list.length = 0; };';
    const test =
      "const S = require('./solution');\ntest('a', () => { const l = [1]; S.clear(l); expect(l).toEqual([]); });";
    expect(await judge(code, test)).toMatchObject({ verdict: 'wrong_answer' });
    expect(await judge(code, test, { tests: { write_back: true } })).toMatchObject({
      verdict: 'accepted',
    });
  });

  it('is only what the level allows', async () => {
    const code = `exports.each = (list, work) => list.map(work);
exports.make = () => ({ go() { return 1; } });
exports.Box = class { constructor() { this.held = { at: new Date(0) }; } self() { return this; } };`;
    const test = `const S = require('./solution');
test('function', () => { expect(S.each([1], (x) => x + 1)).toEqual([2]); });
test('object', () => { expect(S.make().go()).toBe(1); });
test('made', () => { expect(new S.Box().self().held.at.getTime()).toBe(0); });`;
    expect(ends(await judge(code, test, { stop: 'never', tests: { level: 1 } }))).toEqual({
      function: 'wrong_answer',
      object: 'wrong_answer',
      made: 'accepted',
    });
    expect(await judge(code, test)).toMatchObject({ verdict: 'accepted' });
  });

  it('are no answers of a returned object to questions that show what is expected', async () => {
    const code = `const yes = { has: () => true };
exports.yes = yes;
exports.found = () => yes;
exports.any = () => new Proxy({}, { get: () => true, has: () => true });
exports.createCache = () => { const m = new Map(); return { set: (k) => m.set(k, 1), has: (k) => m.has(k) }; };`;
    const test = `const S = require('./solution');
test('question', () => { expect(S.found().has(42)).toBe(true); });
test('property', () => { expect(S.any()).toHaveProperty('valid'); });
test('value', () => { expect(S.any().valid).toBe(true); });
test('factory', () => { const c = S.createCache(); c.set('a'); expect([c.has('a'), c.has('b')]).toEqual([true, false]); });`;
    const report = await judge(code, test, { stop: 'never', tests: { entry: ['createCache'] } });
    expect(ends(report)).toEqual({
      question: 'wrong_answer',
      property: 'wrong_answer',
      value: 'wrong_answer',
      factory: 'accepted',
    });
  });
});

describe('programs and tests', () => {
  const VITEST = `import { expect, it } from 'vitest';
import { add, type Sum } from '../src/sum.ts';
import { twice } from './helpers';
it('adds', () => { const sum: Sum = { value: add(1, 1) }; expect(sum.value).toBe(twice(1)); });`;
  const files = {
    'sum.spec.ts': VITEST,
    'helpers.ts': 'export const twice = (n: number): number => n * 2;',
  };
  const typed =
    'export interface Sum { value: number }\nexport function add(a: number, b: number): number { return a + b; }\n';

  it('may be typed, and the program may have any name', async () => {
    const tests = { modules: ['sum'] };
    const report = await judge(typed, files, { language: 'typescript', tests });
    expect(report).toMatchObject({ verdict: 'accepted', total: 1, language: 'typescript' });
    expect(await judge(typed, files, { language: 'typescript' })).toMatchObject({
      verdict: 'fault',
      reward: null,
      fault: { code: 'tests_broken' },
    });
  });

  it.for([
    ['CommonJS', ADD],
    ['an ES module', 'export const add = (a, b) => a + b;'],
    ['a module that waits', 'await 0;\nexport const add = (a, b) => a + b;'],
    ['a script', 'function add(a, b) { return a + b; }'],
  ])('may be %s', async ([, code = '']) => {
    const test = "import { add } from './solution';\ntest('a', () => expect(add(1, 2)).toBe(3));";
    expect(await judge(code, test)).toMatchObject({ verdict: 'accepted' });
  });

  it('may be several files', async () => {
    const report = await service.client.judge({
      language: 'javascript',
      files: {
        'src/main.js': "export { add } from './add.mjs';",
        'src/add.mjs': 'export const add = (a, b) => a + b;',
      },
      entry: 'src/main.js',
      tests: {
        kind: 'jest',
        files: { 'a.test.js': `${IMPORT}test('a', () => expect(add(1, 2)).toBe(3));` },
      },
    });
    expect(report).toMatchObject({ verdict: 'accepted' });
  });
});

describe('each test', () => {
  it('counts, under its id', async () => {
    const test = `${IMPORT}describe('add', () => {
  test.each([[1, 2, 3], [2, 2, 5]])('%i + %i', (a, b, sum) => expect(add(a, b)).toBe(sum));
  it('same', () => expect(add(1, 1)).toBe(2));
  it('same', () => expect(add(1, 1)).toBe(2));
});`;
    const report = await judge(ADD, test, { stop: 'never', scoring: 'fraction' });
    expect(report).toMatchObject({ verdict: 'wrong_answer', passed: 3, total: 4, reward: 0.75 });
    expect(ends(report)).toEqual({
      'add > 1 + 2': 'accepted',
      'add > 2 + 2': 'wrong_answer',
      'add > same': 'accepted',
      'add > same (2)': 'accepted',
    });
    expect(report.message).toContain('expected 4 to be 5');
  });

  it('that is skipped, to be written, or expected to fail is not passed', async () => {
    const test = `${IMPORT}test('plain', () => expect(add(1, 1)).toBe(2));
test.skip('skip', () => {});
test.todo('todo');
test.failing('fails', () => { throw new Error('x'); });
test.skipIf(true)('condition', () => {});
describe.skip('group', () => { test('inner', () => {}); });`;
    expect(ends(await judge(ADD, test, { stop: 'never' }))).toEqual({
      plain: 'accepted',
      skip: 'wrong_answer',
      todo: 'wrong_answer',
      fails: 'wrong_answer',
      condition: 'wrong_answer',
      'group > inner': 'wrong_answer',
    });
    const only = `${IMPORT}test('left', () => {});\ntest.only('only', () => expect(add(1, 1)).toBe(2));`;
    expect(ends(await judge(ADD, only, { stop: 'never' }))).toEqual({
      left: 'wrong_answer',
      only: 'accepted',
    });
  });

  it('that is declared must be there, and no other', async () => {
    const test = `${IMPORT}test('a', () => expect(add(1, 1)).toBe(2));`;
    const ids = ['sum.test.js > a'];
    expect(await judge(ADD, test, { tests: { ids } })).toMatchObject({ verdict: 'accepted' });
    const more = await judge(ADD, test, { tests: { ids: [...ids, 'sum.test.js > b'] } });
    expect(more).toMatchObject({ verdict: 'wrong_answer', passed: 0, total: 2 });
    const others = await judge(ADD, test, { tests: { ids: ['sum.test.js > b'] } });
    expect(others).toMatchObject({ verdict: 'wrong_answer', passed: 0, total: 1 });
  });

  it('may take too long, wait for ever or end the program without the others', async () => {
    const code = `exports.add = (a, b) => (a === 5 ? process.exit(0) : a === 6 ? new Promise(() => {}) : a + b);`;
    const test = `${IMPORT}test('before', () => expect(add(1, 1)).toBe(2));
test('ends', () => expect(() => add(5, 1)).toThrow());
test('waits', async () => { await add(6, 1); }, 100);
test('own', (done) => { void done; }, 100);
test('after', async () => expect(await add(2, 2)).toBe(4));`;
    const report = await judge(code, test, { stop: 'never' });
    expect(ends(report)).toEqual({
      before: 'accepted',
      ends: 'runtime_error',
      waits: 'time_limit',
      own: 'time_limit',
      after: 'accepted',
    });
  });

  it('that never comes back meets the limits of the submission', async () => {
    const code = 'exports.add = (a, b) => { if (a === 5) for (;;); return a + b; };';
    const test = `${IMPORT}test('loop', () => expect(add(5, 1)).toBe(6));
test('after', () => expect(add(1, 1)).toBe(2));`;
    const limits = { cpu_ms: 500, wall_ms: 15_000 };
    const report = await judge(code, test, { stop: 'never', limits });
    expect(ends(report)).toEqual({ loop: 'time_limit', after: 'accepted' });
  });

  it('fails by what nobody waited for, by missing assertions, by hooks', async () => {
    const test = `${IMPORT}test('loose', async () => { void Promise.reject(new Error('lost')); });
test('count', () => { expect.assertions(1); });
describe('hook', () => { beforeEach(() => expect(add(1, 1)).toBe(3)); test('each', () => {}); });
describe('all', () => { beforeAll(async () => { throw new Error('no'); }); test('each', () => {}); });
test('none', () => expect(add(1, 1)).toBe(2));`;
    expect(ends(await judge(ADD, test, { stop: 'never' }))).toEqual({
      loose: 'wrong_answer',
      count: 'wrong_answer',
      'hook > each': 'wrong_answer',
      'all > each': 'wrong_answer',
      none: 'accepted',
    });
  });
});

describe('registration', () => {
  it('finds the strictest level, and refuses tests that wrong programs pass', async () => {
    const files = (text: string): object => ({ kind: 'jest', files: { 'a.test.js': text } });
    const problems = [
      {
        id: 'callbacks',
        tests: files(
          "const { map } = require('./solution');\ntest('a', () => expect(map([1], (x) => x + 1)).toEqual([2]));",
        ),
        references: [{ code: 'exports.map = (list, work) => list.map(work);' }],
      },
      {
        id: 'weak',
        tests: files(
          "import { isOk } from './solution.js';\ntest('a', () => expect(isOk(1)).toBeTruthy());",
        ),
        references: [{ code: 'export const isOk = () => true;' }],
      },
    ].map((each) => ({ ...each, language: 'javascript' }));
    const { body } = await service.client.post('/v1/testsets', {
      id: 'jest',
      partial: true,
      calibrate: { runs: 2 },
      problems,
    });
    expect(body).toMatchObject({
      results: [
        { accepted: true, calibration: { mode: 'split/2' } },
        { accepted: false, reason: expect.stringContaining('accept wrong programs') },
      ],
    });
  });
});

describe('what is wrong with', () => {
  it.for([
    ['a syntax error', 'test('],
    ['a library that is not there', "import _ from 'lodash';\ntest('a', () => {});"],
    ['no test at all', 'const x = 1;'],
    ['a replaced module', "jest.mock('./solution');\ntest('a', () => {});"],
    ['a snapshot', "test('a', () => { expect(1).toMatchSnapshot(); });"],
  ])('the tests is a fault of the problem: %s', async ([, test = '']) => {
    expect(await judge(ADD, test)).toMatchObject({
      verdict: 'fault',
      reward: null,
      fault: { code: 'tests_broken' },
    });
  });

  it.for([
    ['what breaks the test file', 'exports.other = 1;', 'wrong_answer'],
    ['a syntax error', 'exports.add = (', 'runtime_error'],
    ['an end while it is loaded', 'process.exit(0);', 'runtime_error'],
  ])('the program is the program’s: %s', async ([, code = '', verdict]) => {
    const test = "const { add } = require('./solution').utils;\ntest('a', () => {});";
    expect(await judge(code, test)).toMatchObject({ verdict, reward: 0, fault: null });
  });

  it('the request is told', async () => {
    const wrong = async (body: object): Promise<unknown> =>
      await service.client.post('/v1/judge', {
        language: 'javascript',
        code: ADD,
        tests: { kind: 'jest', files: { 'a.test.js': '' } },
        ...body,
      });
    expect(await wrong({ language: 'bash', code: ':' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'tests.kind' }] },
    });
    expect(await wrong({ tests: { kind: 'jest', files: { 'a.py': '' } } })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'tests.files' }] },
    });
    expect(
      await wrong({ tests: { kind: 'jest', mode: 'in_process', files: { 'a.js': '' } } }),
    ).toMatchObject({ status: 422 });
  });
});
