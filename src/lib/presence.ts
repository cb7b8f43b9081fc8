/**
 * Whether something outside this process answers: while it does not, nobody is held for it. One call in a while tries it, the
 * others are told at once.
 */
import type { Clock } from './clock.ts';

/** Between two tries of what did not answer, ms. */
const PAUSE_MS = 1000;

export interface PresenceOptions {
  readonly clock: Clock;
  /** Whether there is a connection: without one nothing is asked. */
  readonly isConnected: () => boolean;
  /** Whether an error says that there was no answer; all others are answers. */
  readonly isAway: (error: unknown) => boolean;
  /** Told when it is away, and when it answers again. */
  readonly onChange: (isAway: boolean) => void;
}

/** There was no answer. */
export class AwayError extends Error {
  override readonly name = 'AwayError';
  /** When to come again, ms. */
  readonly retryAfterMs = PAUSE_MS;
}

export class Presence {
  readonly #options: PresenceOptions;
  /** Null while it answers; else when it is tried again. */
  #pausedUntil: number | null = null;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#pausedUntil !== null || !this.#options.isConnected();
  }

  /** Throws AwayError where nothing answers, and what the call throws of its own. */
  async ask<Result>(question: () => Promise<Result>): Promise<Result> {
    const { clock, isConnected, isAway } = this.#options;
    if (!isConnected()) throw this.#away();
    if (this.#pausedUntil !== null) {
      if (clock.now() < this.#pausedUntil) throw this.#away();
      // One call tries.
      this.#pausedUntil = clock.now() + PAUSE_MS;
    }
    try {
      const result = await question();
      this.#here();
      return result;
    } catch (error) {
      if (isAway(error) || !isConnected()) throw this.#away(error);
      this.#here();
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

  #here(): void {
    if (this.#pausedUntil === null) return;
    this.#pausedUntil = null;
    this.#options.onChange(false);
  }

  #away(cause?: unknown): AwayError {
    const { clock, onChange } = this.#options;
    const wasAway = this.#pausedUntil !== null;
    this.#pausedUntil ??= clock.now() + PAUSE_MS;
    if (!wasAway) onChange(true);
    return new AwayError('there is no answer', { cause });
  }
}
