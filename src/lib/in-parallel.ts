/** Work on the items of a list, several at a time. */

interface Parallel<Item, Result> {
  /** At once, at least 1. */
  readonly most: number;
  readonly work: (item: Item) => Promise<Result>;
}

/** The results in the items' order. The first failure is thrown; then nothing more is begun. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  { most, work }: Parallel<Item, Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  let isFailed = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) {
      if (isFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
