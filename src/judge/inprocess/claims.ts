/**
 * What a run that held tests and program claims of the tests, and what is believed of it. The program could have written
 * any of it; only that the canaries failed as they must speaks for it. Pure, and never a fault: whatever is not as it must
 * be is the program's failure.
 */
import { z } from 'zod';

import type { CaseVerdict } from '../../domain/verdict.ts';
import type { Variant } from './canaries.ts';
import type { Unit } from './plan.ts';

const CLAIMED = ['accepted', 'wrong_answer', 'runtime_error'] as const;
/** What a program wrote or raised may hold half of a character. */
const Text = z.string().transform((text) => text.toWellFormed());

/** As many as a run tells of. */
const COUNTS_MAX = 4096;
const Counts = z
  .custom<readonly [number, number][]>(isPairs)
  .transform((pairs): ReadonlyMap<number, number> => new Map(pairs));

/** By hand, because there may be very many and the service waits meanwhile. */
function isPairs(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > COUNTS_MAX) return false;
  return value.every(
    (pair: unknown) => Array.isArray(pair) && pair.length === 2 && pair.every(Number.isSafeInteger),
  );
}

const Claim = z.strictObject({
  id: z.string(),
  verdict: z.enum(CLAIMED),
  message: Text,
  /** How often each assertion passed and failed, by number. */
  passed: Counts,
  failed: Counts,
  stdout: Text,
});
type Claim = z.infer<typeof Claim>;

const Claims = z.strictObject({
  /** Why the tests could not be run. */
  failed: z.tuple([z.enum(CLAIMED), Text]).nullable(),
  tests: z.array(Claim),
});
export type Claims = z.infer<typeof Claims>;

const HEAD_BYTES = 4;

/** One frame and nothing else; null for anything that is not exactly that. */
export function parseClaims(stdout: Uint8Array): Claims | null {
  const bytes = Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength);
  if (bytes.length < HEAD_BYTES || bytes.readUInt32BE(0) !== bytes.length - HEAD_BYTES) return null;
  try {
    return Claims.parse(JSON.parse(bytes.toString('utf8', HEAD_BYTES)));
  } catch {
    // Not JSON, or of another shape: the program's doing.
    return null;
  }
}

/** A test's result, as far as it can be told. */
export interface Judged {
  readonly id: string;
  readonly verdict: CaseVerdict;
  readonly message: string;
  readonly stdout: string;
}

/** The tests that there are: from their text, and by name where the request names them. */
export interface Expected {
  readonly units: readonly Unit[];
  readonly ids: readonly string[] | null;
}

const UNREACHED = 'the test is over, but not all of its assertions were reached';

/** Names of the tests, before any was run. */
export function namesOf({ units, ids }: Expected): readonly string[] {
  return ids ?? units.map(({ id }) => id);
}

/** Results of the real run taken at its word; of tests that are not those there must be, no word is taken. */
export function takeReal(claims: Claims, expected: Expected): Judged[] {
  const names = namesOf(expected);
  if (claims.failed !== null) {
    const [verdict, message] = claims.failed;
    return failAll(names, verdict === 'accepted' ? 'wrong_answer' : verdict, message);
  }
  const problem = collectionProblem(claims, expected);
  if (problem !== null) return failAll(names, 'wrong_answer', problem);
  const unitOf = finder(expected.units);
  return claims.tests.map((claim) => {
    const { id, verdict, message, stdout } = claim;
    if (verdict !== 'accepted') return { id, verdict, message, stdout };
    const isReached =
      unitOf(id)?.sure.every((number) => timesOf(claim.passed, number) > 0) === true;
    return isReached && claim.failed.size === 0
      ? { id, verdict, message: '', stdout }
      : { id, verdict: 'wrong_answer', message: UNREACHED, stdout };
  });
}

/** The same failure for all of them. */
export function failAll(
  ids: readonly string[],
  verdict: Exclude<CaseVerdict, 'accepted'>,
  message: string,
): Judged[] {
  return ids.map((id) => ({ id, verdict, message, stdout: '' }));
}

type UnitOf = (id: string) => Unit | null;

function finder(units: readonly Unit[]): UnitOf {
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  return (id) => {
    const exact = byId.get(id);
    if (exact !== undefined) return exact;
    const unit = byId.get(baseOf(id));
    return unit?.has_rows === true ? unit : null;
  };
}

/** The id of a test without its row. */
function baseOf(id: string): string {
  const bracket = id.indexOf('[');
  return bracket < 0 ? id : id.slice(0, bracket);
}

/** Null where these are the tests, all of them and no others. */
function collectionProblem({ tests }: Claims, { units, ids }: Expected): string | null {
  const unitOf = finder(units);
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (const { id } of tests) {
    const unit = unitOf(id);
    if (unit === null) return 'a test was run that there is not';
    if (seen.has(id)) return 'a test has two results';
    seen.add(id);
    counts.set(unit.id, (counts.get(unit.id) ?? 0) + 1);
  }
  const isCounted = ({ id, rows }: Unit): boolean => {
    const count = counts.get(id) ?? 0;
    return rows === null ? count > 0 : count === rows;
  };
  if (!units.every(isCounted)) return 'not all tests have a result';
  if (ids === null || (ids.length === seen.size && ids.every((id) => seen.has(id)))) return null;
  return `${seen.size} tests were collected, not the ${ids.length} that were declared`;
}

