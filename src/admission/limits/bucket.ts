/** Arithmetic of buckets that fill at a constant rate. Pure; `lua/common.lua` does the same sums in Redis. */

export interface Bucket {
  /** What is in it; below 0 where more was charged than there was. */
  readonly level: number;
  /** When that was so, ms. */
  readonly at: number;
}

export interface BucketRules {
  readonly capacity: number;
  /** What flows in a millisecond. */
  readonly perMs: number;
}

/** The bucket as it is at `now`; one that nobody has used is full. A clock that goes back fills nothing. */
export function filled(
  bucket: Bucket | null,
  { capacity, perMs }: BucketRules,
  now: number,
): Bucket {
  if (bucket === null) return { level: capacity, at: now };
  const inflow = Math.max(0, now - bucket.at) * perMs;
  return { level: Math.min(capacity, bucket.level + inflow), at: now };
}

/** Until it holds `wanted`, ms, rounded up. */
export function msUntil({ level }: Bucket, wanted: number, { perMs }: BucketRules): number {
  return level >= wanted ? 0 : Math.ceil((wanted - level) / perMs);
}
