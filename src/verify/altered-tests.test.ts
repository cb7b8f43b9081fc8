/** Which literals of tests are altered, in the ways in which data sets write assertions. */
import { describe, expect, it } from 'vitest';

import { alterations } from './altered-tests.ts';

/** The last of what there is to choose from. */
const last = (bound: number): number => bound - 1;
const all = (tests: string): readonly string[] => alterations(tests, last).map((make) => make());

describe('alterations', () => {
  it.each([
    [
      'assert(candidate((3.0f), (0.3f)) == (true));',
      'assert(candidate((3.0f), (0.3f)) == (false));',
    ],
    [
      '    assert(f((long)5) == (std::vector<long>({(long)1, (long)2})));',
      '    assert(f((long)5) == (std::vector<long>({(long)1, (long)9})));',
    ],
    ['assert(f("a").equals(("b, c")));', 'assert(f("a").equals(("b, c~")));'],
    [
      '  assert.deepEqual(candidate([1.0, 2.0], 0.3),true);',
      '  assert.deepEqual(candidate([1.0, 2.0], 0.3),false);',
    ],
    [
      'assert_eq!(candidate(vec![1], 2), vec![7, 8]);',
      'assert_eq!(candidate(vec![1], 2), vec![7, 9]);',
    ],
    [
      '  { actual: candidate([]int{1}), expected: []int{4} },',
      '  { actual: candidate([]int{1}), expected: []int{9} },',
    ],
    ['    [[ $(candidate "1 2" "0.3") = "true" ]]', '    [[ $(candidate "1 2" "0.3") = "true~" ]]'],
    ['assert(f(1) == 1234567890);', 'assert(f(1) == 1234567880);'],
    ['assert f(1) == 5, "no 7"', 'assert f(1) == 9, "no 7"'],
    ['  assert.equal(f(1, 2), 5, "no 7");', '  assert.equal(f(1, 2), 9, "no 7");'],
    ['assert f(1) == [3, 4]', 'assert f(1) == [3, 9]'],
    ['assert f(1) == -5', 'assert f(1) == -9'],
    // Within the type that each may be compared as, or it would not compile.
    ['assert_eq!(f(1), 255);', 'assert_eq!(f(1), 254);'],
    ['assert_eq!(f(1), 127u8);', 'assert_eq!(f(1), 126u8);'],
    ['assert(f(1) == 2147483647);', 'assert(f(1) == 2147483646);'],
    ['assert(f(1) == 9223372036854775807L);', 'assert(f(1) == 9223372036854765807L);'],
    // Where it shows: the last digit of this one does not.
    ['assert f(1) == 0.30000000000000004', 'assert f(1) == 0.20000000000000004'],
    ['assert(f(1) == [5, 0x1F, 1e-7]);', 'assert(f(1) == [9, 0x1F, 1e-7]);'],
    ['assert(f("==") == ("x\\"y"));', 'assert(f("==") == ("x\\"y~"));'],
  ])('alters %s', (line, other) => {
    expect(all(`a\n${line}\nb`)).toEqual([`a\n${other}\nb`]);
  });

  it.each([
    'auto candidate = f;',
    'assert(candidate(5) == (std::vector<long>()));',
    'assert(std::abs(candidate(3.5) - 0.5) < 0.01);',
    "t.Errorf(\"expected '%s', got '%s'\", tc.expected, tc.actual)",
    'const x = [1, 2];',
    'assert(f(1) > 3, "at least 3");',
    'assert.ok(f(1), 5);',
    'console.assert(f(1) === 2)',
    'assert f(1) == 0x1F',
    'assert f(1) == 1_000_000',
    'assert(f(1) == 017);',
    'assert f(1) == 1.5e-7',
    'assert f(1) == 1e9',
    '',
  ])('knows no expected value in %j', (line) => {
    expect(all(line)).toEqual([]);
  });

  it('is linear in the tests', () => {
    const hostile = `assert f() == "${'\\"'.repeat(9000)}`;
    expect(all(`${hostile}\n`.repeat(150))).toEqual([]);
    expect(all(`assert ${'=='.repeat(9000)}\n`.repeat(150))).toEqual([]);
  });

  it('gives a way for each assertion', () => {
    expect(all('assert f(1) == 1\nassert f(2) == 2')).toEqual([
      'assert f(1) == 9\nassert f(2) == 2',
      'assert f(1) == 1\nassert f(2) == 9',
    ]);
  });
});
