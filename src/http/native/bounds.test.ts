/** Every bound of a submission at its maximum and one beyond. */
import { describe, expect, it } from 'vitest';

import { SUBMISSION_BOUNDS } from '../../domain/limits.ts';
import { aJudgeBodyOf, aRunBody, postTo, problemOf } from '../test-support/native-requests.ts';

describe('bounds, at the maximum and one beyond', () => {
  const B = SUBMISSION_BOUNDS;
  const many = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, '']));
  /** So many files and folders together: most of them files in two folders of their own. */
  const nested = (count: number): object => {
    const files = Math.floor(count / 3);
    const extra = count - files * 3;
    const inFolders = Array.from({ length: files }, (_, i) => [`d${i}/e/f`, '']);
    return Object.fromEntries([...inFolders, ...Object.entries(many(extra))]);
  };
  const statusOf = async (path: string, body: unknown): Promise<number> =>
    (await postTo(path, body)).status;

  it.each<[string, number, string, (n: number) => object]>([
    ['cases', B.cases, 'judge', (n) => aJudgeBodyOf(...Array.from({ length: n }, () => ({})))],
    ['files', B.files, 'run', (n) => ({ ...aRunBody, files: many(n) })],
    ['files and folders', B.filesAndFolders, 'run', (n) => ({ ...aRunBody, files: nested(n) })],
    ['args', B.args, 'run', (n) => ({ ...aRunBody, args: Array.from({ length: n }, () => 'a') })],
    ['variables', B.env, 'run', (n) => ({ ...aRunBody, env: many(n) })],
    [
      'collected paths',
      B.collect,
      'run',
      (n) => ({ ...aRunBody, collect: Array.from({ length: n }, (_, i) => `f${i}`) }),
    ],
    ['labels', B.labels, 'run', (n) => ({ ...aRunBody, labels: many(n) })],
    [
      'bytes of a label',
      B.labelBytes,
      'run',
      (n) => ({ ...aRunBody, labels: { a: 'x'.repeat(n) } }),
    ],
    [
      'bytes of a label’s name',
      B.labelBytes,
      'run',
      (n) => ({ ...aRunBody, labels: { ['x'.repeat(n)]: '' } }),
    ],
    ['bytes of an id', B.idBytes, 'run', (n) => ({ ...aRunBody, id: 'x'.repeat(n) })],
    ['bytes of a case’s id', B.idBytes, 'judge', (n) => aJudgeBodyOf({ id: 'x'.repeat(n) })],
    [
      'bytes of a part of a path',
      B.pathComponentBytes,
      'run',
      (n) => ({ ...aRunBody, files: { ['x'.repeat(n)]: '' } }),
    ],
    [
      'parts of a path',
      B.pathComponents,
      'run',
      (n) => ({ ...aRunBody, files: { [Array(n).fill('x').join('/')]: '' } }),
    ],
    [
      'bytes of a path',
      B.pathBytes,
      'run',
      (n) => ({
        ...aRunBody,
        files: { [`${Array(31).fill('x'.repeat(131)).join('/')}/${'y'.repeat(n - 31 * 132)}`]: '' },
      }),
    ],
    [
      'bytes of a command',
      B.commandBytes - 16 * 1024,
      'run',
      (n) => ({ ...aRunBody, args: ['x'.repeat(n - 1)] }),
    ],
    [
      'bytes of a case’s command',
      B.commandBytes - 16 * 1024,
      'judge',
      (n) => aJudgeBodyOf({ args: ['x'.repeat(n - 1)] }),
    ],
    [
      'bytes of a program',
      B.programBytes,
      'run',
      (n) => ({ language: 'python', code: 'x'.repeat(n - 3), files: { a: 'abc' } }),
    ],
    ['a seed', 2 ** 32 - 1, 'run', (n) => ({ ...aRunBody, seed: n })],
    ['a deadline', 2 ** 31 - 1, 'run', (n) => ({ ...aRunBody, deadline_ms: n })],
  ])('%s: %i', { timeout: 30_000 }, async (_, max, endpoint, bodyOf) => {
    expect(await statusOf(`/v1/${endpoint}`, bodyOf(max))).toBe(200);
    expect(await statusOf(`/v1/${endpoint}`, bodyOf(max + 1))).toBe(422);
  });

  it('counts bytes and not characters', async () => {
    expect(await statusOf('/v1/run', { ...aRunBody, id: 'é'.repeat(128) })).toBe(200);
    expect(await statusOf('/v1/run', { ...aRunBody, id: 'é'.repeat(129) })).toBe(422);
  });

  it.each([{ seed: -1 }, { deadline_ms: 0 }, { id: '' }, { language: '' }])(
    'refuses %j',
    async (part) => {
      expect(await statusOf('/v1/run', { ...aRunBody, ...part })).toBe(422);
    },
  );

  it('refuses 100,000 cases without looking at them', async () => {
    const problem = await problemOf(
      '/v1/judge',
      aJudgeBodyOf(...Array.from({ length: 100_000 }, () => ({ wrong: 1 }))),
    );
    expect(problem.errors).toEqual([
      { path: 'tests.cases', message: 'at most 10000 cases, got 100000' },
    ]);
  });

  it('takes 50 MB of stdin, 1 MB of code, and no code', { timeout: 30_000 }, async () => {
    expect(await statusOf('/v1/run', { ...aRunBody, stdin: 'x'.repeat(50_000_000) })).toBe(200);
    expect(await statusOf('/v1/run', { language: 'python', code: '#'.repeat(1_000_000) })).toBe(
      200,
    );
    expect(await statusOf('/v1/run', { language: 'python', code: '' })).toBe(200);
  });
});
