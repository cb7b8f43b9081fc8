/**
 * Tests that are code, over HTTP against real jails: what crosses between tests and program, how failures are named, and
 * that a fault of the tests is never the program's.
 */
import { describe, expect, it } from 'vitest';

import { asserts, type Tests, usePythonJudge } from '../support/python-judge.ts';

const { judge, service } = usePythonJudge();

/** Expressions whose values must come back equal, of equal type, and printed alike. */
const VALUES = [
  'None, True, False, 0, -1, 2**63, -2**200, 10**5000',
  '0.1, -0.0, 1e308, 5e-324, float("inf"), 3.0',
  '1+2j, ..., range(1, 10, 3), range(2**70)',
  '"", "\\u00e9\\U0001f600\\x00", "\\ud800", b"\\x00\\xff", bytearray(b"ab")',
  '(), (1,), [1, [2, (3, {4})]], {1, "a"}, frozenset({(1, 2)})',
  '{}, {1: 2, (1, 2): [3], "a": None, None: 1, frozenset({1}): 2}',
  'Decimal("1.10"), Decimal("NaN").is_nan(), Fraction(-3, 4)',
  'date(2024, 2, 29), datetime(2024, 1, 2, 3, 4, 5, 6, timezone(timedelta(hours=-3))), time(1, 2), timedelta(-1, 5)',
  'deque([1, 2], maxlen=3), Counter("abca"), OrderedDict([(2, 1), (1, 2)]), defaultdict(list, {1: [2]})',
  'int, str, list, type(None), object',
];
const IMPORTS = `from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
`;

