/** What a process that may lie claims of tests, and what is believed of it. */
import { describe, expect, it } from 'vitest';

import type { Variant } from './canaries.ts';
import {
  doubtOf,
  isHopeless,
  parseClaims,
  takeReal,
  withDoubts,
  type Claims,
  type Doubt,
} from './claims.ts';
import type { Site, Unit } from './plan.ts';
import { framed } from './planner.ts';

type Claim = Claims['tests'][number];

/** Assertions 0 and 1. */
const A: Unit = {
  id: 't.py::test_a',
  piece: 'files/t.py',
  has_rows: false,
  rows: 1,
  shown: false,
  sure: [0, 1],
  sites: [{ at: 1, kind: 'value', start: 0, end: 1, texts: ['2'], row: null }],
};
/** Assertion 2, in two rows. */
const B: Unit = {
  ...A,
  id: 't.py::test_b',
  has_rows: true,
  rows: 2,
  sure: [2],
  sites: [{ at: 2, kind: 'value', start: 5, end: 6, texts: ['2'], row: 1 }],
};
const UNITS = [A, B];
const EXPECTED = { units: UNITS, ids: null };

function aClaim(id: string, more: Partial<Claim> = {}): Claim {
  const passed = new Map(
    id.includes('_a') ? [[0, 1] as const, [1, 1] as const] : [[2, 1] as const],
  );
  return { id, verdict: 'accepted', message: '', passed, failed: new Map(), stdout: '', ...more };
}

/** As a run writes it. */
function written({ failed, tests }: Claims): string {
  const shown = tests.map((each) => ({
    ...each,
    passed: [...each.passed],
    failed: [...each.failed],
  }));
  return JSON.stringify({ failed, tests: shown });
}

const PASSED = [aClaim('t.py::test_a'), aClaim('t.py::test_b[1-x]'), aClaim('t.py::test_b[2-y]')];
const claims = (...tests: readonly Claim[]): Claims => ({ failed: null, tests: [...tests] });

describe('the answer of a run', () => {
  it('is one frame of the right form', () => {
    expect(parseClaims(framed(written(claims(...PASSED))))).toEqual(claims(...PASSED));
  });

  it.each<[string, Uint8Array]>([
    ['nothing', Buffer.alloc(0)],
    ['a short head', Buffer.from('abc')],
    ['no JSON', framed('{')],
    ['another form', framed('{"failed":null,"tests":[{"id":1}]}')],
    ['more fields', framed(JSON.stringify({ ...claims(), more: 1 }))],
    ['two frames', Buffer.concat([framed(JSON.stringify(claims())), framed('1')])],
    ['a length that is not its own', Buffer.from([0, 0, 0, 9, 123])],
    ['a deep list', framed('['.repeat(200_000))],
  ])('is none where it is %s', (_, bytes) => {
    expect(parseClaims(bytes)).toBeNull();
  });
});

describe('the real run', () => {
  const verdicts = (given: Claims, ids: readonly string[] | null = null): string[] =>
    takeReal(given, { units: UNITS, ids }).map(({ verdict }) => verdict);

  it('is taken at its word where its tests are those there must be', () => {
    expect(takeReal(claims(...PASSED), EXPECTED).map(({ id, verdict }) => [id, verdict])).toEqual(
      PASSED.map(({ id }) => [id, 'accepted']),
    );
    const [a, ...rest] = PASSED;
    const failed = aClaim(a?.id ?? '', { verdict: 'runtime_error', message: 'ValueError' });
    expect(takeReal(claims(failed, ...rest), EXPECTED)[0]).toMatchObject({
      verdict: 'runtime_error',
      message: 'ValueError',
    });
  });

  it.each<[string, readonly Claim[]]>([
    ['one too few', PASSED.slice(1)],
    ['one row too few', PASSED.slice(0, 2)],
    ['one twice', [...PASSED, aClaim('t.py::test_a')]],
    ['one that there is not', [...PASSED, aClaim('t.py::test_c')]],
    ['a row of a test without rows', [aClaim('t.py::test_a[1]'), ...PASSED.slice(1)]],
    ['no test', []],
  ])('is not with %s', (_, tests) => {
    expect(verdicts(claims(...tests))).toEqual(['wrong_answer', 'wrong_answer']);
  });

  it('is not where others were declared', () => {
    const ids = PASSED.map(({ id }) => id);
    expect(verdicts(claims(...PASSED), ids.toReversed())).toEqual(Array(3).fill('accepted'));
    expect(verdicts(claims(...PASSED), [...ids, 'x'])).toEqual(Array(4).fill('wrong_answer'));
  });

  it('passes no test whose assertions were not all reached', () => {
    const early = aClaim('t.py::test_a', { passed: new Map([[1, 1]]) });
    expect(verdicts(claims(early, ...PASSED.slice(1)))).toEqual([
      'wrong_answer',
      'accepted',
      'accepted',
    ]);
  });

  it('passes no test with an assertion that failed', () => {
    const half = aClaim('t.py::test_a', { failed: new Map([[0, 1]]) });
    expect(verdicts(claims(half, ...PASSED.slice(1)))[0]).toBe('wrong_answer');
  });

  it('passes nothing where the tests could not be run, whatever it calls that', () => {
    expect(verdicts({ failed: ['accepted', 'x'], tests: PASSED })).toEqual(
      Array(2).fill('wrong_answer'),
    );
  });
});

