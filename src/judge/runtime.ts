/** How the runs of a submission were started. Pure. */
import type { Outcome } from '../domain/outcome.ts';
import type { Runtime, RuntimeUsed } from '../domain/report.ts';

/**
 * `process`: each by exec; `forked`: each from a warm runtime; `mixed`: some so, some so; `isolate`: all in isolates.
 * Null without a run.
 */
export function runtimeOf(outcomes: readonly Outcome[], runtime: Runtime): RuntimeUsed | null {
  const forked = outcomes.filter((outcome) => outcome.forked).length;
  if (outcomes.length === 0) return null;
  if (runtime === 'isolate') return 'isolate';
  if (forked === 0) return 'process';
  return forked === outcomes.length ? 'forked' : 'mixed';
}

/** An outcome as a list, empty without one. */
export function outcomesOf(outcome: Outcome | null | undefined): Outcome[] {
  return outcome === null || outcome === undefined ? [] : [outcome];
}
