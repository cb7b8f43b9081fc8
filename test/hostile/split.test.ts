/**
 * Programs that try to earn a reward without the right answer where tests are code, in every style of tests: none may.
 * Beside them honest ones that are odd: all must. Nothing of either may be a fault.
 */
import { readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { JudgeRequestBody } from '../support/builders.ts';
import { projectFile, readProjectFile } from '../support/project.ts';
import { useArena } from './hostile-suite.ts';

type Tests = JudgeRequestBody['tests'];

const LARGE = '90071992547409931';
const ASSERTS = [
  'assert add(1, 2) == 3',
  'assert add(x=-5, y=12) == 7',
  'assert abs(add(2, 40) - 42) <= 1e-9',
  'assert [add(1, 4)] == [5] and {add(2, 4): 1} == {6: 1}',
  'assert isinstance(add(1, 1), int) and not add(1, 1) != 2',
  `assert add(${LARGE}, 1) == ${LARGE} + 1`,
  'assert add(0, 8) in [8] and str(add(0, 9)) == "9"',
];
const UNITTEST = `import unittest
from solution import add

class TestAdd(unittest.TestCase):
${ASSERTS.map((text, index) => `    def test_${index}(self):\n        ${text}\n`).join('\n')}
    def test_equal(self):
        self.assertEqual(add(1, 2), 3)
        self.assertAlmostEqual(add(1, 3), 4)
        self.assertIn(add(1, 4), (5,))
        self.assertTrue(add(2, 2) == 4)
        self.assertIs(type(add(1, 1)), int)
`;

const PYTEST = `import pytest
from solution import add

${ASSERTS.map((text, index) => `def test_${index}():\n    ${text}\n`).join('\n')}
@pytest.mark.parametrize("x, y, total", [(1, 2, 3), (20, 22, 42)])
def test_sum(x, y, total):
    assert add(x, y) == total
    assert add(x, y) == pytest.approx(total)
`;

const STYLES: Readonly<Record<string, Tests>> = {
  function: {
    kind: 'function',
    entry: 'add',
    cases: [
      { args: [1, 2], expected: 3 },
      { kwargs: { x: -5, y: 12 }, expected: 7 },
      { args: [1_000_000_007, 1], expected: 1_000_000_008 },
      { args: [2 ** 53 - 2, 1], expected: 2 ** 53 - 1 },
      { args: [2 ** 52, 2 ** 51 + 1], expected: 2 ** 52 + 2 ** 51 + 1 },
    ],
  },
  asserts: { kind: 'asserts', cases: ASSERTS },
  check: {
    kind: 'check',
    entry: 'add',
    code: `def check(candidate):\n${ASSERTS.map((text) => `    ${text.replaceAll('add(', 'candidate(')}\n`).join('')}`,
  },
  unittest: { kind: 'unittest', files: { 'test_add.py': UNITTEST } },
  pytest: { kind: 'pytest', files: { 'test_add.py': PYTEST } },
};

const LIMITS = { cpu_ms: 1000, wall_ms: 3000, memory_mb: 256, output_kb: 1024, processes: 32 };

function programs(folder: string): readonly string[] {
  const names = readdirSync(projectFile('test', 'hostile', 'programs', folder));
  return names.filter((name) => name.endsWith('.py')).toSorted();
}

const styles = Object.entries(STYLES);

describe('tests that are code', () => {
  const arena = useArena();
  const judge = (folder: string, name: string, tests: Tests) =>
    arena.service().client.judge({
      language: 'python',
      code: readProjectFile('test', 'hostile', 'programs', folder, name),
      tests,
      limits: LIMITS,
    });

  describe.each(styles)('%s', (_, tests) => {
    // JavaScript has no number that would find it in the style of calls; the codec's tests have.
    const hacks = programs('split').filter(
      (name) => tests.kind !== 'function' || name !== 'off-by-one.py',
    );
    it.each(hacks)('reward nothing: %s', async (name) => {
      const { reward, fault } = await judge('split', name, tests);
      expect({ reward, fault }).toEqual({ reward: 0, fault: null });
    });

    it.each(programs('split-honest'))('accept: %s', async (name) => {
      const report = await judge('split-honest', name, tests);
      expect(report).toMatchObject({ verdict: 'accepted', reward: 1, message: '', mode: 'split' });
    });
  });

  // With objects of the program's as values a test may ask them things, but they equal nothing that is plain.
  describe.each(styles)('%s at level 2', (_, tests) => {
    const level2 = { ...tests, level: 2 } as Tests;
    it.each(programs('split').filter((name) => /equal|lying|generator|patched|named/.test(name)))(
      'reward nothing: %s',
      async (name) => {
        const { reward, fault } = await judge('split', name, level2);
        expect({ reward, fault }).toEqual({ reward: 0, fault: null });
      },
    );
  });

  it('keep every digit of a number', async () => {
    const numbers = '[9007199254740993, 1], "expected": 9007199254740994';
    const body = (name: string) =>
      `{"language": "python", "code": ${JSON.stringify(readProjectFile('test', 'hostile', 'programs', name))},
        "tests": {"kind": "function", "entry": "add", "cases": [{"args": ${numbers}}]}}`;
    const verdictOf = async (name: string): Promise<unknown> => {
      const { body: answer } = await arena.service().client.post('/v1/judge', body(name));
      return answer;
    };
    expect(await verdictOf('split/off-by-one.py')).toMatchObject({ verdict: 'wrong_answer' });
    expect(await verdictOf('split-honest/plain.py')).toMatchObject({ verdict: 'accepted' });
  });

  it('leave the host as it was', async () => {
    await arena.guard().expectUnharmed();
  });
});
