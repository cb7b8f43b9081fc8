/** The compact counts against plain maps, and what results are taken for. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CountTable } from './count-table.ts';
import { sha256 } from './digest.ts';

describe('CountTable', () => {
  it('says of each sample whether it is settled, as a map would', () => {
    const names = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 3000 });
    fc.assert(
      fc.property(names, names, (settled, samples) => {
        const table = new CountTable();
        const left = new Map<number, number>();
        for (const each of settled) {
          table.addSettled(sha256(String(each)));
          left.set(each, (left.get(each) ?? 0) + 1);
        }
        for (const each of samples) {
          const count = left.get(each) ?? 0;
          left.set(each, count - 1);
          expect(table.see(sha256(String(each)))).toBe(count <= 0);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('takes one result a sample: settled ones first, whatever their order on file', () => {
    const table = new CountTable();
    const a = sha256('a');
    for (let index = 0; index < 3; index += 1) table.see(a);
    table.addSettled(a);
    table.addSettled(a);
    // A fault of an earlier run, a second fault, and rows of samples that are not there any more.
    expect(table.take(a, false)).toBe(true);
    expect(table.take(a, false)).toBe(false);
    expect(table.take(a, true)).toBe(true);
    expect(table.take(a, true)).toBe(true);
    expect(table.take(a, true)).toBe(false);
    expect(table.take(sha256('b'), true)).toBe(false);
    expect(table.take(sha256('b'), false)).toBe(false);
    expect(table.untaken).toBe(0);
  });

  it('takes no more results than there are samples', () => {
    const table = new CountTable();
    const a = sha256('a');
    table.addSettled(a);
    table.addSettled(a);
    table.see(a);
    expect([table.take(a, true), table.take(a, true), table.untaken]).toEqual([true, false, 0]);
  });
});
