/**
 * Tests that share a process with the program, over HTTP against real jails: what they may patch, that forged results are
 * found out by canaries, and what is refused because there is nothing to alter.
 */
import { describe, expect, it } from 'vitest';

import type { JudgeResponse } from '../../src/http/native/schema/report.ts';
import type { JudgeRequestBody } from '../support/builders.ts';
import { readGauntlet } from '../../src/cli/gauntlet/problems.ts';
import { attemptsOf } from '../../src/cli/gauntlet/run.ts';
import { projectFile } from '../support/project.ts';
import { asserts, type Tests, usePythonJudge } from '../support/python-judge.ts';

const { judge: judgeAs, service } = usePythonJudge();

function judge(
  code: string,
  tests: object,
  more: Partial<JudgeRequestBody> = {},
): Promise<JudgeResponse> {
  return judgeAs(code, { ...tests, mode: 'in_process' } as unknown as Tests, more);
}

const ADD = 'def add(x, y):\n    return x + y\n';
const SUMS = asserts('assert add(1, 2) == 3', 'assert add(-5, 12) == 7', 'assert add(8, 8) == 16');

describe('tests beside the program', () => {
  it('may patch what they test', async () => {
    const code = `import time
import urllib.request

def fetch(url):
    return urllib.request.urlopen(url).read().decode()

def stamp():
    return "%d" % time.time()

def both(url):
    return fetch(url) + stamp()
`;
    const file = `import unittest
from unittest import mock
from unittest.mock import patch

import solution
from solution import both, stamp


class TestBoth(unittest.TestCase):
    @patch("solution.urllib.request.urlopen")
    def test_fetch(self, urlopen):
        urlopen.return_value.read.return_value = b"page"
        with patch("solution.time.time", return_value=7):
            self.assertEqual(both("http://example"), "page7")
        urlopen.assert_called_once_with("http://example")

    def test_stamp(self):
        with patch.object(solution.time, "time", return_value=12.5):
            self.assertEqual(stamp(), "12")

    def test_inner(self):
        with mock.patch("solution.fetch", side_effect=ValueError("no page")):
            with self.assertRaises(ValueError):
                both("x")
`;
    const tests = { kind: 'unittest', files: { 'test_both.py': file } };
    const report = await judge(code, tests);
    expect(report).toMatchObject({
      verdict: 'accepted',
      reward: 1,
      passed: 3,
      mode: 'in_process',
      canaries: { runs: 3, failed: 3, flagged: false, message: '' },
    });
    const pytest = {
      kind: 'pytest',
      files: {
        'conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef now():\n    return 5\n',
        'test_both.py': `import pytest
import solution
from helper import PAGE


@pytest.mark.parametrize("page, text", [(b"a", "a5"), (b"bc", "bc5")])
def test_pages(monkeypatch, now, page, text):
    monkeypatch.setattr(solution, "fetch", lambda url: page.decode())
    monkeypatch.setattr("solution.time.time", lambda: now)
    assert solution.both("x") == text


def test_page(monkeypatch):
    monkeypatch.setattr(solution, "fetch", lambda url: PAGE)
    monkeypatch.setattr(solution, "stamp", lambda: "!")
    assert solution.both("x") == "page!"
`,
        'helper.py': 'PAGE = "page"\n',
      },
    };
    expect(await judge(code, pytest)).toMatchObject({
      verdict: 'accepted',
      passed: 3,
      message: '',
      canaries: { flagged: false },
    });
  });

  it.each<[string, object, Partial<JudgeRequestBody>]>([
    [
      'a method of a class',
      {
        kind: 'check',
        entry: 'Sums().add',
        code: 'def check(candidate):\n    assert candidate(1, 2) == 3\n',
      },
      { code: 'class Sums:\n    def add(self, a, b):\n        return a + b\n' },
    ],
    [
      'definitions of the problem',
      {
        ...asserts('assert total(Node(1, Node(2))) == 3', 'assert total(Node(7)) == 7'),
        prompt:
          'class Node:\n    def __init__(self, value, next=None):\n        self.value, self.next = value, next\n\n\ndef total(node):\n',
      },
      {
        code: 'def total(node):\n    return node.value + (total(node.next) if node.next else 0)\n',
      },
    ],
    [
      'files in folders',
      {
        kind: 'pytest',
        files: {
          'a/test_x.py':
            'import json\nimport os\nfrom solution import *\n\n\ndef test_a():\n    path = os.path.join(os.path.dirname(__file__), "d.json")\n    assert add(*json.load(open(path))) == 3\n',
          'a/d.json': '[1, 2]',
        },
      },
      {},
    ],
    [
      'coroutines',
      {
        kind: 'unittest',
        files: {
          'test_x.py':
            'import unittest\nfrom solution import add\n\n\nclass A(unittest.IsolatedAsyncioTestCase):\n    async def test_a(self):\n        for i in range(3):\n            with self.subTest(i=i):\n                self.assertEqual(add(i, 0), i)\n        self.assertEqual(add(2, 4), 6)\n',
        },
      },
      {},
    ],
    ['a process started anew', SUMS, { warm: false }],
    ['a seed', SUMS, { seed: 7 }],
    [
      'a program of two files',
      SUMS,
      {
        code: undefined,
        files: {
          'main.py': 'from helper import plus as add\n',
          'helper.py': 'def plus(x, y):\n    return x + y\n',
        },
        entry: 'main.py',
      },
    ],
  ])('know %s', async (_, tests, more) => {
    expect(await judge(ADD, tests, more)).toMatchObject({
      verdict: 'accepted',
      message: '',
      canaries: { flagged: false },
    });
  });

  it('are not passed where they end differently from run to run', async () => {
    const code = 'import os\n\ndef add(x, y):\n    return x + y + (os.urandom(1)[0] < 128)\n';
    const tests = asserts(
      ...Array.from({ length: 16 }, (_, n) => `assert add(${n}, 2) == ${n + 2}`),
    );
    expect(await judge(code, tests)).toMatchObject({ reward: 0 });
  });

  it('are told apart as anywhere else', async () => {
    const report = await judge('def add(x, y):\n    return 3 if x == 1 else x // 0\n', SUMS, {
      scoring: 'fraction',
      stop: 'never',
    });
    expect(report.cases.map(({ verdict }) => verdict)).toEqual([
      'accepted',
      'runtime_error',
      'runtime_error',
    ]);
    expect(report).toMatchObject({ fraction: 1 / 3, canaries: { flagged: false } });
    expect(await judge('def add(x, y):\n    return 4\n', SUMS)).toMatchObject({
      verdict: 'wrong_answer',
      reward: 0,
    });
    expect(await judge('def add(:\n', SUMS)).toMatchObject({ verdict: 'runtime_error' });
    expect(await judge('while True: pass\n', SUMS, { limits: { cpu_ms: 200 } })).toMatchObject({
      verdict: 'time_limit',
    });
  });

  it('give no reward for what only looks equal', async () => {
    const code = `class Same:
    def __eq__(self, other):
        return True


def add(x, y):
    return Same()
`;
    expect(await judge(code, SUMS)).toMatchObject({
      verdict: 'wrong_answer',
      reward: 0,
      canaries: { flagged: true, message: expect.stringContaining('altered') as string },
    });
  });

  // That they win the real run is what makes the gauntlet's result worth anything.
  it.each([
    ['beside-always-true', 'unittest'],
    ['beside-claims', 'asserts'],
    ['beside-failures-noted', 'check'],
    ['beside-forged-frame', 'asserts'],
    ['beside-next-constant', 'asserts'],
    ['beside-patched-calls', 'pytest'],
    ['beside-patched-json', 'unittest'],
    ['beside-patched-run', 'unittest'],
    ['beside-patched-write', 'check'],
    ['beside-replaced-tests', 'pytest'],
    ['beside-unsure-only', 'check'],
  ])('are forged by %s (%s), and canaries tell', async (name, kind) => {
    const gauntlet = await readGauntlet(projectFile('gauntlet'));
    const only = new RegExp(`^code/${kind}, in process/hacks/${name}\\.`);
    const [attempt] = attemptsOf(gauntlet, only);
    const request = attempt?.request ?? {};
    const response = await service().client.post('/v1/judge', {
      ...request,
      language: 'python',
      code: attempt?.program.source,
      scoring: 'fraction',
    });
    expect(response.body).toMatchObject({ reward: 0, fraction: 0, canaries: { flagged: true } });
  });

  it.each<[string, object, RegExp]>([
    ['no literal', asserts('assert add(1, 2) == add(2, 1)'), /test 1 has no expected literal/],
    ['no tests', { kind: 'unittest', files: { 'test_x.py': 'x = 1\n' } }, /no tests/],
    ['examples only', { ...asserts('assert add(1, 2) == 3'), prompt: '# add(1, 2)' }, /prompt/],
  ])('are refused where there is %s to alter', async (_, tests, message) => {
    const response = await service().client.post('/v1/judge', {
      language: 'python',
      code: ADD,
      tests: { ...tests, mode: 'in_process' },
    });
    expect(response.status).toBe(422);
    expect(JSON.stringify(response.body)).toMatch(message);
  });
});

