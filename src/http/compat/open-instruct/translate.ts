/** From open-instruct's tests to judge requests, and from reports to its results. Pure. */
import type { RowReading } from '../../../datasets/row-reading.ts';
import { Fault, faultAgain, Rejection } from '../../../domain/errors.ts';
import type { JudgeReport } from '../../../domain/report.ts';
import type { CaseReport } from '../../../domain/verdict.ts';
import { thousandths } from '../../../lib/round.ts';
import { z } from 'zod';
import type { TestProgramResponse } from './schema.ts';

/** The two endpoints, by what the data set calls their rows. */
export type Endpoint = 'code' | 'code_stdio';

/** What a program may not contain: the original scores such programs 0 without running them. */
const REFUSED_WORDS = [
  'threading',
  'multiprocess',
  'import os',
  'from os',
  'shutil',
  'import torch',
  'from torch',
  'import sklearn',
  'from sklearn',
] as const;

export function hasRefusedWord(program: string): boolean {
  return REFUSED_WORDS.some((word) => program.includes(word));
}

/** The tests as the reader of data sets takes them. */
export function toRowText(tests: unknown, endpoint: Endpoint): string {
  return JSON.stringify({ dataset: endpoint, ground_truth: tests });
}

const Body = z.object({
  tests: z.looseObject({ kind: z.string(), cases: z.array(z.unknown()) }),
});

/** The tests in the words of a judge request. */
export type ReadTests = z.infer<typeof Body>['tests'];

/**
 * Null where there are none, or text that cannot be read: the original answers with no results. Throws Rejection `invalid`
 * for a list of something else.
 */
export function toTests(reading: RowReading, tests: unknown): ReadTests | null {
  if (reading.kind === 'problem') {
    const [part] = reading.parts[''] ?? [];
    return part === undefined ? null : Body.parse(JSON.parse(part.body)).tests;
  }
  if (reading.code === 'no_tests' || typeof tests === 'string') return null;
  const path = reading.path.replace(/^ground_truth/, 'tests');
  throw new Rejection('invalid', {
    detail: `${path}: ${reading.message}`,
    errors: [{ path, message: reading.message }],
  });
}

/** Of the original: an alarm of whole seconds for stdin, the time itself for statements. */
function limitsOf(endpoint: Endpoint, seconds: number) {
  const inForce = endpoint === 'code_stdio' ? Math.ceil(seconds) : seconds;
  return {
    cpu_ms: Math.max(1, Math.round(inForce * 1000)),
    wall_ms: Math.max(1, Math.round(inForce * 1250)),
  };
}

/** A body for `parseJudgeRequest`: one for all tests of stdin, one for each statement, which the original forks for. */
export function toJudgeBodies(
  { program, seconds }: { readonly program: string; readonly seconds: number },
  tests: ReadTests,
  endpoint: Endpoint,
): readonly object[] {
  const common = {
    language: 'python',
    code: program,
    limits: limitsOf(endpoint, seconds),
    detail: 'summary',
  };
  if (endpoint === 'code_stdio') return [{ ...common, tests, profile: 'oi-stdio' }];
  return tests.cases.map((each) => ({
    ...common,
    tests: { ...tests, cases: [each] },
    profile: 'oi-asserts',
  }));
}

export const NO_RESULTS: TestProgramResponse = { results: [], runtimes: [] };

/** As many failures as there are tests. */
export function allFailed({ cases }: ReadTests): TestProgramResponse {
  return { results: cases.map(() => 0 as const), runtimes: cases.map(() => -1) };
}

/** The reports' cases in their order. Throws Fault where one was not judged: a 0 would be made up. */
export function toResponse(reports: readonly JudgeReport[], seconds: number): TestProgramResponse {
  const cases = reports.flatMap(casesOf);
  return {
    results: cases.map(({ verdict }) => (verdict === 'accepted' ? 1 : 0)),
    runtimes: cases.map((each) => runtimeOf(each, seconds)),
  };
}

function casesOf({ fault, cases, total }: JudgeReport): readonly CaseReport[] {
  if (fault !== null) throw faultAgain(fault);
  if (cases.length !== total) throw new Fault('internal', 'a report lacks cases');
  return cases;
}

/** The wrong answer of a program that read stdin has its time too, as there. */
function runtimeOf({ verdict, testMs, outcome }: CaseReport, seconds: number): number {
  const isTimed = testMs === undefined || testMs === null;
  const hasEnded = verdict === 'accepted' || (isTimed && verdict === 'wrong_answer');
  const ms = isTimed ? outcome?.wallMs : testMs;
  if (!hasEnded || ms === undefined) return -1;
  return Math.min(thousandths(ms) / 1000, seconds);
}
