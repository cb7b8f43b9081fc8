/** JSON that is the same for equal values, for digests and keys. */

import { isExactNumber } from './exact-numbers.ts';

/** JSON with the keys of every object in order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || isExactNumber(item))
      return item;
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
