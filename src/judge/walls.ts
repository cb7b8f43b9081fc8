/** Which of the service's walls a submission is held by. Pure. */
import { Rejection } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { Submission } from '../domain/submission.ts';
import { isAsStrong, type RealWall, strongerWall, wallStrength } from '../domain/wall.ts';
import type { EnvironmentPool } from '../pool/environment-pool.ts';
import type { WallProbe } from '../sandbox/port.ts';
import { describeHoles, type WallTest } from './wall-test/verdict.ts';

/** A wall, and the jails that it holds. */
export interface ServiceWall {
  readonly probe: WallProbe;
  /** The pool of each environment and kind of jail, by `poolId`; environments may share one. */
  readonly pools: ReadonlyMap<string, EnvironmentPool>;
  /** What its last test found; null where nobody has asked for one. */
  readonly test: () => WallTest | null;
}

/** At least one; the first is that of whoever asks for none. */
export type ServiceWalls = readonly [ServiceWall, ...ServiceWall[]];

/** Which wall programs of a language have at least; by id of the language. */
export type LanguageWalls = ReadonlyMap<string, RealWall>;

/** The stronger of what a submission asks for and what its language has at least. */
export function wantedWall(
  asked: Submission['wall'],
  language: string,
  languageWalls: LanguageWalls,
): Submission['wall'] {
  return strongerWall(asked, languageWalls.get(language) ?? null);
}

/**
 * The wall of whoever asks for one at least as strong: the first if it is, else the weakest that is. Throws Rejection
 * `wall_unavailable`; never falls back to a weaker one.
 */
export function chooseWall<Wall extends { readonly probe: Pick<WallProbe, 'wall'> }>(
  walls: readonly [Wall, ...Wall[]],
  wanted: Submission['wall'],
): Wall {
  const [first] = walls;
  if (wanted === null) return first;
  const suffices = ({ probe }: Wall): boolean => isAsStrong(probe.wall, wanted);
  if (suffices(first)) return first;
  const [chosen] = walls
    .filter(suffices)
    .toSorted((a, b) => wallStrength(a.probe.wall) - wallStrength(b.probe.wall));
  if (chosen !== undefined) return chosen;
  const message = `this service runs jails in ${walls.map(({ probe }) => probe.wall).join(', ')}`;
  throw new Rejection('wall_unavailable', {
    detail: message,
    errors: [{ path: 'wall', message }],
  });
}

interface Offered {
  readonly walls: ServiceWalls;
  readonly languageWalls: LanguageWalls;
}

/**
 * One for all jails of a submission: as strong as it asks for, and as the language of each program in it has at least. Throws
 * as `chooseWall`.
 */
export function wallOf(
  { walls, languageWalls }: Offered,
  asked: Submission['wall'],
  environments: readonly Environment[],
): ServiceWall {
  const wanted = environments.reduce(
    (wall, { language }) => wantedWall(wall, language.id, languageWalls),
    asked,
  );
  return chooseWall(walls, wanted);
}

/** Throws Rejection `not_ready` where a wall is known not to hold: it holds no program of anybody's but the service's own. */
export function requireHolding(wall: Pick<ServiceWall, 'test'>): void {
  if (wall.test()?.state === 'fails')
    throw new Rejection('not_ready', { detail: doubtsOf([wall]).join('; ') });
}

/** Why walls are not to be relied on, a line each; empty when all hold. */
export function doubtsOf(walls: readonly Pick<ServiceWall, 'test'>[]): string[] {
  return walls.flatMap(({ test }) => {
    const found = test();
    if (found === null || found.state === 'holds') return [];
    return found.state === 'fails'
      ? [`the wall ${found.wall} does not hold: ${describeHoles(found)}`]
      : [`the wall ${found.wall} is not proved: ${found.reason}`];
  });
}
