/**
 * Tests that are code and lean on something a program could put in its place: names that they never imported, names that
 * a star import brings, objects of the program's as values, what they kept of an answer. None may reward a wrong program
 * or become a fault by it; a right one is accepted.
 */
import { describe, expect, it } from 'vitest';

import type { JudgeRequestBody } from '../support/builders.ts';
import { readProjectFile } from '../support/project.ts';
import { useArena } from './hostile-suite.ts';

type Tests = JudgeRequestBody['tests'];

const asserts = (cases: readonly string[], more: object = {}): Tests => ({
  kind: 'asserts',
  cases: [...cases],
  ...more,
});
const file = (text: string): Tests => ({ kind: 'unittest', files: { 'test_double.py': text } });

const MODULE = asserts(['assert math.isclose(double(2), 4.0)']);
const STAR = file(`import unittest
from math import isclose
from unittest import TestCase
from solution import *

class TestDouble(TestCase):
    def test_double(self):
        self.assertTrue(isclose(double(2), 4.0))
`);
const QUESTIONS = [
  'assert double("a").startswith("aa")',
  'assert double({1}).issuperset({1, 2})',
  'assert double(2).equals(4)',
];
const NUMBERS = [
  'assert abs(double(2) - 4) < 1e-6',
  'assert double(2) < 5',
  'assert 3 < double(2)',
  'assert 4 in double(2)',
];
const METHOD = asserts(['assert Doubler().double("a").startswith("aa")'], { level: 1 });
const NODE = `class Node:
    def __init__(self, value):
        self.value = value

    def same(self, other):
        return self.value == other.value
`;
const RECORD = asserts(['assert chain(4).same(Node(4))'], { prompt: NODE, level: 2 });
const TABLE = file(`import unittest
from solution import table
FOUR = table()["four"]

class TestDouble(unittest.TestCase):
    def test_four(self):
        self.assertEqual(FOUR, 4)
`);
const ROWS = file(`import unittest
from solution import double, rows

class TestDouble(unittest.TestCase):
    pass

for number in rows():
    setattr(TestDouble, f"test_{number}", lambda self: self.assertEqual(double(2), 4))
`);
const KEPT = asserts(['assert double(2) == 4', 'assert sum(TABLE) == 4'], {
  setup: 'TABLE = table()',
});

const single = (cases: readonly string[], level: number): [string, Tests][] =>
  cases.map((text) => [`${text} at level ${level}`, asserts([text], { level })]);

const WRONG: [string, [string, Tests][]][] = [
  ['module-class.py', [['a module', MODULE]]],
  ['imported-names.py', [['a star import', STAR]]],
  ['forged-object.py', [0, 1, 2].flatMap((level) => single(QUESTIONS, level))],
  ['returns-itself.py', [['a method', METHOD]]],
  ['agreeing-object.py', [...single(NUMBERS, 2), ...single(QUESTIONS, 2)]],
  ['method-in-record.py', [['a record', RECORD]]],
  [
    'breaks-the-import.py',
    [
      ['a test file', TABLE],
      ['no tests', ROWS],
    ],
  ],
  ['works-later.py', [['what was kept', KEPT]]],
];

const RIGHT: [string, Tests][] = [
  ['a module', MODULE],
  ['a star import', STAR],
  ['a record', RECORD],
  [
    'objects of its own',
    asserts(
      [
        'v = Vector(3, 4)\nassert abs(v) == 5 and v < 6 and 3 in v and abs(-v * 2) == 10',
        'w = Vector(1, 1) + Vector(2, 3)\nassert (w * 2).x == 6 and (w.x, w.y) == (3, 4)',
        'assert Vector(1, 2).moved(2).moved(1).x == 4',
        'assert 3 in vector(3, 4) and 5 not in vector(3, 4)',
      ],
      { level: 2 },
    ),
  ],
  ['names that modules have', asserts(['assert bisect([5, 6], 6) == 1', 'assert queue == [1, 2]'])],
];

const LIMITS = { cpu_ms: 1000, wall_ms: 3000, memory_mb: 256, output_kb: 1024, processes: 32 };

describe('tests that lean on names and objects', () => {
  const arena = useArena();
  const judge = (name: string, tests: Tests) =>
    arena.service().client.judge({
      language: 'python',
      code: readProjectFile('test', 'hostile', 'programs', 'split-names', name),
      tests,
      limits: LIMITS,
    });

  describe.each(WRONG)('%s', (name, tests) => {
    it.each(tests)('earns nothing by %s', { timeout: 60_000 }, async (_, each) => {
      const { reward, fault } = await judge(name, each);
      expect({ reward, fault }).toEqual({ reward: 0, fault: null });
    });
  });

  it.each(RIGHT)('accept a right program by %s', async (_, tests) => {
    const report = await judge('honest.py', tests);
    expect(report).toMatchObject({ verdict: 'accepted', reward: 1, message: '' });
  });

  it('compare numbers of any length', async () => {
    const digits = '7'.repeat(6000);
    const ask = async (code: string): Promise<unknown> => {
      const text = `{"language": "python", "code": ${JSON.stringify(code)}, "tests": {"kind": "function",
        "entry": "f", "cases": [{"args": [${digits}], "expected": ${digits}}]}}`;
      return (await arena.service().client.post('/v1/judge', text)).body;
    };
    expect(await ask('def f(x): return x')).toMatchObject({ verdict: 'accepted' });
    expect(await ask('def f(x): return x + 1')).toMatchObject({ verdict: 'wrong_answer' });
  });
});
