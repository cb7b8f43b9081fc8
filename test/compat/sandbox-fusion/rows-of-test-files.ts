/** Rows of AutoEval whose tests are files of pytest, jest and JUnit, with right, wrong and forging completions. */
import { fenced, of, type SUBMISSIONS } from './rows.ts';

const autoEvalPytest = {
  id: 5,
  content: 'double(n)',
  labels: { programming_language: 'python', execution_language: 'pytest' },
  test: {
    code: 'import pytest\n#<INSERT>\n\n@pytest.mark.parametrize("n", [0, 2, -3])\ndef test_double(n):\n    assert double(n) == 2 * n\n',
  },
};

const autoEvalJest = {
  id: 6,
  content: 'A counter.',
  labels: { programming_language: 'typescript', execution_language: 'jest' },
  test: {
    code: "#<INSERT>\n\ndescribe('Counter', () => {\n  test('counts', () => {\n    const counter = new Counter(3);\n    counter.add(4);\n    expect(counter.total).toBe(7);\n  });\n  it('doubles', () => {\n    expect(double(2)).toEqual(4);\n    expect(() => double('2')).toThrow(TypeError);\n  });\n});\n",
  },
};

const autoEvalJUnit = {
  id: 7,
  content: 'A counter.',
  labels: { programming_language: 'java', execution_language: 'junit' },
  test: {
    code: 'import java.util.List;\n\npublic class CounterTest {\n    @Test\n    void counts() {\n        assertEquals(7, new Counter().count(List.of(3, 4)));\n    }\n\n    @Test\n    void names() {\n        assertEquals("sum", Names.of(true));\n    }\n}\n',
  },
};

/** Name, what is submitted, whether it is accepted. */
export const TEST_FILE_SUBMISSIONS: typeof SUBMISSIONS = [
  [
    'AutoEval with a file of pytest',
    of('any', 'AutoEvalDataset', autoEvalPytest, fenced('def double(n):\n    return n + n')),
    true,
  ],
  [
    'AutoEval with a file of pytest, an exit before the tests',
    of('any', 'AutoEvalDataset', autoEvalPytest, fenced('import os\nos._exit(0)')),
    false,
  ],
  [
    'AutoEval with a file of jest',
    of(
      'any',
      'AutoEvalDataset',
      autoEvalJest,
      fenced(
        `export class Counter {
  constructor(public total: number) {}
  add(n: number): void { this.total += n; }
}

export function double(n: number): number {
  if (typeof n !== 'number') throw new TypeError('no number');
  return 2 * n;
}`.replace(
          'constructor(public total: number) {}',
          'total: number;\n  constructor(total: number) { this.total = total; }',
        ),
        'typescript',
      ),
    ),
    true,
  ],
  [
    'AutoEval with a file of jest, half of it right',
    of(
      'any',
      'AutoEvalDataset',
      autoEvalJest,
      fenced(
        'class Counter { constructor(n) { this.total = n; } add(n) { this.total += n; } }\nfunction double(n) { return 4; }',
        'ts',
      ),
    ),
    false,
  ],
  [
    'AutoEval with a file of jest, a program with a library of its own',
    of(
      'any',
      'AutoEvalDataset',
      autoEvalJest,
      fenced(
        'class Counter { add() {} }\nfunction double() {}\nfunction expect() { return { toBe() {}, toEqual() {}, toThrow() {} }; }\nfunction test() {}\nfunction it() {}\nfunction describe() {}',
        'ts',
      ),
    ),
    false,
  ],
];

/** The same for a toolchain that a host may lack. */
export const JAVA_SUBMISSIONS: typeof SUBMISSIONS = [
  [
    'AutoEval with a file of JUnit, a program in two blocks',
    of(
      'any',
      'AutoEvalDataset',
      autoEvalJUnit,
      `${fenced('package a.b;\n\nimport java.util.*;\n\npublic class Counter {\n    public int count(List<Integer> all) { return all.stream().mapToInt(n -> n).sum(); }\n}', 'java')}\n${fenced('public class Names {\n    public static String of(boolean is) { return is ? "sum" : "none"; }\n}', 'java')}`,
    ),
    true,
  ],
  [
    'AutoEval with a file of JUnit, a wrong program',
    of(
      'any',
      'AutoEvalDataset',
      autoEvalJUnit,
      fenced(
        'import java.util.*;\n\nclass Counter {\n    int count(List<Integer> all) { return 7; }\n}\n\nclass Names {\n    static String of(boolean is) { return "none"; }\n}',
        'java',
      ),
    ),
    false,
  ],
  [
    'AutoEval with a file of JUnit, an exit before the tests',
    of(
      'any',
      'AutoEvalDataset',
      autoEvalJUnit,
      fenced(
        'import java.util.*;\n\nclass Counter {\n    static { System.exit(0); }\n    int count(List<Integer> all) { return 7; }\n}\n\nclass Names {\n    static String of(boolean is) { return "sum"; }\n}',
        'java',
      ),
    ),
    false,
  ],
];
