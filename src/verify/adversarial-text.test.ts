/** Neither a completion nor a program's output makes extraction or comparison slower than linear. */
import { describe, expect, it } from 'vitest';

import type { PlainCompare } from '../domain/submission.ts';
import { compareOutput } from './compare.ts';
import { extractCode } from './extract.ts';

const LENGTH = 256 * 1024;
const BOUND_MS = 2500;

const PIECES = [
  '1',
  '1.',
  '1e',
  '-',
  ' ',
  '\n',
  '\t\n',
  ' \n',
  '`',
  '```\n',
  '~~~ ',
  '```python\n',
  '- ',
  '1. ',
  '> ',
  '<',
  '<think>',
  '</think>',
  '</think> ```python\n',
  '{ .',
] as const;

const LANGUAGE = { id: 'python', aliases: ['py'], fenceTags: ['python3'] };
const COMPARES: readonly PlainCompare[] = [
  { kind: 'tokens' },
  { kind: 'exact' },
  { kind: 'lines' },
  { kind: 'float', abs: 1e-6, rel: 1e-6 },
  { kind: 'unordered', by: 'lines' },
  { kind: 'unordered', by: 'tokens' },
];

function timed(work: () => void): number {
  const since = performance.now();
  work();
  return performance.now() - since;
}

describe.each(PIECES)('a quarter of a megabyte of %j', (piece) => {
  const text = piece.repeat(Math.ceil(LENGTH / piece.length));

  it('is searched for code in no time', { timeout: 60_000 }, () => {
    for (const wrapped of [`${text}x`, `\`\`\`python\n${text}x`, `\`\`\`\n${text}\n\`\`\``]) {
      const ms = timed(() =>
        extractCode(wrapped, {
          language: LANGUAGE,
          options: { pick: 'last', languageMatch: true, stripThinking: true },
        }),
      );
      expect(ms).toBeLessThan(BOUND_MS);
    }
  });

  it('is compared in no time', { timeout: 60_000 }, () => {
    const expected = Buffer.from(`${text}x`);
    const actual = Buffer.from(`${text}y`);
    for (const compare of COMPARES) {
      expect(timed(() => compareOutput(expected, actual, compare))).toBeLessThan(BOUND_MS);
    }
  });
});