/** What a canary says against the results of the real run. */
export interface Doubt {
  /** Tests of the real run whose result does not hold; null: none of them does. */
  readonly ids: readonly string[] | null;
  /** Whether an altered test passed, or failed in a way that no honest program makes it fail. */
  readonly isFlagged: boolean;
  readonly verdict: Exclude<CaseVerdict, 'accepted'>;
  readonly message: string;
}

const OTHER_TESTS = 'with altered tests there were not the same tests';
const PASSED_ALTERED = 'an assertion passed although what it expects was altered';
const UNSTEADY = 'the test does not end alike in every run';

/**
 * Null where exactly the altered assertions failed. Only tests that count as accepted in the real run are looked at.
 */
export function doubtOf(
  canary: Claims,
  variant: Variant,
  {
    real,
    judged,
    units,
  }: {
    readonly real: Claims;
    readonly judged: readonly Judged[];
    readonly units: readonly Unit[];
  },
): Doubt | null {
  if (canary.failed !== null || canary.tests.length !== real.tests.length)
    return flagged(OTHER_TESTS);
  const unitOf = finder(units);
  const alteredIn = alterations(variant);
  const rows = new Map<string, number>();
  const unsteady: string[] = [];
  for (const [index, claim] of canary.tests.entries()) {
    const before = real.tests[index];
    const unit = before === undefined ? null : unitOf(before.id);
    if (before === undefined || unit === null) return flagged(OTHER_TESTS);
    const row = rows.get(unit.id) ?? 0;
    rows.set(unit.id, row + 1);
    const { failing, isNamed } = alteredIn(unit, row);
    // The values of an altered row may be part of its name.
    const isSame = isNamed ? unitOf(claim.id) === unit : claim.id === before.id;
    if (!isSame) return flagged(OTHER_TESTS);
    if (judged[index]?.verdict !== 'accepted') continue;
    const isForged = [...failing].some(
      ([number, times]) =>
        timesOf(claim.passed, number) >
        (times === null ? 0 : timesOf(before.passed, number) - times),
    );
    if (isForged || (failing.size > 0 && claim.verdict === 'accepted'))
      return flagged(PASSED_ALTERED);
    if (!isAlike(claim, before, { sure: unit.sure, failing })) unsteady.push(before.id);
  }
  if (unsteady.length === 0) return null;
  return { ids: unsteady, isFlagged: false, verdict: 'wrong_answer', message: UNSTEADY };
}

function flagged(message: string): Doubt {
  return { ids: null, isFlagged: true, verdict: 'wrong_answer', message };
}

/** How often each altered assertion must fail; null: whenever it is reached. */
type Failing = ReadonlyMap<number, number | null>;

/** Assertions that are altered in a row of a test, and whether the row's own values are. */
type AlteredIn = (
  unit: Unit,
  row: number,
) => { readonly failing: Failing; readonly isNamed: boolean };

function alterations({ altered }: Variant): AlteredIn {
  const byUnit = Map.groupBy(altered, ({ unit }) => unit.id);
  return ({ id }, row) => {
    const sites = (byUnit.get(id) ?? [])
      .map(({ site }) => site)
      .filter((site) => site.row === null || site.row === row);
    const failing = new Map<number, number | null>();
    for (const { at, cell = null } of sites)
      failing.set(at, cell === null ? null : (failing.get(at) ?? 0) + 1);
    return { failing, isNamed: sites.some((site) => site.row !== null) };
  };
}

function timesOf(counts: ReadonlyMap<number, number>, number: number): number {
  return counts.get(number) ?? 0;
}

/** Whether the altered assertions failed, and all others passed as often as they did in the real run. */
function isAlike(
  claim: Claim,
  before: Claim,
  { sure, failing }: { readonly sure: readonly number[]; readonly failing: Failing },
): boolean {
  if (failing.size === 0 && claim.verdict !== 'accepted') return false;
  const hasFailed = ([number, times]: readonly [number, number | null]): boolean => {
    const failed = timesOf(claim.failed, number);
    if (times === null) return failed > 0;
    return (
      failed === times && timesOf(claim.passed, number) === timesOf(before.passed, number) - times
    );
  };
  return (
    [...failing].every(hasFailed) &&
    [...claim.failed.keys()].every((number) => failing.has(number)) &&
    sure.every(
      (number) =>
        failing.has(number) || timesOf(claim.passed, number) === timesOf(before.passed, number),
    )
  );
}

/** Whether a canary already shows that not all tests pass, before anything is known of the real run. */
export function isHopeless(canary: Claims | null, { altered }: Variant): boolean {
  if (canary === null || canary.failed !== null) return true;
  const numbers = new Set(altered.map(({ site }) => site.at));
  return canary.tests.some(
    ({ verdict, failed }) =>
      [...failed.keys()].some((number) => !numbers.has(number)) ||
      (verdict !== 'accepted' && failed.size === 0),
  );
}

/** The results that hold after all doubts. */
export function withDoubts(judged: readonly Judged[], doubts: readonly Doubt[]): Judged[] {
  return judged.map((each) => {
    const doubt = doubts.find(({ ids }) => ids === null || ids.includes(each.id));
    if (doubt === undefined || each.verdict !== 'accepted') return each;
    return { ...each, verdict: doubt.verdict, message: doubt.message };
  });
}
