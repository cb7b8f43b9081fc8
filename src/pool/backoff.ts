/** Pauses that double: from `first` to `max`, from the start again after `reset`. */

export interface BackoffOptions {
  /** ms. */
  readonly first: number;
  readonly max: number;
}

export class Backoff {
  readonly #options: BackoffOptions;
  #ms = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** The next pause, ms. */
  next(): number {
    const { first, max } = this.#options;
    this.#ms = Math.min(Math.max(this.#ms * 2, first), max);
    return this.#ms;
  }

  reset(): void {
    this.#ms = 0;
  }
}
