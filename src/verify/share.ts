/** Shares of a whole as rewards take them: what is not everything stays below 1, however near it comes. Pure. */
import { twelveDigits } from '../lib/round.ts';

/** Cap of a share that is not everything: far enough from 1 to survive the mapping to any range. */
const ALMOST_ONE = 1 - 1e-9;

/** A share that is not everything, to twelve digits. */
export function almostOne(share: number): number {
  return Math.min(twelveDigits(share), ALMOST_ONE);
}

/**
 * Maps 0 … 1 to a range, to twelve digits where that changes no order; both ends are met exactly and only values below 1
 * stay off the upper end.
 */
export function toRange(value: number, [none, everything]: readonly [number, number]): number {
  if (value === 1) return everything;
  if (value === 0) return none;
  const exact = none * (1 - value) + everything * value;
  const rounded = twelveDigits(exact);
  const [low, high] = none < everything ? [none, everything] : [everything, none];
  if (low < rounded && rounded < high) return rounded;
  // A range so narrow that there is no number where this one belongs.
  return exact === everything ? none : exact;
}
