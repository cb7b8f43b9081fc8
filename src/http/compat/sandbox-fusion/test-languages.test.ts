/** Files of tests as programs. */
import { describe, expect, it } from 'vitest';

import { ask } from './datasets/test-requests.ts';
import { sandboxError } from './translate.ts';
import { asOneCommand } from './test-languages.ts';

describe('languages of tests', () => {
  it.each([
    ['pytest', 'def test(): pass', 'Success'],
    ['go_test', 'package a', 'SandboxError'],
    ['junit', 'class A {}', 'SandboxError'],
    ['jest', '', 'SandboxError'],
  ])('%s where there are only Python, C++ and JavaScript: %s is %s', async (language, code, is) => {
    const { status, body } = await ask('/run_code', { language, code });
    expect([status, body]).toMatchObject([200, { status: is }]);
  });

  it('take another file name where the request has theirs', async () => {
    let given: readonly string[] = [];
    await ask(
      '/run_code',
      { language: 'pytest', code: 'def test(): pass', files: { 'test_code.py': 'eA==' } },
      {
        run: (submission) => {
          given = submission.program.files.map(({ path }) => path);
          throw new Error('seen');
        },
      },
    );
    expect(given).toEqual(['test_code.py', 'test_code_1.py']);
  });
});

describe('asOneCommand', () => {
  it('has what the compiler said as the end of the run', () => {
    const command = { status: 'Finished', return_code: 1 } as never; // the fields of a command are not looked at
    const answer = {
      ...sandboxError('', null),
      status: 'Failed',
      compile_result: command,
    } as const;
    expect(asOneCommand(answer)).toMatchObject({ compile_result: null, run_result: command });
  });
});