describe('a canary', () => {
  const real = claims(...PASSED);
  const judged = takeReal(real, EXPECTED);
  const variant = (...units: readonly Unit[]): Variant => ({
    altered: units.flatMap((unit) => unit.sites.map((site) => ({ unit, site, text: '2' }))),
  });
  const failedA = aClaim('t.py::test_a', {
    verdict: 'wrong_answer',
    passed: new Map([[0, 1]]),
    failed: new Map([[1, 1]]),
  });
  const failedB = aClaim('t.py::test_b[2-z]', {
    verdict: 'wrong_answer',
    passed: new Map(),
    failed: new Map([[2, 1]]),
  });
  const [a, b, c] = PASSED as [Claim, Claim, Claim];
  const doubt = (tests: readonly Claim[], ...units: readonly Unit[]): Doubt | null =>
    doubtOf(claims(...tests), variant(...units), { real, judged, units: UNITS });

  it('speaks for the program where exactly the altered assertions failed', () => {
    expect(doubt([failedA, b, c], A)).toBeNull();
    expect(doubt([a, b, failedB], B)).toBeNull();
    expect(doubt([failedA, b, failedB], A, B)).toBeNull();
  });

  it.each<[string, readonly Claim[]]>([
    ['passes', [a, b, c]],
    ['passes in spite of it', [{ ...failedA, verdict: 'accepted' }, b, c]],
    ['passes the altered assertion', [{ ...failedA, passed: a.passed }, b, c]],
    ['is not there', [b, c]],
    ['has another name', [{ ...failedA, id: 't.py::test_x' }, b, c]],
  ])('flags the program where the altered test %s', (_, tests) => {
    const found = doubt(tests, A);
    expect(found).toMatchObject({ ids: null, isFlagged: true });
    const results = withDoubts(judged, found === null ? [] : [found]);
    expect(results.map(({ verdict }) => verdict)).toEqual(Array(3).fill('wrong_answer'));
  });

  it('flags a program that passes the altered row and fails another', () => {
    const other = { ...failedB, id: 't.py::test_b[1-x]' };
    expect(doubt([a, other, c], B)).toMatchObject({ isFlagged: true });
  });

  it.each<[string, readonly Claim[], readonly string[]]>([
    ['another test fails', [failedA, { ...b, verdict: 'runtime_error' }, c], [b.id]],
    ['another test counts otherwise', [failedA, { ...b, passed: new Map([[2, 2]]) }, c], [b.id]],
    [
      'another assertion fails',
      [
        {
          ...failedA,
          failed: new Map([
            [0, 1],
            [1, 1],
          ]),
        },
        b,
        c,
      ],
      [a.id],
    ],
    ['an earlier assertion is not reached', [{ ...failedA, passed: new Map() }, b, c], [a.id]],
    ['the altered one is not reached', [{ ...failedA, failed: new Map() }, b, c], [a.id]],
  ])('takes the test that ends otherwise, and no other, where %s', (_, tests, ids) => {
    const found = doubt(tests, A);
    expect(found).toMatchObject({ ids, isFlagged: false });
    const results = withDoubts(judged, found === null ? [] : [found]);
    const failed = results.filter(({ verdict }) => verdict !== 'accepted');
    expect(failed.map(({ id }) => id)).toEqual(ids);
  });

  it('asks nothing of tests that failed anyway', () => {
    const half = claims(aClaim(a.id, { verdict: 'wrong_answer' }), b, c);
    const options = { real: half, judged: takeReal(half, EXPECTED), units: UNITS };
    expect(doubtOf(claims(a, b, c), variant(A), options)).toBeNull();
  });

  it.each<[string, number, number, 'none' | 'unsteady' | 'flagged']>([
    ['exactly the altered cells failed', 3, 2, 'none'],
    ['an altered cell passed', 4, 1, 'flagged'],
    ['another cell failed, too', 2, 3, 'unsteady'],
    ['a cell was not reached', 2, 2, 'unsteady'],
  ])('of an assertion that a table is reached for says: %s', (_, passes, fails, says) => {
    // Five rows, of which two are altered.
    const unit: Unit = { ...A, sure: [0] };
    const site: Site = { at: 0, kind: 'value', start: 0, end: 1, texts: ['2'], row: null };
    const siteOf = (cell: number): Site => ({ ...site, cell });
    const altered = [1, 3].map((cell) => ({ unit, site: siteOf(cell), text: '2' }));
    const real = claims(aClaim(unit.id, { passed: new Map([[0, 5]]) }));
    const judged = takeReal(real, { units: [unit], ids: null });
    const canary = claims(
      aClaim(unit.id, {
        verdict: 'wrong_answer',
        passed: new Map([[0, passes]]),
        failed: new Map([[0, fails]]),
      }),
    );
    const doubt = doubtOf(canary, { altered }, { real, judged, units: [unit] });
    const said = doubt?.isFlagged === true ? 'flagged' : 'unsteady';
    expect(doubt === null ? 'none' : said).toBe(says);
  });

  it('tells before the real run that a program fails', () => {
    expect(isHopeless(claims(failedA, b, c), variant(A))).toBe(false);
    expect(isHopeless(claims(a, b, failedB), variant(B))).toBe(false);
    expect(isHopeless(claims(failedA, b, c), variant(B))).toBe(true);
    expect(isHopeless(claims(aClaim('x', { verdict: 'runtime_error' })), variant(A))).toBe(true);
    expect(isHopeless(null, variant(A))).toBe(true);
  });
});