describe('values', () => {
  it('cross exactly, both ways', async () => {
    const echo = 'def echo(x):\n    return x\n\n\ndef text(x):\n    return repr(x)\n';
    const cases = VALUES.map(
      (values) => `v = [${values}]
got = echo(v)
assert got == v
assert [type(a) for a in got] == [type(a) for a in v]
assert repr(got) == repr(v) or any("{" in repr(a) for a in v)
assert text(v[0]) == repr(v[0])`,
    );
    const setup = `${IMPORTS}import sys\nsys.set_int_max_str_digits(0)`;
    const report = await judge(
      `import sys\nsys.set_int_max_str_digits(0)\n${echo}`,
      {
        kind: 'asserts',
        setup,
        cases,
      },
      { stop: 'never' },
    );
    expect(report.cases.map(({ id, message }) => [id, message])).toEqual(
      VALUES.map((_, index) => [String(index + 1), '']),
    );
  });

  it('lose their own types where those are built in, and nothing else', async () => {
    const code = `from collections import namedtuple
import enum
Point = namedtuple("Point", "x y")
class Text(str): pass
class Colour(enum.IntEnum):
    RED = 3
def f():
    return [Point(1, 2), Text("a"), Colour.RED, {1: 2}.keys()]
`;
    const report = await judge(
      code,
      asserts(
        'r = f()\nassert r == [(1, 2), "a", 3, [1]]',
        'assert [type(a) for a in f()] == [tuple, str, int, list]',
      ),
    );
    expect(report).toMatchObject({ verdict: 'accepted', passed: 2 });
  });

  it('may be records of the problem, also in circles', async () => {
    const prompt = `from dataclasses import dataclass
import enum
class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next
@dataclass(frozen=True)
class Point:
    x: int
    y: int
class Colour(enum.Enum):
    RED = 1
def build(values):
    head = None
    for v in reversed(values):
        head = ListNode(v, head)
    return head
`;
    const code = `class Solution:
    def reverse(self, head):
        last = None
        while head:
            head.next, last, head = last, head, head.next
        return last
    def ring(self, node):
        node.next = node
        return node
    def move(self, p, colour):
        assert colour is Colour.RED and isinstance(p, Point)
        return Point(p.x + 1, p.y)
`;
    const cases = [
      'r = Solution().reverse(build(list(range(5000))))\nassert type(r) is ListNode and r.val == 4999 and r.next.next.val == 4997',
      'r = Solution().ring(ListNode(1))\nassert r.next.next is r',
      'assert Solution().move(Point(1, 2), Colour.RED) == Point(2, 2)',
    ];
    const report = await judge(code, { kind: 'asserts', cases, prompt });
    expect(report).toMatchObject({ verdict: 'accepted', message: '' });
  });

  it('are written back only where that is asked for', async () => {
    const code = 'def clear(xs, keep):\n    xs[:] = [x for x in xs if x in keep]\n';
    const cases = ['xs = [1, 2, 3]\nclear(xs, keep=[2])\nassert xs == [2]'];
    expect(await judge(code, { kind: 'asserts', cases })).toMatchObject({
      verdict: 'wrong_answer',
    });
    expect(await judge(code, { kind: 'asserts', cases, write_back: true })).toMatchObject({
      verdict: 'accepted',
    });
  });

  it('cross the levels: iterators at 1, objects and functions at 2', async () => {
    const code = `class Vector:
    def __init__(self, x): self.x = x
    def __add__(self, other): return Vector(self.x + other.x)
    def __len__(self): return self.x
    def scaled(self, n): return Vector(self.x * n)
def count(n):
    yield from range(n)
def apply(f, xs):
    return [f(x) for x in xs]
`;
    const at = async (level: 0 | 1 | 2, test: string): Promise<string> =>
      (await judge(code, { kind: 'asserts', cases: [test], level })).verdict;
    const lazy = 'assert list(count(4)) == [0, 1, 2, 3]';
    expect([await at(0, lazy), await at(1, lazy)]).toEqual(['wrong_answer', 'accepted']);
    const made = 'v = Vector(3)\nassert v.x == 3\nv.x = 4\nassert v.x == 4 and v != 4';
    expect(await at(1, made)).toBe('accepted');
    const sum = 'assert (Vector(1) + Vector(2)).x == 3 and len(Vector(2).scaled(2)) == 4';
    expect([await at(1, sum), await at(2, sum)]).toEqual(['wrong_answer', 'accepted']);
    const call = 'assert apply(lambda x: x * 2, [1, 2]) == [2, 4]';
    expect([await at(1, call), await at(2, call)]).toEqual(['wrong_answer', 'accepted']);
  });
});

describe('exceptions', () => {
  it('arrive as classes that tests can name', async () => {
    const code = `import json
class Own(ValueError): pass
def f(n):
    if n == 0: return [][1]
    if n == 1: return json.loads("{")
    if n == 2: raise Own("own", 3)
`;
    const test = `import json, unittest
from solution import f, Own
class T(unittest.TestCase):
    def test_index(self):
        with self.assertRaises(IndexError): f(0)
    def test_library(self):
        with self.assertRaises(json.JSONDecodeError): f(1)
    def test_own(self):
        with self.assertRaises(Own) as caught: f(2)
        self.assertEqual(caught.exception.args, ("own", 3))
    def test_base(self):
        with self.assertRaisesRegex(ValueError, "own"): f(2)
`;
    const report = await judge(code, { kind: 'unittest', files: { 'test_f.py': test } });
    expect(report).toMatchObject({ verdict: 'accepted', passed: 4, total: 4 });
    expect(report.cases[0]?.id).toBe('test_f.T.test_base');
  });

  it.each(['raise SystemExit(0)', 'raise KeyboardInterrupt', 'import os; os._exit(0)'])(
    'pass no assertRaises that would take anything: %s',
    async (statement) => {
      const test = `import unittest
from solution import f
class T(unittest.TestCase):
    def test(self):
        with self.assertRaises(BaseException): f()
`;
      const report = await judge(`def f():\n    ${statement}\n`, {
        kind: 'unittest',
        files: { 'test_f.py': test },
      });
      expect(report).toMatchObject({ verdict: 'runtime_error', reward: 0, fault: null });
    },
  );

  it.each(['', null])(
    'are not passed by a call that fails where %j is expected',
    async (expected) => {
      const cases = [{ args: [1], expected }];
      const report = await judge('def f(x):\n    raise ValueError("")\n', {
        kind: 'function',
        entry: 'f',
        cases,
      });
      expect(report).toMatchObject({ verdict: 'runtime_error', reward: 0, fault: null });
    },
  );
});

