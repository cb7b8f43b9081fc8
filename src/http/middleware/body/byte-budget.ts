/** Counts the bytes that all requests of an app hold, so that many large bodies together cannot fill the memory. */

export interface ByteBudget {
  /**
   * Takes `bytes` for a body that is `bodyBytes` long as far as is known, these included; false, and nothing is taken,
   * when they do not fit.
   */
  take(bytes: number, bodyBytes: number): boolean;
  /** Gives back what was taken. */
  give(bytes: number): void;
  readonly held: number;
}

/** Bodies up to this size may use the reserve. */
export const SMALL_BODY_BYTES = 1024 * 1024;
/** The share of the budget that is kept for small bodies, so that a few large ones do not shut everyone out. */
const RESERVED_SHARE = 1 / 16;

/** A budget of `maxBytes`, inclusive. */
export function createByteBudget(maxBytes: number): ByteBudget {
  const largeMaxBytes = maxBytes - Math.floor(maxBytes * RESERVED_SHARE);
  let held = 0;
  return {
    take(bytes, bodyBytes) {
      const most = bodyBytes > SMALL_BODY_BYTES ? largeMaxBytes : maxBytes;
      if (held + bytes > most) return false;
      held += bytes;
      return true;
    },
    give(bytes) {
      held -= bytes;
    },
    get held() {
      return held;
    },
  };
}
