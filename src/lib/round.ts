/** Rounding for those who read figures: no clock here tells nanoseconds, and 0.1 + 0.2 is 0.3. Pure. */

/** To whole thousandths: microseconds of a figure in ms. */
export function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** To twelve significant digits, which takes away what binary fractions add to sums and products. */
export function twelveDigits(value: number): number {
  return Number(value.toPrecision(12));
}