describe('ends', () => {
  const three = asserts('assert f(1) == 1', 'assert f(2) == 2', 'assert f(3) == 3');
  // Filling 128 MB of memory that the host has not touched yet takes up to 0.3 s of CPU time.
  const limits = { cpu_ms: 1500, wall_ms: 6000, memory_mb: 128 };
  it.each([
    ['while True: pass', 'time_limit', 'cpu'],
    ['import time; time.sleep(60)', 'time_limit', 'wall'],
    ['x = bytearray(1 << 30)\n        x[:] = b"1" * (1 << 30)', 'memory_limit', 'memory'],
    ['import os; os.abort()', 'runtime_error', null],
    ['1 / 0', 'runtime_error', null],
  ])(
    'are the program’s own, and a fresh one takes the other tests: %s',
    async (statement, verdict, limit) => {
      const code = `def f(n):\n    if n == 2:\n        ${statement}\n    return n\n`;
      const report = await judge(code, three, { limits, stop: 'never', scoring: 'fraction' });
      expect(report.cases.map((each) => each.verdict)).toEqual(['accepted', verdict, 'accepted']);
      expect(report.cases.map((each) => each.limit)).toEqual([null, limit, null]);
      expect(report.fault).toBeNull();
    },
  );

  it('stop after the first failure where that is asked for', async () => {
    const report = await judge('def f(n):\n    return 1\n', three);
    expect(report.cases.map((each) => each.verdict)).toEqual([
      'accepted',
      'wrong_answer',
      'not_run',
    ]);
  });

  it('of tests that do not work are faults of theirs', async () => {
    for (const tests of [
      asserts('assert f( == 1'),
      asserts('import nothing_of_that_name\nassert f(1) == 1'),
      { kind: 'asserts', setup: 'import nothing_of_that_name', cases: ['assert f(1) == 1'] },
      { kind: 'check', code: 'import nothing.here\ndef check(c): pass', entry: 'f' },
      { kind: 'check', code: 'x = 1', entry: 'f' },
      {
        kind: 'check',
        code: 'def check(c): pass',
        entry: 'f',
        prompt: 'import nothing_of_that_name',
      },
      { kind: 'unittest', files: { 'test_f.py': 'x = 1\n' } },
    ] satisfies Tests[]) {
      const report = await judge('def f(n):\n    return n\n', tests);
      expect(report).toMatchObject({ verdict: 'fault', reward: null });
      expect(report.fault).toMatchObject({ code: 'tests_broken', retryable: false });
    }
  });
});

