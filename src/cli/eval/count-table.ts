/**
 * How many samples of each digest there are and how many of those are settled: 16 bytes a digest in flat arrays, so that
 * a million samples are a matter of some tens of megabytes. The same program may be sampled twice, and is then two.
 */

const FIRST_SLOTS = 1024;
const FILL_MAX = 0.6;

export class CountTable {
  #keys = new BigUint64Array(FIRST_SLOTS);
  #settled = new Uint32Array(FIRST_SLOTS);
  #seen = new Uint32Array(FIRST_SLOTS);
  #used = 0;

  /** A result with a reward is on file, from an earlier run or since a moment ago. */
  addSettled(digest: string): void {
    const at = this.#slot(digest);
    this.#settled[at] = (this.#settled[at] ?? 0) + 1;
  }

  /** A sample has been read; whether it is still to be judged. */
  see(digest: string): boolean {
    const at = this.#slot(digest);
    const seen = (this.#seen[at] ?? 0) + 1;
    this.#seen[at] = seen;
    return seen > (this.#settled[at] ?? 0);
  }

  /**
   * Takes a result for one of the samples that were seen: false where it belongs to none, or to one that another result
   * was taken for. Those without a reward are taken only for samples that no other result will settle.
   */
  take(digest: string, isSettled: boolean): boolean {
    const at = this.#slot(digest);
    const [seen = 0, settled = 0] = [this.#seen[at], this.#settled[at]];
    if (isSettled) {
      if (seen === 0 || settled === 0) return false;
      this.#settled[at] = settled - 1;
    } else if (seen <= settled) return false;
    this.#seen[at] = seen - 1;
    return true;
  }

  /** Samples that were seen and that no result was taken for. */
  get untaken(): number {
    return this.#seen.reduce((sum, each) => sum + each, 0);
  }

  /** Where a digest's counts are; a new one gets a slot. */
  #slot(digest: string): number {
    if (this.#used > this.#keys.length * FILL_MAX) this.#grow();
    // 0 means an empty slot.
    const key = BigInt(`0x${digest.slice(0, 16)}`) || 1n;
    const at = this.#find(key);
    if (this.#keys[at] === 0n) {
      this.#keys[at] = key;
      this.#used += 1;
    }
    return at;
  }

  #find(key: bigint): number {
    const mask = this.#keys.length - 1;
    let at = Number(key & BigInt(mask));
    while (this.#keys[at] !== 0n && this.#keys[at] !== key) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [keys, settled, seen] = [this.#keys, this.#settled, this.#seen];
    this.#keys = new BigUint64Array(keys.length * 2);
    this.#settled = new Uint32Array(keys.length * 2);
    this.#seen = new Uint32Array(keys.length * 2);
    for (const [from, key] of keys.entries()) {
      if (key === 0n) continue;
      const at = this.#find(key);
      this.#keys[at] = key;
      this.#settled[at] = settled[from] ?? 0;
      this.#seen[at] = seen[from] ?? 0;
    }
  }
}
