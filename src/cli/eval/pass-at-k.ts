/**
 * pass@k: the chance that at least one of k samples of a problem is right. The unbiased estimator of Chen et al. 2021,
 * "Evaluating Large Language Models Trained on Code" (section 2.1), in the product form that they give for it, which
 * neither overflows nor loses digits. Pure.
 */

/** How a problem's samples went: those that were judged, and how many of them are right. */
export interface Tally {
  readonly judged: number;
  readonly right: number;
}

/**
 * 1 − C(n − c, k) / C(n, k), of `n` judged samples of which `c` are right. Throws RangeError for k above n, of which
 * nothing can be said, and for numbers that are no counts.
 */
export function passAtK({ judged: n, right: c }: Tally, k: number): number {
  const isCounts = [n, c, k].every((each) => Number.isInteger(each) && each >= 0);
  if (!isCounts || c > n || k < 1 || k > n)
    throw new RangeError(`no pass@${k} of ${c} right ones among ${n}`);
  if (n - c < k) return 1;
  let allWrong = 1;
  for (let i = n - c + 1; i <= n; i += 1) allWrong *= 1 - k / i;
  return 1 - allWrong;
}

export interface PassAtK {
  readonly k: number;
  /** Mean over problems with at least k judged samples; null where there is none. */
  readonly value: number | null;
  /** Problems that it is the mean of. */
  readonly problems: number;
  /** Problems with fewer than k judged samples, which are left out. */
  readonly too_few: number;
}

/** The estimate over all problems, each with the same weight. */
export function meanPassAtK(tallies: Iterable<Tally>, k: number): PassAtK {
  let [sum, problems, tooFew] = [0, 0, 0];
  for (const tally of tallies) {
    if (tally.judged < k) tooFew += 1;
    else {
      sum += passAtK(tally, k);
      problems += 1;
    }
  }
  return { k, value: problems === 0 ? null : sum / problems, problems, too_few: tooFew };
}
