/** How refusals are told: all of them, none of their content, and names that every object has. */
import { describe, expect, it } from 'vitest';

import { aJudgeBodyOf, aRunBody, postTo, problemOf } from '../test-support/native-requests.ts';
import { aJudgeBody } from '../test-support/scripted-service.ts';

describe('a request that is refused', () => {
  it('tells only of the kind when the kind is not served', async () => {
    const problem = await problemOf(
      '/v1/judge',
      aJudgeBody({ tests: { kind: 'function', entry: 'f', cases: [{ args: [] }] } }),
    );
    expect(problem.errors).toHaveLength(1);
  });

  it('names every unknown field', async () => {
    const problem = await problemOf('/v1/run', { ...aRunBody, cod: '', arg: [] });
    expect(problem.errors).toEqual([
      { path: 'cod', message: 'unknown field; did you mean "code"?' },
      { path: 'arg', message: 'unknown field; did you mean "args"?' },
    ]);
  });

  it.each([
    ['source', 'code'],
    ['lang', 'language'],
    ['input', 'stdin'],
    ['cpu_ms', 'limits.cpu_ms'],
    ['timeout', 'limits.wall_ms'],
  ])('knows what others call %s', async (name, ours) => {
    const problem = await problemOf('/v1/run', { ...aRunBody, [name]: 1 });
    expect(problem.errors).toEqual([
      { path: name, message: `unknown field; did you mean "${ours}"?` },
    ]);
  });

  it('knows what others call an expected output, and guesses at nothing', async () => {
    const cases = [{ output: '1', expected_stdout: '', zzz: 1 }];
    const problem = await problemOf('/v1/judge', aJudgeBody({ tests: { kind: 'stdio', cases } }));
    expect(problem.errors[0]?.message).toBe('unknown field; did you mean "expected_stdout"?');
    expect(problem.errors[1]?.message).toMatch(/^unknown field; known here: id, stdin/);
  });

  it.each([
    'LD_PRELOAD',
    'PYTHONPATH',
    'PYTHONHOME',
    'PYTHONSTARTUP',
    'NODE_OPTIONS',
    'BASH_ENV',
    'ENV',
    'GCONV_PATH',
    'LOCPATH',
    'PATH',
  ])('refuses the variable %s', async (name) => {
    const problem = await problemOf('/v1/run', { ...aRunBody, env: { [name]: '1' } });
    expect(problem.errors).toEqual([
      { path: `env.${name}`, message: 'this variable can load other code and is fixed' },
    ]);
  });

  it.each(['files', 'env', 'labels'])('refuses the name __proto__ in %s', async (field) => {
    const problem = await problemOf(
      '/v1/run',
      `{"language":"python","code":"","${field}":{"__proto__":"x"}}`,
    );
    expect(problem.errors[0]?.path).toBe(`${field}.__proto__`);
    expect({}).not.toHaveProperty('x');
  });

  it('takes names that every object has', async () => {
    const body = {
      ...aRunBody,
      files: { constructor: '', toString: '' },
      env: { hasOwnProperty: '1' },
      labels: { valueOf: 'x' },
    };
    const response = await postTo('/v1/run', body);
    expect(response.status).toBe(200);
    expect(((await response.json()) as { labels: unknown }).labels).toEqual({ valueOf: 'x' });
  });

  it.each(['toString', 'constructor', 'valueOf'])('does not know a field %s', async (name) => {
    expect((await problemOf('/v1/run', { ...aRunBody, [name]: 1 })).errors[0]?.message).toContain(
      'unknown field',
    );
  });

  it('refuses an empty list of cases: nothing was tested', async () => {
    const problem = await problemOf(
      '/v1/judge',
      aJudgeBody({ tests: { kind: 'stdio', cases: [] } }),
    );
    expect([problem.status, problem.code]).toEqual([422, 'no_tests']);
  });

  it('passes an unknown language on to the one who knows', async () => {
    const problem = await problemOf('/v1/run', { language: 'klingon', code: '' });
    expect([problem.status, problem.code]).toEqual([422, 'unknown_language']);
  });

  it('never echoes the program, its input or the expected output', async () => {
    const response = await postTo(
      '/v1/judge',
      aJudgeBody({
        code: 'SECRET',
        stdin: 'SECRET',
        tests: { kind: 'stdio', cases: [{ stdin: 3, expected_stdout: 'SECRET', x: 'SECRET' }] },
      }),
    );
    expect(response.status).toBe(422);
    expect(await response.text()).not.toContain('SECRET');
  });

  it('tells at most 20 errors', async () => {
    const problem = await problemOf(
      '/v1/judge',
      aJudgeBodyOf(...Array.from({ length: 50 }, () => ({ weight: -1 }))),
    );
    expect(problem.errors).toHaveLength(20);
    expect(problem.detail).toContain('and 49 more');
  });
});
