/** What the service counts for `/v1/stats`. */
import type { RejectionCode } from '../domain/errors.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import type { Outcome } from '../domain/outcome.ts';

type Counts<Name extends string> = Partial<Record<Name, number>>;

export class ServiceStats {
  readonly rejections: Counts<RejectionCode> = {};
  readonly #outcomes = new Map<string, Counts<OutcomeKind>>();
  run = 0;
  judged = 0;
  faults = 0;

  rejected(code: RejectionCode): void {
    this.rejections[code] = (this.rejections[code] ?? 0) + 1;
  }

  /** Counts one run of an environment; environments are a closed set. */
  outcome(environment: string, outcome: Outcome | null): void {
    if (outcome === null) return;
    const counts = this.#outcomes.get(environment) ?? {};
    counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1;
    this.#outcomes.set(environment, counts);
  }

  outcomesOf(environment: string): Counts<OutcomeKind> {
    return { ...this.#outcomes.get(environment) };
  }
}
