/** Finds the known name that a wrong one was probably meant to be. Pure. */

/** A name of a caller is not compared at any length. */
const NAME_MAX = 64;

/** Shorter names are a letter away from many; from this length on two letters may be wrong (a swap is two). */
const TWO_WRONG_FROM = 4;
/** So many letters of a name's beginning stand for it, where they stand for no other. */
const PREFIX_MIN = 3;

/**
 * The known name at the smallest edit distance, at most a third of the length (and at least 1, or 2 from four letters
 * on); else the only one that begins so; null if none.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > NAME_MAX) return null;
  const lower = name.toLowerCase().replaceAll('-', '_');
  let best: string | null = null;
  const least = name.length < TWO_WRONG_FROM ? 1 : 2;
  let bestDistance = Math.max(least, Math.floor(name.length / 3)) + 1;
  for (const each of known) {
    const distance = editDistance(lower, each.toLowerCase());
    if (distance < bestDistance) {
      best = each;
      bestDistance = distance;
    }
  }
  if (best !== null || lower.length < PREFIX_MIN) return best;
  const longer = known.filter((each) => each.toLowerCase().startsWith(lower));
  return longer.length === 1 ? (longer[0] ?? null) : null;
}

/** Levenshtein distance: insertions, deletions and substitutions, each 1; row by row. */
export function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= right.length; j++) {
      const substituted = at(above, j - 1) + (left[i - 1] === right[j - 1] ? 0 : 1);
      row.push(Math.min(substituted, at(above, j) + 1, at(row, j - 1) + 1));
    }
  }
  return at(row, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
