/** Which literals are altered in which run, by a seed, and what the altered texts are. */
import { describe, expect, it } from 'vitest';

import { chooseVariants, forVerdict, isReal, withAlterations, type Variant } from './canaries.ts';
import type { Site, Unit } from './plan.ts';

function aSite(at: number, more: Partial<Site> = {}): Site {
  return { at, kind: 'value', start: 0, end: 1, texts: ['7', '8'], row: null, ...more };
}

function aUnit(id: string, sites: readonly Site[]): Unit {
  const piece = `cases/${Number(id) - 1}`;
  const sure = [...new Set(sites.map(({ at }) => at))];
  return { id, piece, has_rows: false, rows: 1, shown: false, sure, sites: [...sites] };
}

const seedOf = (n: number): Uint8Array => Buffer.from(`seed ${n}`);
const placesOf = ({ altered }: Variant): string[] =>
  altered.map(({ unit, site }) => `${unit.id}/${site.at}/${site.row}`).toSorted();

/** Two assertions in each of two tests, and one in a third. */
const THREE = [
  aUnit('1', [aSite(1), aSite(1, { start: 4, end: 5 }), aSite(2)]),
  aUnit('2', [aSite(3), aSite(4, { kind: 'truth' })]),
  aUnit('3', [aSite(5)]),
];
const ALL = ['1/1/null', '1/2/null', '2/3/null', '2/4/null', '3/5/null'];

describe('the runs', () => {
  it('are the real one, two that alter each assertion once, and one that alters a single one', () => {
    for (let n = 0; n < 50; n += 1) {
      const variants = chooseVariants(THREE, seedOf(n)).map(placesOf);
      const byLength = variants.toSorted((a, b) => a.length - b.length);
      expect(byLength.map(({ length }) => length)).toEqual([0, 1, 2, 3]);
      const [, single, smaller = [], larger = []] = byLength;
      expect([...smaller, ...larger].toSorted()).toEqual(ALL);
      expect(single).not.toEqual(['2/4/null']);
    }
  });

  it('are the same for a seed, and others in another order for another', () => {
    const shapes = new Set<string>();
    const places = new Set<number>();
    for (let n = 0; n < 50; n += 1) {
      const variants = chooseVariants(THREE, seedOf(n));
      expect(chooseVariants(THREE, seedOf(n))).toEqual(variants);
      shapes.add(JSON.stringify(variants.map(placesOf)));
      places.add(variants.findIndex(({ altered }) => altered.length === 0));
    }
    expect(shapes.size).toBeGreaterThan(40);
    expect(places).toEqual(new Set([0, 1, 2, 3]));
  });

  it('that a lost program still needs are one of the tests as they are, unless that was made', () => {
    const variants = chooseVariants([aUnit('1', [aSite(1)])], seedOf(0));
    const [real, canary] = [variants.find(isReal), variants.find((each) => !isReal(each))];
    if (real === undefined || canary === undefined) throw new Error('a kind of run is missing');
    expect(variants.filter(isReal).length).toBeGreaterThan(1);
    expect(forVerdict(variants, [canary])).toEqual([real]);
    expect(forVerdict(variants, [canary, real])).toEqual([]);
  });

  it.each([
    [1, 2, 8],
    [2, 4, 6],
    [3, 4, 4],
  ])('of %i assertions are %i that differ, and %i in all', (count, different, all) => {
    const sites = Array.from({ length: count }, (_, at) => aSite(at));
    for (let n = 0; n < 20; n += 1) {
      const variants = chooseVariants([aUnit('1', sites)], seedOf(n));
      expect([new Set(variants).size, variants.length]).toEqual([different, all]);
    }
  });

  const cells = (count: number): Site[] =>
    Array.from({ length: count }, (_, cell) => aSite(1, { cell }));

  it.each([
    ['one assertion', [aSite(1)]],
    ['two', [aSite(1), aSite(2)]],
    ['three', [aSite(1), aSite(2), aSite(3)]],
    // Of the cells of one loop only their number is judged.
    ['one in a loop over two cells', cells(2)],
    ['one in a loop over three', cells(3)],
    ['one in a loop over five', cells(5)],
  ])('are more than a toss of a coin can be right about: %s', (_, sites) => {
    for (let n = 0; n < 20; n += 1) {
      const outcomes = chooseVariants([aUnit('1', sites)], seedOf(n)).map((each) =>
        placesOf(each).join(),
      );
      const shares = [...Map.groupBy(outcomes, (each) => each).values()];
      const luck = shares.reduce(
        (product, { length }) => product * (length / outcomes.length) ** length,
        1,
      );
      expect(luck).toBeLessThanOrEqual(1 / 256);
    }
  });

  it('alter rows one by one', () => {
    const rows = [0, 1, 2].map((row) => aSite(1, { row }));
    const unit = { ...aUnit('1', [aSite(1), ...rows]), has_rows: true, rows: 3 };
    const found = chooseVariants([unit], seedOf(1)).flatMap(placesOf);
    expect(new Set(found)).toEqual(new Set(['1/1/0', '1/1/1', '1/1/2']));
  });
});

describe('altered tests', () => {
  const cases = ['assert f("é") == 3', 'assert g() == 12'];
  const variant = (...sites: readonly [string, Partial<Site>, string][]): Variant => {
    const altered = sites.map(([id, site, text]) => {
      const unit = aUnit(id, [aSite(1, site)]);
      return { unit, site: aSite(1, site), text };
    });
    return { altered };
  };

  it('differ in the literals alone, counted in bytes', () => {
    const both = variant(['1', { start: 18, end: 19 }, '4'], ['2', { start: 14, end: 16 }, '19']);
    const tests = { kind: 'asserts', setup: 'x', cases };
    expect(withAlterations(tests, both)).toEqual({
      ...tests,
      cases: ['assert f("é") == 4', 'assert g() == 19'],
    });
    expect(withAlterations(tests, { altered: [] })).toEqual(tests);
  });

  it('are altered in each kind of text', () => {
    const at = (piece: string): Variant => {
      const unit = { ...aUnit('1', [aSite(1)]), piece };
      return { altered: [{ unit, site: aSite(1), text: '8' }] };
    };
    expect(withAlterations({ code: '7 ' }, at('code'))).toEqual({ code: '8 ' });
    const files = { 'test_x.py': '7', 'x.py': '7' };
    expect(withAlterations({ files }, at('files/test_x.py'))).toEqual({
      files: { ...files, 'test_x.py': '8' },
    });
  });

  it.each([
    ['behind the end', { start: 18, end: 99 }],
    ['backwards', { start: 5, end: 4 }],
  ])('are a fault where a place is %s', (_, site) => {
    expect(() => withAlterations({ cases }, variant(['1', site, '4']))).toThrow(/place/);
  });
});
