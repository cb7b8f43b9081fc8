/** Bodies of too many entries are refused at once, with the place, and errors stop at those that are shown. */
import { describe, expect, it } from 'vitest';

import { aJudgeBodyOf, aRunBody, problemOf } from '../test-support/native-requests.ts';
import { aJudgeBody, createTestApp, post } from '../test-support/scripted-service.ts';
import { ENTRIES_MAX, tooBroad } from './breadth.ts';

const names = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`name_of_${i}`, 1]));

describe('tooBroad', () => {
  it('takes the largest that may be and refuses one more', () => {
    expect(tooBroad({ args: Array.from({ length: ENTRIES_MAX }, () => 1) })).toBeNull();
    expect(tooBroad({ args: Array.from({ length: ENTRIES_MAX + 1 }, () => 1) })?.path).toBe('args');
    expect(tooBroad(names(ENTRIES_MAX + 1))?.path).toBe('');
  });

  it('leaves the number of cases to its own bound', () => {
    expect(tooBroad({ tests: { cases: Array.from({ length: 10_000 }, () => 1) } })).toBeNull();
    expect(tooBroad({ tests: [{ cases: [names(3000)] }] })?.path).toBe('tests[0].cases[0]');
    const many = Array.from({ length: 10_000 }, () => 1);
    expect(tooBroad({ problems: [{ tests: { cases: many } }] })).toBeNull();
    expect(tooBroad({ problems: many })).toBeNull();
    expect(tooBroad({ problems: [{ problems: many }] })?.path).toBe('problems[0].problems');
  });
});

describe('data of calls', () => {
  const many = Array.from({ length: 50_000 }, (_, i) => i);
  const testsOf = (kind: string) => ({ kind, cases: [{ args: [many], expected: names(3000) }] });

  it('is as broad as it likes', () => {
    expect(tooBroad({ tests: testsOf('function') })).toBeNull();
    expect(tooBroad({ problems: [{ tests: testsOf('function') }] })).toBeNull();
    expect(tooBroad({ tests: testsOf('stdio') })?.path).toMatch(/^tests\.cases\[0\]\./);
  });

  it('is taken', async () => {
    const response = await createTestApp().app.request(
      '/v1/judge',
      post(
        aJudgeBody({
          tests: { kind: 'function', entry: 'total', cases: [{ args: [many], expected: 1 }] },
        }),
      ),
    );
    expect(response.status).toBe(200);
  });
});

describe('hostile bodies', () => {
  it.each<[string, string, object, string]>([
    ['unknown fields', 'run', { ...aRunBody, ...names(200_000) }, ''],
    [
      'items of the wrong type',
      'run',
      { ...aRunBody, args: Array.from({ length: 400_000 }, () => 1) },
      'args',
    ],
    [
      'wrong cases',
      'judge',
      aJudgeBody({
        tests: { kind: 'stdio', cases: Array.from({ length: 9999 }, () => names(40)) },
      }),
      'tests.cases[0].expected_stdout',
    ],
    [
      'a wrong case behind right ones',
      'judge',
      aJudgeBodyOf(...Array.from({ length: 250 }, () => ({})), { stdin: 1 }, { argz: [] }),
      'tests.cases[250].stdin',
    ],
  ])('with many %s are refused soon', async (_, path, body, place) => {
    const since = performance.now();
    const { status, errors } = await problemOf(`/v1/${path}`, body);
    expect(status).toBe(422);
    expect(errors[0]?.path).toBe(place);
    expect(errors.length).toBeLessThanOrEqual(20);
    expect(performance.now() - since).toBeLessThan(4000);
  });
});
