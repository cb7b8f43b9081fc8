/** Every row of the real data sets in test/data becomes a problem, and every reference a whole program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { withPrompt } from './build.ts';
import { parseExactJSON } from './decode/exact-json.ts';
import type { Problem } from './problem.ts';
import { toProblem } from './to-problem.ts';
import { toWire } from './to-wire.ts';

const DATA = join(import.meta.dirname, '../../test/data');

function problemsIn(file: string): Problem[] {
  const lines = readFileSync(join(DATA, file), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const result = toProblem(parseExactJSON(line));
    if (result.kind === 'rejection') throw new Error(`${result.path}: ${result.message}`);
    return result.problem;
  });
}

describe('real rows', () => {
  it.each([
    ['humaneval.jsonl', 164, 'humaneval', 'check'],
    ['mbpp.jsonl', 974, 'mbpp', 'asserts'],
    ['leetcode-functions.jsonl', 228, 'leetcode', 'check'],
    ['stdin-problems.jsonl', 5, 'stdin', 'stdio'],
  ])('of %s: all %i', (file, count, schema, kind) => {
    const problems = problemsIn(file);
    expect(problems).toHaveLength(count);
    for (const problem of problems) {
      expect(problem).toMatchObject({ schema, language: 'python', tests: { kind }, notes: [] });
      expect(problem.id).not.toBeNull();
      expect(problem.reference === null).toBe(schema === 'stdin');
      expect(toWire(problem)).toHaveLength(1);
    }
    expect(new Set(problems.map(({ id }) => id)).size).toBe(count);
  });

  it('of HumanEval are built alike from a body, a whole answer and one that repeats the prompt', () => {
    for (const { build, reference } of problemsIn('humaneval.jsonl')) {
      if (build.kind !== 'prompt' || reference === null)
        throw new Error('a prompt and a reference expected');
      expect(reference.code.startsWith(build.prompt)).toBe(true);
      expect(withPrompt(reference.code, build)).toBe(reference.code);
    }
  });

  it('of MBPP name the function, one of them by the name of a built-in', () => {
    const entries = problemsIn('mbpp.jsonl').map(({ tests }) =>
      tests.kind === 'asserts' ? tests.entry : [],
    );
    expect(entries.every((names) => names.length > 0)).toBe(true);
    expect(entries.filter((names) => names.includes('sum'))).toHaveLength(1);
  });
});
