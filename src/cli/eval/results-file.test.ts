/** The file of results: what a kill tears, and what is written while others write. */
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sha256 } from './digest.ts';
import { readResults, ResultsFile, type ResultRow } from './results-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'assay-results-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

const rowOf = (line: number): ResultRow => ({
  key: sha256(String(line)),
  line,
  task_id: 'HumanEval/0',
  verdict: 'accepted',
  reward: 1,
  kind: null,
  ...{ passed: 1, total: 1, cpu_ms: 3, wall_ms: 4, memory_bytes: 100 },
  message: 'ünïcode\n',
  fault: null,
  tries: 1,
});

async function read(name: string) {
  const lines: number[] = [];
  let torn = 0;
  for await (const { line } of readResults(name, () => (torn += 1))) lines.push(line);
  return { lines, torn };
}

describe('ResultsFile', () => {
  it('keeps every row, in order, however many are written at once', async () => {
    const name = path.join(folder, 'many.jsonl');
    const numbers = Array.from({ length: 500 }, (_, index) => index);
    {
      await using file = await ResultsFile.open(name);
      await Promise.all(numbers.map(async (line) => await file.append(rowOf(line))));
    }
    expect(await read(name)).toEqual({ lines: numbers, torn: 0 });
  });

  it('is cut back to its last whole line wherever a kill has torn it', async () => {
    const name = path.join(folder, 'torn.jsonl');
    const whole = [1, 2].map((line) => `${JSON.stringify(rowOf(line))}\n`);
    const last = Buffer.from(JSON.stringify(rowOf(3)));
    for (const cut of [0, 1, 70, last.indexOf('ü') + 1, last.byteLength]) {
      await writeFile(name, whole.join(''));
      await appendFile(name, last.subarray(0, cut));
      {
        await using file = await ResultsFile.open(name);
        await file.append(rowOf(4));
      }
      expect(await read(name), String(cut)).toEqual({ lines: [1, 2, 4], torn: 0 });
    }
  });

  it('finds the last whole line behind a torn one that is very long', async () => {
    const name = path.join(folder, 'long.jsonl');
    const whole = `${JSON.stringify(rowOf(1))}\n`;
    await writeFile(name, whole + 'x'.repeat(300_000));
    await (await ResultsFile.open(name))[Symbol.asyncDispose]();
    expect(await readFile(name, 'utf8')).toBe(whole);
    await writeFile(name, 'x'.repeat(300_000));
    await (await ResultsFile.open(name))[Symbol.asyncDispose]();
    expect(await readFile(name, 'utf8')).toBe('');
  });

  it('leaves out lines that are no rows', async () => {
    const name = path.join(folder, 'odd.jsonl');
    const odd = ['{"key":1}', 'null', '{', JSON.stringify({ ...rowOf(1), key: 'short' })];
    await writeFile(name, [...odd, JSON.stringify(rowOf(2)), ''].join('\n'));
    expect(await read(name)).toEqual({ lines: [2], torn: 4 });
  });
});
