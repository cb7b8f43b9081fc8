/** Every way in which checkers and groups can be wrong, and the path that says where. */
import { describe, expect, it } from 'vitest';

import { problemOf } from '../test-support/native-requests.ts';
import { aJudgeBody } from '../test-support/scripted-service.ts';

const CHECKER = { language: 'python', code: 'pass', convention: 'testlib' };
const MIN = { points: 1, rule: 'min' };

function aGrouped(groups: object, ...names: (string | null)[]): object {
  const cases = names.map((group) => ({ expected_stdout: '', group }));
  return aJudgeBody({ scoring: { groups }, tests: { kind: 'stdio', cases } });
}

describe('what is wrong with a problem is named by its path', () => {
  it.each<[string, string, object, string, string]>([
    ...(
      [
        ['without all', {}, 'compare.checker.convention', 'expected one of "testlib"'],
        [
          'of two programs',
          { ...CHECKER, entry: 'a.py', files: { 'a.py': '' } },
          'compare.checker',
          'exactly one of `code`, or `files` with `entry`',
        ],
        ['of no program', { ...CHECKER, code: undefined }, 'compare.checker', 'exactly one of'],
        [
          'without its main file',
          { ...CHECKER, code: undefined, entry: 'a.py' },
          'compare.checker.entry',
          'is not among `files`',
        ],
        [
          'with files where those of a case lie',
          { ...CHECKER, files: { 'case/input.txt': '' } },
          'compare.checker.files["case/input.txt"]',
          'case/ is where',
        ],
        ['of a kind', { ...CHECKER, bridged: 'peg' }, 'compare.checker.bridged', 'dmoj_bridged'],
        ['for no points', { ...CHECKER, points_max: 0 }, 'compare.checker.points_max', '>0'],
        ['with a NUL', { ...CHECKER, args: ['a\0'] }, 'compare.checker.args[0]', 'NUL'],
      ] as const
    ).map(([what, checker, path, message]): [string, string, object, string, string] => [
      `a checker ${what}`,
      'judge',
      aJudgeBody({ compare: { checker } }),
      path,
      message,
    ]),
    [
      'more than a checker takes',
      'judge',
      aJudgeBody({
        compare: { checker: CHECKER },
        tests: {
          kind: 'stdio',
          cases: [{ stdin: 'x'.repeat(60 * 1024 * 1024), expected_stdout: '' }],
        },
        limits: { output_kb: 65_536 },
      }),
      'tests.cases[0]',
      'a checker takes 125829120',
    ],
    ...(
      [
        ['without a program', { convention: 'kattis' }, 'language', 'is required'],
        ['of a convention of checkers', { ...CHECKER, convention: 'dmoj' }, 'convention', 'one of'],
        ['of a kind', { ...CHECKER, bridged: 'coci' }, 'bridged', 'dmoj_bridged'],
        ['of PEG', { ...CHECKER, convention: 'dmoj_bridged', bridged: 'peg' }, 'bridged', 'one of'],
      ] as const
    ).map(([what, interactor, path, message]): [string, string, object, string, string] => [
      `an interactor ${what}`,
      'judge',
      aJudgeBody({ tests: { kind: 'interactive', interactor, cases: [{}] } }),
      `tests.interactor.${path}`,
      message,
    ]),
    [
      'an interactor besides a comparison',
      'judge',
      aJudgeBody({
        tests: { kind: 'interactive', interactor: CHECKER, cases: [{}] },
        compare: 'exact',
      }),
      'compare',
      'judges by itself',
    ],
    [
      'a case of an interactor',
      'judge',
      aJudgeBody({
        tests: {
          kind: 'interactive',
          interactor: CHECKER,
          cases: [...Array.from({ length: 150 }, () => ({})), { input: '' }],
        },
      }),
      'tests.cases[150].input',
      'did you mean "stdin"',
    ],
    ['no groups', 'judge', aGrouped({}, 'a'), 'scoring.groups', 'at least one'],
    [
      'a group for nothing',
      'judge',
      aGrouped({ a: { points: 0, rule: 'min' } }, 'a'),
      'scoring.groups.a.points',
      '>0',
    ],
    [
      'an unknown rule',
      'judge',
      aGrouped({ a: { points: 1, rule: 'max' } }, 'a'),
      'scoring.groups.a.rule',
      'expected one of "sum"',
    ],
    [
      'a threshold for min',
      'judge',
      aGrouped({ a: { ...MIN, threshold: 1 } }, 'a'),
      'scoring.groups.a.threshold',
      'only rule threshold',
    ],
    [
      'no threshold',
      'judge',
      aGrouped({ a: { points: 1, rule: 'threshold' } }, 'a'),
      'scoring.groups.a.threshold',
      'is required',
    ],
    ['an empty group', 'judge', aGrouped({ a: MIN, b: MIN }, 'a'), 'scoring.groups.b', 'no case'],
    [
      'a case of no group',
      'judge',
      aGrouped({ a: MIN }, 'a', null),
      'tests.cases[1].group',
      'is required',
    ],
    [
      'a case of another group',
      'judge',
      aGrouped({ a: MIN }, 'a', 'c'),
      'tests.cases[1].group',
      'no such group',
    ],
    [
      'stop per group without groups',
      'judge',
      aJudgeBody({ stop: 'per_group' }),
      'stop',
      'needs scoring by groups',
    ],
  ])('%s', async (_, endpoint, body, path, message) => {
    const problem = await problemOf(`/v1/${endpoint}`, body);
    expect(problem).toMatchObject({ code: 'invalid', status: 422 });
    const error = problem.errors.find((each) => each.path === path);
    expect(error?.message, JSON.stringify(problem.errors)).toContain(message);
  });
});
