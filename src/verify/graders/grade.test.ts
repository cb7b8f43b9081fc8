/**
 * Pairs of outputs that tell the named graders apart, each cell a verdict that follows from the original's stated rules:
 * A accepted, · rejected.
 */
import { describe, expect, it } from 'vitest';

import { GRADERS, profileOf, type Grader } from '../../domain/profile.ts';
import { PROFILE_NAMES, type ProfileName } from '../../domain/profiles.ts';
import type { PlainCompare } from '../../domain/submission.ts';
import { compareOutput } from '../compare.ts';
import { grade } from './grade.ts';

type Column = ProfileName | 'lines';

const COLUMNS: readonly Column[] = [
  'strict',
  'lines',
  'open-r1',
  'lcb',
  'apps',
  'taco',
  'rllm',
  'codecontests',
  'cf-package',
  'ioi-package',
  'cms',
  'judge0',
  'nemo-skills',
  'trl',
  'genesys',
  'common-oj',
  'prime-code',
];

/** Printed, expected, and a letter for each column. */
const PAIRS: readonly (readonly [string, string, string])[] = [
  ['1 2\n\n', '1 2', 'AAAAAAAAA·AAAAAAA'],
  [' 1 2\n', '1 2', 'A·AAAAAAA·A·AAAAA'],
  ['1  2\n', '1 2', 'A··AA·AAAAA··A···'],
  ['a  b\n', 'a b', 'A···A·AAAAA··A···'],
  ['1\n\n2\n', '1\n2', 'A···AAAAA····A··A'],
  ['1 2\n', '1\n2', 'A····AAAA····A···'],
  ['1\n', '1\n2\n3', '··A··············'],
  ['1\n2\n3\n', '1\n2', '··A··············'],
  ['5\n', '\n5', 'AA·AAAAAA···AAAAA'],
  ['1\r\n2\r\n', '1\n2', 'AAAAAAAAAAAA·AAAA'],
  ['1\n2\n', '1\r\n2\r\n', 'AAAAAAAAAAAA·AAAA'],
  ['1.0\n', '1.00', '···AA·AA·······AA'],
  ['3.0\n', '3', '···AA·AA·······AA'],
  ['1e3\n', '1000', '···AA·AA·······AA'],
  ['0.3333333\n', '0.333333', '····A·AA·······AA'],
  ['yes\n', 'YES', '······AAA······A·'],
  ['True\n', 'true', '······AA·······A·'],
  ['YES\n', 'NO', '······A··········'],
  ['a b c\n', 'x y z', '······A··········'],
  ['1000000007\n', '1000000008', '····A·A········A·'],
  ['9007199254740993\n', '9007199254740992', '····A·AA·······A·'],
  ['2 1\n', '1 2', '····A············'],
  ['2\n1\n', '1\n2', '····AAA··········'],
  ['3 3\n', '3', '····AAA··········'],
  ['21\n', '1 2', '·····AA··········'],
  ['0.3334\n', '0.3332', '····A············'],
  ['12', '1\n2', '·····AA··········'],
  // The graders that only these rows tell apart.
  ['1000000006.0\n', '1000000007', '····A·A········AA'],
  ['-1000000006\n', '-1000000007', '····A·A········AA'],
  ['100000\n', '100001', '····A·A········A·'],
  ['', '1', '·················'],
  ['1', '', '·················'],
  ['nan', 'NaN', '·······A·······A·'],
  ['1_0', '10', '···AA·AA·······AA'],
];

