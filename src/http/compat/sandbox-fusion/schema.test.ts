/** Lax coercion as pydantic does it, and the deadlines that bodies give away. */
import { describe, expect, it } from 'vitest';

import { clientDeadlineMs } from './deadline.ts';
import { ofIssues } from './errors.ts';
import { RunCodeRequest } from './schema.ts';

describe('RunCodeRequest', () => {
  it('fills in the defaults and ignores what it does not know', () => {
    expect(RunCodeRequest.parse({ code: '', expected_stdout: 'x' })).toMatchObject({
      compile_timeout: 10,
      run_timeout: 10,
      memory_limit_MB: -1,
      code: '',
      stdin: null,
      language: 'python',
      files: {},
      fetch_files: [],
    });
  });

  it.each([
    [{ run_timeout: '5' }, { run_timeout: 5 }],
    [{ run_timeout: ' 1e1 ' }, { run_timeout: 10 }],
    [{ run_timeout: true }, { run_timeout: 1 }],
    [{ memory_limit_MB: 1024.0 }, { memory_limit_MB: 1024 }],
    [{ memory_limit_MB: '1024' }, { memory_limit_MB: 1024 }],
    [{ stdin: null }, { stdin: null }],
    [{ files: { a: null } }, { files: { a: null } }],
    [{ language: null }, { language: 'python' }],
  ])('coerces %j', (body, expected) => {
    expect(RunCodeRequest.parse({ code: '', ...body })).toMatchObject(expected);
  });

  it.each([
    [{ code: undefined }, 'missing', ['body', 'code'], 'Field required'],
    [{ code: 7 }, 'string_type', ['body', 'code'], 'Input should be a valid string'],
    [{ code: null }, 'string_type', ['body', 'code'], 'Input should be a valid string'],
    [{ stdin: 7 }, 'string_type', ['body', 'stdin'], 'Input should be a valid string'],
    [
      { run_timeout: 'x' },
      'float_parsing',
      ['body', 'run_timeout'],
      'Input should be a valid number, unable to parse string as a number',
    ],
    [{ run_timeout: 0 }, 'greater_than', ['body', 'run_timeout'], 'greater than 0'],
    [{ run_timeout: '-0.5' }, 'greater_than', ['body', 'run_timeout'], 'greater than 0'],
    [{ compile_timeout: 0 }, 'greater_than', ['body', 'compile_timeout'], 'greater than 0'],
    [{ compile_timeout: '-0.5' }, 'greater_than', ['body', 'compile_timeout'], 'greater than 0'],
    [
      { run_timeout: '' },
      'float_parsing',
      ['body', 'run_timeout'],
      'Input should be a valid number, unable to parse string as a number',
    ],
    [
      { run_timeout: null },
      'float_type',
      ['body', 'run_timeout'],
      'Input should be a valid number',
    ],
    [
      { memory_limit_MB: 1.5 },
      'int_from_float',
      ['body', 'memory_limit_MB'],
      'Input should be a valid integer, got a number with a fractional part',
    ],
    [
      { memory_limit_MB: 'x' },
      'int_parsing',
      ['body', 'memory_limit_MB'],
      'Input should be a valid integer, unable to parse string as an integer',
    ],
    [
      { memory_limit_MB: null },
      'int_type',
      ['body', 'memory_limit_MB'],
      'Input should be a valid integer',
    ],
    [{ files: [] }, 'dict_type', ['body', 'files'], 'Input should be a valid dictionary'],
    [{ files: { a: 1 } }, 'string_type', ['body', 'files', 'a'], 'Input should be a valid string'],
    [{ fetch_files: 'a' }, 'list_type', ['body', 'fetch_files'], 'Input should be a valid list'],
    [{ language: 3 }, 'literal_error', ['body', 'language'], "Input should be 'python'"],
  ])('refuses %j', (body, type, loc, message) => {
    const result = RunCodeRequest.safeParse({ code: '', ...body });
    const error = ofIssues(result.error?.issues ?? []);
    expect(error).toEqual({
      code: 'invalid',
      status: 422,
      body: {
        detail: [{ type, loc, msg: expect.stringContaining(message) as string, input: null }],
      },
    });
  });
});

describe('clientDeadlineMs', () => {
  const verl = {
    compile_timeout: 10,
    run_timeout: 10,
    code: '',
    stdin: null,
    memory_limit_MB: 1024,
    language: 'python',
    files: {},
    fetch_files: [],
  };
  it.each<[string, Record<string, unknown>, number]>([
    ['verl', verl, 29_000],
    ['verl’s tool', { ...verl, compile_timeout: 30, run_timeout: 30 }, 69_000],
    ['coder1', { language: 'python', code: '', stdin: '', run_timeout: 30 }, 31_000],
    [
      'ROLL',
      {
        compile_timeout: 30,
        run_timeout: 30,
        code: '',
        language: 'python',
        stdin: '',
        expected_stdout: '',
      },
      89_000,
    ],
    ['ToRL', { code: '', language: 'python' }, 9000],
    ['verl’s tutorial', { code: '' }, 9000],
    [
      'tinker-cookbook',
      { code: '', language: 'python', run_timeout: 700, files: { 'test_cases.txt': '' } },
      5_999_000,
    ],
    ['SimpleTIR', { code: '', language: 'python', compile_timeout: 1.0, run_timeout: 3.0 }, 13_000],
    ['a hasty one', { code: '', language: 'python', run_timeout: 0.1 }, 1100],
  ])('%s', (_, body, deadlineMs) => {
    expect(clientDeadlineMs(body, RunCodeRequest.parse(body))).toBe(deadlineMs);
  });
});
