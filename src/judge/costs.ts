/**
 * How long a submission will hold its slot, as far as the past of its environment tells: what the queue charges until
 * the end is known. Environments are a closed set, so the book is bounded.
 */
import type { JudgeSubmission, Submission } from '../domain/submission.ts';

/** Of a run of which nothing is known yet. */
const UNKNOWN_MS = 50;
/** Weight of the newest of what was seen. */
const NEWEST = 0.1;

export class Costs {
  /** Smoothed time a run, ms, by environment, those of sessions apart. */
  readonly #runMs = new Map<string, number>();

  /** Ms of a slot; above 0. */
  estimate(environment: string, submission: Submission): number {
    return (this.#runMs.get(environment) ?? UNKNOWN_MS) * runsOf(submission);
  }

  /** A submission held its slot for so long. */
  learn(environment: string, submission: Submission, heldMs: number): void {
    const seenMs = Math.max(heldMs, 1) / runsOf(submission);
    const knownMs = this.#runMs.get(environment) ?? seenMs;
    this.#runMs.set(environment, (1 - NEWEST) * knownMs + NEWEST * seenMs);
  }
}

/** Runs that a submission may make, at least 1. */
function runsOf(submission: Submission | JudgeSubmission): number {
  if (!('tests' in submission)) return 1;
  const { tests } = submission;
  const count = 'cases' in tests ? tests.cases.length : tests.ids?.length;
  return Math.max(1, count ?? 1);
}