function compareOf(column: Column): PlainCompare {
  if (column === 'lines') return { kind: 'lines' };
  const { grader } = profileOf(column);
  return grader === null ? { kind: 'tokens' } : { kind: 'grader', grader };
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('the graders', () => {
  it.each(PAIRS)('%j for %j', (printed, expected, cells) => {
    const verdicts = COLUMNS.map((column) =>
      compareOutput(bytes(expected), bytes(printed), compareOf(column)).equal ? 'A' : '·',
    );
    const told = (letters: readonly string[]) =>
      COLUMNS.map((column, index) => `${column} ${letters[index] ?? '?'}`);
    expect(told(verdicts)).toEqual(told([...cells]));
  });

  it('uses every grader in some profile, so that the table is of all', () => {
    const used = new Set(PROFILE_NAMES.map((name) => profileOf(name).grader));
    const tested = new Set(
      COLUMNS.map((name) => (name === 'lines' ? null : profileOf(name).grader)),
    );
    expect(used).toEqual(tested);
  });

  it('says where outputs differ, or that only the grader minds', () => {
    const by = (grader: Grader, printed: string, expected: string) =>
      compareOutput(bytes(expected), bytes(printed), { kind: 'grader', grader }).message;
    expect(by('decimal_lines', '1 3', '1 2')).toBe('token 2: expected 2, got 3');
    expect(by('diff_b', '\n5', '5')).toBe('not equal by diff_b, though all tokens are');
  });

  it.each<[Grader, string, string, boolean]>([
    // A right answer that the original cuts.
    ['stripped_1000', 'x'.repeat(1000), 'x'.repeat(1000), true],
    ['stripped_1000', 'x'.repeat(1001), 'x'.repeat(1001), false],
    ['stripped_1000', '🙂'.repeat(1000), '🙂'.repeat(1000), true],
    ['stripped_1000', '🙂'.repeat(1001), '🙂'.repeat(1001), false],
    // Empty output, where the first expected line is blank.
    ['zipped_lines', '', '\n5', true],
    ['zipped_lines', '', '5', false],
    // Decimals are exact at any size, and a nan is none.
    ['decimal_lines', '1e-400 0.10', '1.0e-400 .1', true],
    ['decimal_lines', '1e-400', '0', false],
    ['decimal_lines', '-0 +5', '0 5.', true],
    ['decimal_lines', 'nan', 'nan', true],
    ['decimal_lines', '1  nan', '1 nan', false],
    ['decimal_lines', 'Infinity  -inf', 'inf -Infinity', true],
    [
      'decimal_lines',
      '123456789012345678901234567890  1',
      '123456789012345678901234567891 1',
      false,
    ],
    ['decimal_lines', '1e  2', '1e 2', false],
    // Yes and no are folded as whole words only.
    ['yes_no_words', 'yes, nobody', 'YES, nobody', true],
    ['yes_no_words', 'yesno', 'YESno', false],
    // Ties of binary fractions go to even, as Python rounds.
    ['apps_cascade', '0.0625', '0.062', true],
    ['apps_cascade', '0.1875', '0.187', false],
    ['apps_cascade', '0.1875', '0.188', true],
    ['apps_cascade', '-0.0001', '0.0004', true],
    ['apps_cascade', 'NO YES YES', 'YES NO YES', true],
    ['apps_cascade', '7', '7 7 7', true],
    ['taco_cascade', '5 5 5 5', '5', true],
    ['common_oj', '1000001', '1000000', true],
    ['common_oj', '0.00000001', '0', false],
    ['code_contests', '1.000009', '1', true],
    ['code_contests', '1.00002', '1', false],
    ['white_diff', '  1 2  \n\n\n', '1  2', true],
    ['white_diff', '\n1', '1', false],
    ['diff_b', '1\t 2 \n', '1 2', true],
    ['diff_b', '12', '1 2', false],
    ['trailing_stripped', '1 \n2\t\n\n', '1\n2', true],
    ['trailing_stripped', '\n1', '1', false],
    ['stripped_lines', '1 \n 2', '1\n2', true],
  ])('%s: %j for %j is %s', (grader, printed, expected, isAccepted) => {
    expect(grade(grader, bytes(expected), bytes(printed)) === null).toBe(isAccepted);
  });

  it('takes output that is no text only where it is expected to the byte', () => {
    const odd = Uint8Array.of(0xff, 0x31);
    expect(grade('token_list', odd, odd)).toBeNull();
    expect(grade('token_list', bytes('\uFFFD1'), odd)).toBe('the output is not text in UTF-8');
  });

  it.each(GRADERS)('%s takes linear time for what is worst for it', (grader) => {
    const size = 400_000;
    const hard = [' '.repeat(size), '\n'.repeat(size), '9'.repeat(size), `${' '.repeat(size)}x`];
    const since = process.cpuUsage();
    for (const text of hard) grade(grader, bytes(`${text}1`), bytes(`${text}2`));
    expect(process.cpuUsage(since).user / 1000).toBeLessThan(2000);
  });
});
