/** From a completion's code to a program. */
import { describe, expect, it } from 'vitest';

import { toProgram, withPrompt } from './build.ts';
import { ROWS } from './test-rows.ts';
import { toProblem } from './to-problem.ts';

const prompt =
  'from typing import List\n\n\ndef helper(x):\n    return x\n\n\ndef add(x: int, y: int) -> List[int]:\n    """Doc."""\n';
const given = { prompt, entry: 'add' };

describe('withPrompt', () => {
  it('puts a body behind the prompt', () => {
    expect(withPrompt('    return x\n', given)).toBe(`${prompt}    return x\n`);
    expect(withPrompt('    return x\n', { ...given, prompt: prompt.trimEnd() })).toBe(
      `${prompt}    return x\n`,
    );
  });

  it('leaves code alone that repeats the prompt, line ends aside', () => {
    for (const code of [
      `${prompt}    return x\n`,
      `# mine\n${prompt}    return x\n`,
      `${prompt.replaceAll('\n', ' \r\n')}    return x\n`,
    ])
      expect(withPrompt(code, given)).toBe(code);
  });

  it('gives code that defines the entry only what comes before it', () => {
    const code = 'def add(x, y):\n    return [helper(x)]\n';
    expect(withPrompt(code, given)).toBe(
      `from typing import List\n\n\ndef helper(x):\n    return x\n\n\n${code}`,
    );
    expect(withPrompt(`class add:\n    pass\n`, given)).toMatch(
      /^from typing[^]*return x\n\n\nclass add/,
    );
  });

  it('does not take a longer name or an inner definition for the entry', () => {
    for (const code of ['def adder():\n    pass\n', '    def add(): pass\n'])
      expect(withPrompt(code, given)).toBe(prompt + code);
  });

  it('puts nothing before an import that has to be first', () => {
    const code = 'from __future__ import annotations\ndef add(x, y): return []\n';
    expect(withPrompt(code, given)).toBe(code);
  });

  it('takes an entry that is a method by its class', () => {
    const code = 'class Solution:\n    def f(self):\n        pass\n';
    expect(withPrompt(code, { prompt: 'import math\n', entry: 'Solution().f' })).toBe(
      `import math\n\n\n${code}`,
    );
  });
});

describe('toProgram', () => {
  it('leaves code as it is where a row has no prompt of code', () => {
    const result = toProblem(ROWS.mbpp);
    if (result.kind === 'rejection') throw new Error(result.message);
    expect(toProgram(result.problem, 'x')).toBe('x');
  });
});
