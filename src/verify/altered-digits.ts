/**
 * Another number in the place of a literal of tests, as long as that one, and within the type that it may be compared as:
 * one that does not compile, or that rounds to the same value, would alter nothing. Pure.
 */

/** Whole numbers from 0 to below a bound. */
export type Draw = (bound: number) => number;

/** No number of so many digits is beyond 32 bits. */
const RISE_MAX = 9;
/** The largest numbers of the types of one, two and four bytes: a number stays within the least that has it. */
const TYPE_MAXIMA = [127, 255, 32_767, 65_535, 2_147_483_647] as const;

/**
 * One digit another; of a long number a lower one where there is one. `mayLead`: a zero may be the first, as of numbers with
 * a point; `isFirst`: the one that weighs most. Null where none is sure to differ.
 */
export function alterDigits(
  digits: string,
  draw: Draw,
  { mayLead, isFirst }: { readonly mayLead: boolean; readonly isFirst: boolean },
): string | null {
  const places = [...digits].flatMap((each, at) => (/\d/.test(each) ? [at] : []));
  // Where a digit may become lower; a leading 1 would become a zero.
  const isAlone = places.length === 1;
  const least = (at: number): number => (at === places[0] && !mayLead && !isAlone ? 1 : 0);
  const mayRise = places.length <= RISE_MAX;
  // Beyond what a floating-point number keeps, of four bytes where there is a point, nothing would change.
  const noughts = places.findIndex((at) => digits[at] !== '0');
  const kept = places.slice(0, Math.max(0, noughts) + (mayLead ? 6 : 15));
  const lower = mayRise ? kept : kept.filter((at) => Number(digits[at]) > least(at));
  const usable = lower.length > 0 ? lower : kept.slice(-1);
  const at = isFirst ? usable[0] : usable[draw(usable.length)];
  if (at === undefined) return null;
  const digit = Number(digits[at]);
  const from = least(at);
  if (mayRise) {
    const most = TYPE_MAXIMA.find((each) => Number(digits.replaceAll('_', '')) <= each) ?? Infinity;
    const others = Array.from({ length: 10 - from }, (_, n) => from + n)
      .filter((n) => n !== digit)
      .map((n) => `${digits.slice(0, at)}${n}${digits.slice(at + 1)}`)
      .filter((each) => mayLead || Number(each.replaceAll('_', '')) <= most);
    return others[draw(Math.max(1, others.length))] ?? null;
  }
  const other = lower.length > 0 ? from + draw(digit - from) : digit + 1 + draw(9 - digit);
  return other > 9 ? null : `${digits.slice(0, at)}${other}${digits.slice(at + 1)}`;
}
