/**
 * A bounded-memory multiset of byte spans, for the `unordered` comparison: an open-addressing table of numbers over
 * the expected bytes, without a string per item. Costs about 24 bytes per distinct item of the expected output.
 */
import type { Span } from './bytes.ts';
import { spansEqual } from './bytes.ts';

const FNV_PRIME = 0x01000193;
const FNV_OFFSET = 0x811c9dc5;

function hashSpan(bytes: Uint8Array, span: Span): number {
  let hash = FNV_OFFSET;
  for (let at = span.start; at < span.end; at += 1) {
    hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}

export interface SpanMultiset {
  /** Adds one item of the expected bytes. At most `capacity` distinct items. */
  add(span: Span): void;
  /** Takes away one item equal to a span of other bytes; false when none is left. */
  remove(bytes: Uint8Array, span: Span): boolean;
  /** One item that is still there, or null. */
  remaining(): Span | null;
}

/** A multiset over spans of `bytes` with room for `capacity` items. */
export function createSpanMultiset(bytes: Uint8Array, capacity: number): SpanMultiset {
  let size = 16;
  while (size < capacity * 2) size *= 2;
  const starts = new Uint32Array(size);
  const ends = new Uint32Array(size);
  /** 0 is an empty place; else the count + 1, so that a used-up item keeps its place in the probe chain. */
  const counts = new Uint32Array(size);

  const find = (other: Uint8Array, span: Span): number => {
    const wanted = { bytes: other, ...span };
    let place = hashSpan(other, span) & (size - 1);
    while (counts[place] !== 0) {
      const item = { bytes, start: starts[place] ?? 0, end: ends[place] ?? 0 };
      if (spansEqual(item, wanted)) return place;
      place = (place + 1) & (size - 1);
    }
    return place;
  };

  return {
    add(span) {
      const place = find(bytes, span);
      const count = counts[place] ?? 0;
      if (count === 0) {
        starts[place] = span.start;
        ends[place] = span.end;
      }
      counts[place] = count === 0 ? 2 : count + 1;
    },
    remove(other, span) {
      const place = find(other, span);
      const count = counts[place] ?? 0;
      if (count < 2) return false;
      counts[place] = count - 1;
      return true;
    },
    remaining() {
      const place = counts.findIndex((count) => count > 1);
      return place === -1 ? null : { start: starts[place] ?? 0, end: ends[place] ?? 0 };
    },
  };
}
