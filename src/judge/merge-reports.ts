/** Reports of one program on several kinds of tests, as the one report of all of them. Pure. */
import type { JudgeReport, Phases } from '../domain/report.ts';
import type { JudgeSubmission } from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import { score } from '../verify/score.ts';

export interface PartReport {
  readonly report: JudgeReport;
  /** For each case of the report, its place in the whole, from 0. */
  readonly positions: readonly number[];
}

/**
 * The whole's report: cases in their places, scored as if they had been judged together. A fault in any part is the
 * whole's. Preconditions: at least one part.
 */
export function mergeReports(
  parts: readonly [PartReport, ...PartReport[]],
  { scoring, rewardRange }: Pick<JudgeSubmission, 'scoring' | 'rewardRange'>,
): JudgeReport {
  const declared = parts.reduce((sum, { positions }) => sum + positions.length, 0);
  const unjudged = parts.find(({ report }) => report.verdict === 'fault') ?? nothingRun(parts);
  const [{ report: first }] = parts;
  const attempts = parts.flatMap(({ report }) => report.attempts);
  const phases = parts.map(({ report }) => report.phases).reduce(addPhases);
  if (unjudged !== undefined) return { ...unjudged.report, total: declared, attempts, phases };
  const places: (CaseReport | undefined)[] = Array.from({ length: declared });
  for (const { report, positions } of parts)
    positions.forEach((place, index) => (places[place] = report.cases[index]));
  const cases = places
    .flatMap((each) => each ?? [])
    .map((each, at) => ({ ...each, id: String(at + 1) }));
  const failing = cases.find(({ verdict }) => verdict !== 'accepted' && verdict !== 'not_run');
  return {
    ...first,
    ...score({ cases, declared, scoring, rewardRange }),
    cases,
    attempts,
    phases,
    mode: parts.some(({ report }) => report.mode === 'split') ? 'split' : first.mode,
    canaries: null,
    message: failing?.message ?? '',
  };
}

/** A part in which the program was no program: it is none for the others either. */
function nothingRun(parts: readonly PartReport[]): PartReport | undefined {
  return parts.find(
    ({ report: { verdict } }) => verdict === 'compile_error' || verdict === 'no_code',
  );
}

function addPhases(one: Phases, other: Phases): Phases {
  return {
    queueMs: one.queueMs + other.queueMs,
    acquireMs: one.acquireMs + other.acquireMs,
    acquire: one.acquire === 'cold' ? 'cold' : other.acquire,
    compileMs: one.compileMs + other.compileMs,
    runMs: one.runMs + other.runMs,
    verifyMs: one.verifyMs + other.verifyMs,
  };
}