/** What patches the program cannot be split from it. */
const PATCHED = {
  id: 'patched',
  language: 'python',
  tests: {
    kind: 'unittest',
    files: {
      'test_stamp.py': `import unittest
from unittest.mock import patch

from solution import stamp


class TestStamp(unittest.TestCase):
    def test_noon(self):
        with patch("solution.time.time", return_value=43200.5):
            self.assertEqual(stamp(), "43200 s")

    def test_start(self):
        with patch("solution.time.time", return_value=0.25):
            self.assertEqual(stamp(), "0 s")
`,
    },
  },
  references: [{ code: 'import time\n\ndef stamp():\n    return "%d s" % time.time()\n' }],
};

describe('test sets', () => {
  const register = (problem: object) =>
    service().client.post('/v1/testsets', {
      id: 'mocks',
      calibrate: { runs: 4 },
      problems: [problem],
    });
  const judgeBy = (code: string) =>
    service().client.post('/v1/judge', { testset: 'mocks/patched', code, detail: 'full' });

  it('are judged beside the program where no stricter mode works, and say so', async () => {
    const { body } = await register(PATCHED);
    expect(body).toMatchObject({
      results: [{ accepted: true, calibration: { mode: 'in_process', runs: 4 } }],
    });
    const [{ code }] = PATCHED.references as [{ code: string }];
    const right = await judgeBy(code);
    expect(right.body).toMatchObject({
      verdict: 'accepted',
      mode: 'in_process',
      canaries: { runs: 4, failed: 4, flagged: false },
    });
    const equal = `class Same:\n    def __eq__(self, other):\n        print(other)\n        return True\n\n\ndef stamp():\n    import sys\n    sys.stderr.write("43200 s")\n    return Same()\n\nimport time\n`;
    const forged = await judgeBy(equal);
    expect(forged.body).toMatchObject({
      verdict: 'wrong_answer',
      reward: 0,
      canaries: { flagged: true },
    });
    expect(JSON.stringify(forged.body)).not.toContain('43200');
  });

  it('refuse tests that patch the program and expect no literal', async () => {
    const text = PATCHED.tests.files['test_stamp.py'];
    const open = text.replaceAll(/assertEqual.*$/gm, 'assertTrue(stamp() in ("43200 s", "0 s"))');
    const tests = { kind: 'unittest', files: { 'test_stamp.py': open } };
    const { status, body } = await register({ ...PATCHED, tests });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toMatch(/not accepted.*no expected literal/);
  });
});
