/** Lines of sample files, and the judge requests that become of them. */
import { describe, expect, it } from 'vitest';

import { readRow } from '../../datasets/row-reading.ts';
import { toProgram } from '../../datasets/build.ts';
import type { Language } from '../program-file.ts';
import type { EvalProblem, EvalSettings } from './problems.ts';
import { toRequests } from './request.ts';
import { parseSample, type TaskSample } from './sample.ts';

describe('parseSample', () => {
  it.each([
    [
      { task_id: 'HumanEval/0', completion: ' x' },
      { taskId: 'HumanEval/0', form: 'answer', text: ' x' },
    ],
    [
      { task_id: 'Mbpp/2', solution: 'x' },
      { taskId: 'Mbpp/2', form: 'program', text: 'x' },
    ],
    [
      { task_id: 2, solution: '' },
      { taskId: '2', form: 'program', text: '' },
    ],
    [
      { id: 'a', code: 'x', language: 'cpp' },
      { taskId: 'a', form: 'program', language: 'cpp' },
    ],
  ])('reads %j', (line, sample) => {
    expect(parseSample(JSON.stringify(line))).toMatchObject({ kind: 'task', ...sample });
  });

  it('sends a judge request as it is written, and counts it under its problem', () => {
    const own = '{"tests": {"kind": "function", "cases": [1.0]}, "code": "x"}';
    expect(parseSample(own)).toMatchObject({ kind: 'native', text: own, code: 'x' });
    const named = parseSample('{"testset": "sums/two@sha256:00", "code": "x"}');
    expect(named).toMatchObject({ taskId: 'sums/two' });
    const labelled = parseSample('{"tests": {}, "labels": {"task_id": "a"}}');
    expect(labelled).toMatchObject({ taskId: 'a' });
    const [one, other] = ['{"tests": 1}', '{"tests": 2}'].map(parseSample);
    expect(one).not.toEqual(other);
  });

  it.each([
    ['{', 'no JSON object'],
    ['[]', 'no JSON object'],
    ['{"task_id": "a"}', 'one of `completion` and `solution`'],
    ['{"task_id": "a", "completion": "x", "solution": "x"}', 'one of `completion` and `solution`'],
    ['{"completion": "x"}', 'no `task_id`'],
    ['{"task_id": "a", "completion": ["x"]}', 'are texts'],
  ])('says what is wrong with %s', (line, reason) => {
    const sample = parseSample(line);
    expect(sample).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining(reason) });
  });
});

const PROMPT =
  'import math\n\n\ndef twice(x):\n    """Twice.\n\n    ```\n    twice(1)\n    ```\n    """\n';
const ROW = readRow({
  text: JSON.stringify({
    task_id: 'HumanEval/0',
    prompt: PROMPT,
    entry_point: 'twice',
    canonical_solution: '    return 2 * x\n',
    test: 'def check(candidate):\n    assert candidate(1.0) == 2\n',
  }),
  schema: 'auto',
});
if (ROW.kind === 'rejection') throw new Error(ROW.message);
const SETTINGS: EvalSettings = { language: null, profile: 'strict', limits: {}, isRaw: false };
const PYTHON: Language = {
  id: 'python',
  source_file: 'main.py',
  aliases: ['py'],
  fence_tags: ['py'],
  available: true,
  reason: null,
  environments: [],
};
const problem: EvalProblem = {
  id: 'HumanEval/0',
  digest: '',
  language: 'python',
  isContinued: true,
  toProgram: (code) => toProgram(ROW, code),
  requestsFor: () => (ROW.parts[''] ?? []).map(({ body }) => body),
};

function bodyOf(given: Partial<TaskSample>, its: Partial<EvalProblem> = {}, raw = false): unknown {
  const sample: TaskSample = {
    ...{ kind: 'task', taskId: 'HumanEval/0', form: 'answer', text: '', language: null },
    ...given,
  };
  const requests = toRequests(sample, {
    problem: { ...problem, ...its },
    settings: { ...SETTINGS, isRaw: raw },
    languages: [PYTHON],
  });
  return requests.kind === 'refusal' ? requests.reason : JSON.parse(requests.bodies[0] ?? '');
}

describe('toRequests', () => {
  it.each([
    ['a continuation', '    return 2 * x\n', `${PROMPT}    return 2 * x\n`],
    [
      'one with fences in its docstring',
      '    """\n```\nx\n```\n"""\n',
      `${PROMPT}    """\n\`\`\`\nx\n\`\`\`\n"""\n`,
    ],
    ['a function anew', 'def twice(x): return x', 'import math\n\n\ndef twice(x): return x'],
    [
      'a chat answer',
      'So:\n```python\ndef twice(x): return x\n```\n',
      'import math\n\n\ndef twice(x): return x\n',
    ],
  ])('makes a program of %s', (_name, text, code) => {
    expect(bodyOf({ text })).toMatchObject({ code, language: 'python', tests: { kind: 'check' } });
  });

  it('leaves a whole program as it is, and completions with --raw', () => {
    const text = '```python\nx\n```';
    expect(bodyOf({ text, form: 'program' })).toMatchObject({ code: text });
    expect(bodyOf({ text }, {}, true)).toMatchObject({ code: PROMPT + text });
  });

  it('lets the judge say that an answer has no code', () => {
    const text = 'No:\n```rust\nfn\n```';
    expect(bodyOf({ text })).toMatchObject({ completion: text });
  });

  it('refuses what goes on with a prompt that nobody has, and a language that nobody says', () => {
    const testset = { isContinued: null, language: null };
    expect(bodyOf({ text: '    return 1' }, testset)).toMatch('give --problems');
    expect(bodyOf({ text: 'x = 1' }, testset)).not.toHaveProperty('language');
    expect(bodyOf({ text: 'x = 1' }, { language: null })).toMatch('say --language');
    expect(bodyOf({ text: 'x', language: 'py' }, { language: null })).toMatchObject({
      language: 'py',
    });
  });
});