describe('definitions', () => {
  it('of the problem are the tests’ own, whatever the program makes of them', async () => {
    const prompt =
      'def poly(xs, x):\n    return sum(c * x**i for i, c in enumerate(xs))\n\n\ndef root(xs):\n    """ A root. """\n';
    const code = 'def poly(xs, x):\n    return 0\n\n\ndef root(xs):\n    return 17\n';
    const test =
      'def check(candidate):\n    assert abs(poly([-2, 1], candidate([-2, 1]))) <= 1e-6\n';
    expect(await judge(code, { kind: 'check', code: test, entry: 'root', prompt })).toMatchObject({
      verdict: 'wrong_answer',
    });
  });

  it('of methods make an instance for each call of a function test', async () => {
    const code =
      'class Solution:\n    def __init__(self): self.n = 0\n    def next(self):\n        self.n += 1\n        return self.n\n';
    const tests: Tests = {
      kind: 'function',
      entry: 'Solution().next',
      cases: [{ expected: 1 }, { id: 'again', expected: 1 }],
    };
    expect(await judge(code, tests)).toMatchObject({ verdict: 'accepted', total: 2 });
  });

  it('of tolerance hold for floats only', async () => {
    const tests = (expected: unknown): Tests => ({
      kind: 'function',
      entry: 'f',
      cases: [{ expected }],
    });
    const compare = { float: { abs: 1e-3, rel: 0 } };
    const verdictOf = async (body: string, expected: unknown): Promise<string> =>
      (await judge(`def f():\n    return ${body}\n`, tests(expected), { compare })).verdict;
    expect(await verdictOf('[0.5001]', [0.5])).toBe('accepted');
    expect(await verdictOf('[0.51]', [0.5])).toBe('wrong_answer');
    expect(await verdictOf('float("nan")', 0.5)).toBe('wrong_answer');
    expect(await verdictOf('(1, 2)', [1, 2])).toBe('accepted');
    expect(await verdictOf('True', 1)).toBe('wrong_answer');
  });
});

describe('requests', () => {
  it('name what is wrong, by its path', async () => {
    const errorsOf = async (tests: object, more: object = {}): Promise<unknown> => {
      const { body } = await service().client.post('/v1/judge', {
        language: 'python',
        code: 'x',
        tests,
        ...more,
      });
      return body;
    };
    expect(await errorsOf({ kind: 'check', code: '', entry: 'a b' })).toMatchObject({
      code: 'invalid',
      errors: [{ path: 'tests.entry' }],
    });
    expect(await errorsOf({ kind: 'function', entry: 'f', cases: [] })).toMatchObject({
      code: 'no_tests',
    });
    expect(await errorsOf({ kind: 'asserts', cases: ['x'] }, { compare: 'lines' })).toMatchObject({
      errors: [{ path: 'compare' }],
    });
    expect(await errorsOf({ kind: 'unittest', files: { '../x.py': '' } })).toMatchObject({
      errors: [{ path: 'tests.files["../x.py"]' }],
    });
    expect(await errorsOf({ kind: 'interactive' })).toMatchObject({
      errors: [{ path: 'tests.interactor' }, { path: 'tests.cases' }],
    });
    expect(await errorsOf({ kind: 'nonsense' })).toMatchObject({
      errors: [{ path: 'tests.kind' }],
    });
    const other = await service().client.post('/v1/judge', {
      language: 'c',
      code: 'x',
      tests: asserts('x'),
    });
    expect(other.body).toMatchObject({ code: 'invalid', errors: [{ path: 'tests.kind' }] });
  });
});

describe('printing', () => {
  const limits = { output_kb: 256 };
  const printing = (kib: number): string =>
    `import os\ndef f(x):\n    print("x" * ${kib} * 1024)\n    return x\n`;
  const both = asserts('assert f(1) == 1', 'assert f(2) == 2');

  it('has a limit of its own, whatever the answers', async () => {
    const within = await judge(printing(100), both, { limits });
    expect(within).toMatchObject({ verdict: 'accepted', passed: 2 });
    const forEver = 'def f(x):\n    while True:\n        print("x" * 65536)\n';
    const flood = await judge(forEver, both, { limits });
    expect(flood).toMatchObject({ verdict: 'output_limit', reward: 0 });
    expect(flood.cases[0]).toMatchObject({
      limit: 'output',
      message: 'the output limit was reached',
    });
  });

  it('beyond it fails one test, and the same number whoever is heard first', async () => {
    const request = { limits, stop: 'never' } as const;
    const reports = await Promise.all(
      Array.from({ length: 6 }, async () => await judge(printing(200), both, request)),
    );
    for (const report of reports)
      expect(report).toMatchObject({ verdict: 'output_limit', passed: 1, reward: 0 });
  });
});
