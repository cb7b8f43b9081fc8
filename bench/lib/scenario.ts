/** What a scenario is and what it hands to the runner. Types only. */

import type { TestService } from './service.ts';

/** What all scenarios are told. */
export interface BenchContext {
  /** A few seconds a scenario, to see that everything works; figures and targets then mean little. */
  readonly quick: boolean;
  /** Source of everything random. */
  readonly seed: number;
  /** Bound on one scenario's own loop, ms; null for its own default. */
  readonly timeLimitMs: number | null;
  /** Overrides how much work a scenario does (repeats, runs, submissions); null for its default. */
  readonly amount: number | null;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
  /** A service with the default configuration for scenarios that leave it as they find it; starting one takes long. */
  readonly sharedService: () => Promise<TestService>;
}

/** One line of a scenario's table; the cells' names become columns. */
export interface Row {
  readonly label: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** A stated target and whether it was met. */
export interface Check {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly ok: boolean;
}

export interface ScenarioResult {
  readonly rows: readonly Row[];
  /** Empty for a scenario that is for information only. */
  readonly checks: readonly Check[];
  /** What one must know to read the figures. */
  readonly notes: readonly string[];
  readonly charts?: readonly Chart[];
  /** Raw numbers for the JSON file. */
  readonly figures?: unknown;
}

/** Horizontal bars, each with a range. */
export interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
  /** What bars and whiskers are. */
  readonly whiskers: string;
}

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Assay, not a peer. */
  readonly isOurs: boolean;
}

export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly run: (context: BenchContext) => Promise<ScenarioResult>;
}
