/** Which wall a submission gets: equal or stronger, and never a weaker one. */
import { describe, expect, it } from 'vitest';

import { Rejection } from '../domain/errors.ts';
import type { Submission } from '../domain/submission.ts';
import type { WallName } from '../domain/wall.ts';
import type { WallTest } from './wall-test/verdict.ts';
import { chooseWall, requireHolding, wallOf, wantedWall } from './walls.ts';

interface Held {
  readonly probe: { readonly wall: WallName };
}
type Walls = readonly [Held, ...Held[]];
type Case = readonly [walls: Walls, wanted: Submission['wall'], taken: Held];

const nsjail: Held = { probe: { wall: 'nsjail' } };
const gvisor: Held = { probe: { wall: 'gvisor' } };
const fake: Held = { probe: { wall: 'fake' } };

describe('chooseWall', () => {
  it.each<Case>([
    [[nsjail, gvisor], null, nsjail],
    [[nsjail, gvisor], 'nsjail', nsjail],
    [[nsjail, gvisor], 'gvisor', gvisor],
    [[gvisor, nsjail], null, gvisor],
    [[gvisor, nsjail], 'nsjail', gvisor],
    [[gvisor], 'nsjail', gvisor],
    [[fake, gvisor, nsjail], 'nsjail', nsjail],
  ])('of %j, asked for %j, takes %j', (walls, wanted, taken) => {
    expect(chooseWall(walls, wanted)).toBe(taken);
  });

  it.each<readonly [Walls, Submission['wall']]>([
    [[nsjail], 'gvisor'],
    [[fake], 'nsjail'],
  ])('of %j has nothing for %j, and names the field', (walls, wanted) => {
    const choose = (): unknown => chooseWall(walls, wanted);
    expect(choose).toThrow(Rejection);
    expect(choose).toThrow(expect.objectContaining({ code: 'wall_unavailable' }));
  });
});

describe('wantedWall', () => {
  const languageWalls = new Map([['c', 'gvisor'] as const, ['go', 'nsjail'] as const]);

  it.each([
    [null, 'python', null],
    ['nsjail', 'python', 'nsjail'],
    [null, 'c', 'gvisor'],
    ['nsjail', 'c', 'gvisor'],
    ['gvisor', 'go', 'gvisor'],
    [null, 'go', 'nsjail'],
  ] as const)('of %j asked for a program in %j is %j', (asked, language, wanted) => {
    expect(wantedWall(asked, language, languageWalls)).toBe(wanted);
  });
});

describe('wallOf', () => {
  const wall = (name: 'nsjail' | 'gvisor', state: WallTest['state'] = 'holds') => ({
    probe: { wall: name },
    test: () => ({ wall: name, state, holes: [{ what: 'dns', detail: 'it arrived' }] }),
  });
  const written = (id: string) => ({ language: { id } });

  it('is as strong as the language of any program of a submission has at least', () => {
    const offered = {
      walls: [wall('nsjail'), wall('gvisor')],
      languageWalls: new Map([['cpp', 'gvisor']]),
    } as unknown as Parameters<typeof wallOf>[0];
    const of = (...ids: string[]) =>
      wallOf(offered, null, ids.map(written) as unknown as Parameters<typeof wallOf>[2]).probe.wall;
    expect(of('python')).toBe('nsjail');
    expect(of('python', 'cpp')).toBe('gvisor');
    expect(of()).toBe('nsjail');
  });

  it('takes no submissions when it is known not to hold', () => {
    const walls = [wall('nsjail', 'fails'), wall('gvisor', 'unknown')].map(
      (each) => each as unknown as Parameters<typeof requireHolding>[0],
    );
    const [failing, unknown] = walls;
    if (failing === undefined || unknown === undefined) throw new Error('two walls');
    expect(() => requireHolding(failing)).toThrow(
      expect.objectContaining({
        code: 'not_ready',
        message: 'the wall nsjail does not hold: dns (it arrived)',
      }),
    );
    expect(() => requireHolding(unknown)).not.toThrow();
  });
});
