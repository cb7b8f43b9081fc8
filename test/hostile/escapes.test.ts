/**
 * The table of escapes (docs/escapes.md) behind both walls: each row's programs, what must come of them, and after each
 * row the host as it was and an honest run that passes. Behind nsjail rows that another file holds at each change are left
 * to it; `npm run prove:escapes` runs all of them, in every manner of starting a program.
 */
import { existsSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { gvisorWall, skipNote } from '../contract/walls.ts';
import { projectFile, readProjectFile } from '../support/project.ts';
import { isPlayable, type Manner } from './escapes/attempts.ts';
import type { Escape } from './escapes/escape.ts';
import { openStage, type Stage } from './escapes/stage.ts';
import { ESCAPES } from './escapes/table.ts';

const LAST_ROW = 60;
/** A few seconds on idle cores; sandboxes start slowly on a busy host. */
const STAGE_TIMEOUT_MS = 300_000;
const ROW_TIMEOUT_MS = 180_000;
const WALLS = [
  { wall: 'nsjail', missing: null },
  { wall: 'gvisor', missing: (await gvisorWall('auto')).missing },
] as const;

/** The long proof: all rows behind both walls, in every manner. */
const isProof = process.env['ASSAY_TEST_ESCAPES'] === 'all';
const MANNERS: readonly Manner[] = isProof ? ['usual', 'cold', 'grandchild'] : ['usual'];
/** Rows that count processes, look for others or ask how the main one ends: a grandchild has two of its own above it. */
const NOT_AS_GRANDCHILD: ReadonlySet<number> = new Set([32, 37, 40, 44, 47, 49, 50, 55]);

for (const { wall, missing } of WALLS) {
  const isPlayed = (row: Escape, manner: Manner): boolean =>
    isPlayable(row, manner) &&
    (manner !== 'grandchild' || !NOT_AS_GRANDCHILD.has(row.row)) &&
    (isProof || wall === 'gvisor' || row.heldBy === undefined);
  const plays = MANNERS.flatMap((manner) =>
    ESCAPES.filter((row) => isPlayed(row, manner)).map((row) => ({
      ...row,
      manner,
      title: `row ${row.row}: ${row.attack}${manner === 'usual' ? '' : ` (${manner})`}`,
    })),
  );
  describe.skipIf(missing !== null)(`behind ${wall}${skipNote(missing)}`, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage(wall);
    }, STAGE_TIMEOUT_MS);
    afterAll(async () => await stage?.[Symbol.asyncDispose]());

    it.each(plays)(
      '$title',
      async ({ manner, ...row }) => {
        await stage.play(row, manner);
      },
      ROW_TIMEOUT_MS,
    );
  });
}

describe('the table', () => {
  const documented = [...readProjectFile('docs', 'escapes.md').matchAll(/^\| (\d+) \| .+ \|$/gm)];

  it('has every row, once and in order', () => {
    const all = Array.from({ length: LAST_ROW }, (_, index) => index + 1);
    expect(ESCAPES.map(({ row }) => row)).toEqual(all);
    expect(documented.map(([, row]) => Number(row))).toEqual(all);
  });

  it('names tests that are there, and in its document the same', () => {
    const named = documented.map(([line]) =>
      [...line.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file ?? ''),
    );
    expect(named).toEqual(ESCAPES.map(({ heldBy }) => (heldBy === undefined ? [] : [heldBy])));
    expect(named.flat().length).toBeGreaterThan(LAST_ROW / 2);
    expect(named.flat().filter((file) => !existsSync(projectFile(...file.split('/'))))).toEqual([]);
  });
});
