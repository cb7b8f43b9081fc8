/**
 * Numbers as tokens of an output: a strict grammar and the tolerance rule of the `float` comparison. Owns when a token
 * is a number; does not look for tokens.
 */

/** Tolerances of the `float` comparison; both at least 0. */
export interface Tolerance {
  readonly abs: number;
  readonly rel: number;
}

/** Longer tokens are compared as text only. */
export const NUMBER_BYTES_MAX = 65_536;

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A decimal literal that stands for an integer must come this near to it, whatever the tolerance. */
const NEAR_INTEGER = 0.5;

/**
 * Whether `actual` is close enough to `expected`, two tokens whose texts differ.
 *
 * - Only decimal literals are numbers: sign, digits, point, exponent. No hex, no separators, no `nan` or `inf`
 *   (those equal only themselves, as text), nothing that overflows to infinity.
 * - An expected decimal (with point or exponent): |a − b| ≤ max(abs, rel·|expected|), as testlib's doubleCompare: a
 *   tolerance is a little wider than it says, so that 0.500001 is within 1e-6 of 0.5 in binary, too. None is exact.
 * - An expected integer is exact: another integer never equals it, at any size. A decimal literal (`2.0`,
 *   `1.9999999999`) does when it is within the tolerance *and* rounds to it, and the integer is within 2^53; a reference
 *   that printed the float 2.0 as `2` must not fail a right answer.
 */
export function numbersClose(expected: string, actual: string, tolerance: Tolerance): boolean {
  if (!DECIMAL.test(expected) || !DECIMAL.test(actual)) return false;
  const wanted = Number(expected);
  const got = Number(actual);
  if (!Number.isFinite(wanted) || !Number.isFinite(got)) return false;
  const distance = Math.abs(got - wanted);
  const isClose =
    distance <= Math.max(withNoise(tolerance.abs), withNoise(tolerance.rel) * Math.abs(wanted));
  if (!INTEGER.test(expected)) return isClose;
  if (INTEGER.test(actual)) return false;
  return isClose && distance < NEAR_INTEGER && Number.isSafeInteger(wanted);
}

/** testlib's allowance for the noise of binary fractions. */
const NOISE = 1e-15;

function withNoise(tolerance: number): number {
  return tolerance === 0 ? 0 : tolerance + NOISE;
}
