/** What the service's memory is taken by besides contents, bytes, about; never less than what a program or a caller makes it. */

/** An object with its place in a map. */
export const OBJECT_WEIGHT = 512;
/** A short string with its place in a list. */
const STRING_WEIGHT = 64;

/** Strings, in UTF-16 at worst. */
export function weightOfTexts(texts: Iterable<string>): number {
  let weight = 0;
  for (const text of texts) weight += STRING_WEIGHT + 2 * text.length;
  return weight;
}

/** A record of strings. */
export function weightOfRecord(record: Readonly<Record<string, string>>): number {
  return weightOfTexts(Object.entries(record).flat());
}
