/**
 * Whether something outside this process answers: while it does not, nobody is held for it. A probe tries it once a while, and
 * everybody else is told at once.
 */
import type { Clock } from './clock.ts';

/** Between two probes of what did not answer, ms. */
const PAUSE_MS = 1000;

export interface PresenceOptions {
  readonly clock: Clock;
  /** Whether there is a connection: without one nothing is asked. */
  readonly isConnected: () => boolean;
  /** Whether an error says that there was no answer; all others are answers. */
  readonly isAway: (error: unknown) => boolean;
  /** Told when it is away, and when it answers again. */
  readonly onChange: (isAway: boolean) => void;
  /** A short question, to find out whether it is there again. */
  readonly probe: () => Promise<unknown>;
}

/** There was no answer. */
export class AwayError extends Error {
  override readonly name = 'AwayError';
  /** When to come again, ms. */
  readonly retryAfterMs = PAUSE_MS;
}

export class Presence {
  readonly #options: PresenceOptions;
  /** It did not answer, and no probe has been answered since. */
  #isPaused = false;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#isPaused || !this.#options.isConnected();
  }

  /** Throws AwayError where nothing answers, and what the call throws of its own. */
  async ask<Result>(question: () => Promise<Result>): Promise<Result> {
    if (this.isAway) throw this.#away();
    try {
      return await question();
    } catch (error) {
      if (this.#isNoAnswer(error)) throw this.#away(error);
      throw error;
    }
  }

  /** What the question comes to, or null where nothing answers. */
  async tryAsk<Result>(question: () => Promise<Result>): Promise<Result | null> {
    try {
      return await this.ask(question);
    } catch (error) {
      if (error instanceof AwayError) return null;
      throw error;
    }
  }

  #isNoAnswer(error: unknown): boolean {
    const { isAway, isConnected } = this.#options;
    return isAway(error) || !isConnected();
  }

  #away(cause?: unknown): AwayError {
    if (!this.#isPaused) {
      this.#isPaused = true;
      this.#options.onChange(true);
      this.#probeLater();
    }
    return new AwayError('there is no answer', { cause });
  }

  #probeLater(): void {
    this.#options.clock.after(PAUSE_MS, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    const { isConnected, probe, onChange } = this.#options;
    let isThere = isConnected();
    try {
      if (isThere) await probe();
    } catch (error) {
      isThere = !this.#isNoAnswer(error);
    }
    if (!isThere) return this.#probeLater();
    this.#isPaused = false;
    onChange(false);
  }
}
