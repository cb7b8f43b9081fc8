/** Columns of a batch, as TRL hands them to a reward function (one list for each column), as rows. Pure. */
import { RowError } from './row-error.ts';

/**
 * One row for each item, in order. Columns that are no lists (a trainer's state, a tokenizer) are left out. Throws
 * RowError where lists differ in length: a batch is never cut to its shortest column.
 */
export function rowsOfColumns(
  columns: Readonly<Record<string, unknown>>,
): Record<string, unknown>[] {
  const lists = Object.entries(columns).flatMap(([name, list]): [string, readonly unknown[]][] =>
    Array.isArray(list) ? [[name, list]] : [],
  );
  const count = lists[0]?.[1].length ?? 0;
  for (const [name, list] of lists) {
    if (list.length !== count)
      throw new RowError('invalid', name, `has ${list.length} items, other columns ${count}`);
  }
  return Array.from({ length: count }, (_none, index) =>
    Object.fromEntries(lists.map(([name, list]) => [name, list[index]])),
  );
}
