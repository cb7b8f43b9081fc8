/** Counts the bytes that all requests of an app hold, so that many large bodies together cannot fill the memory. */

export interface ByteBudget {
  /** Takes `bytes`; false, and nothing is taken, when they do not fit. */
  take(bytes: number): boolean;
  /** Gives back what was taken. */
  give(bytes: number): void;
  readonly held: number;
}

/** A budget of `maxBytes`, inclusive. */
export function createByteBudget(maxBytes: number): ByteBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > maxBytes) return false;
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
