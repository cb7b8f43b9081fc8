/**
 * Judges every program of the gauntlet in every style of its problem, through the batch endpoint, and says of each
 * whether what came of it is what must. Owns that rule; knows neither files nor tables.
 */
import { z } from 'zod';

import type { Api } from '../api.ts';
import { languageWith, type Language } from '../program-file.ts';
import { mainFile, type Gauntlet, type Program } from './problems.ts';

/** One program in one style. */
export interface Attempt {
  readonly problem: string;
  readonly style: string;
  readonly program: Program;
  readonly request: Readonly<Record<string, unknown>>;
}

/** `passed`: what must come of it came. `rewarded`, `refused`, `faulted`: it did not. `not_run`: not tried here. */
const ENDS = ['passed', 'rewarded', 'refused', 'faulted', 'not_run'] as const;
export type End = (typeof ENDS)[number];

export interface Result {
  readonly attempt: Attempt;
  readonly end: End;
  readonly verdict: string | null;
  readonly reward: number | null;
  /** Of a program that was not run, or whose end is not what it must be: why. */
  readonly message: string;
}

const Report = z.looseObject({
  line: z.int(),
  verdict: z.string(),
  reward: z.number().nullable(),
  message: z.string().default(''),
  compile: z.looseObject({ stderr: z.string() }).nullable(),
  fault: z.looseObject({ message: z.string() }).nullable(),
});
type Report = z.infer<typeof Report>;
const Refusal = z.looseObject({
  line: z.int(),
  error: z.looseObject({ code: z.string(), detail: z.string() }),
});
const Summary = z.looseObject({ summary: z.looseObject({}) });
const Answer = z.union([Report, Refusal, Summary]);

/** `code/asserts/hacks/nan.py`. */
export function attemptName({ problem, style, program }: Attempt): string {
  return `${problem}/${style}/${program.name}`;
}

/** All attempts whose name has the pattern in it. */
export function attemptsOf({ problems }: Gauntlet, only: RegExp): readonly Attempt[] {
  return problems
    .flatMap(({ name, limits, styles }) =>
      styles.flatMap(({ name: style, programs, request }) =>
        programs.map((program) => ({
          problem: name,
          style,
          program,
          request: { ...request, limits: limits[program.kind] },
        })),
      ),
    )
    .filter((attempt) => only.test(attemptName(attempt)));
}

/** Results as they come: first of what this service cannot run, then of what it judges. Throws where the answer is cut. */
export async function* runAttempts(
  api: Api,
  attempts: readonly Attempt[],
  languages: readonly Language[],
): AsyncGenerator<Result> {
  const sent: Attempt[] = [];
  const bodies: object[] = [];
  for (const attempt of attempts) {
    const body = judgeRequest(attempt, languages);
    if (typeof body === 'string') yield notRun(attempt, body);
    else {
      sent.push(attempt);
      bodies.push(body);
    }
  }
  let isWhole = bodies.length === 0;
  const lines = isWhole ? [] : api.postLines('/v1/judge/batch', eachOf(bodies));
  for await (const line of lines) {
    const answer = Answer.parse(line);
    if ('summary' in answer && !('line' in answer)) {
      isWhole = true;
      continue;
    }
    const attempt = sent[Number(answer['line']) - 1];
    if (attempt === undefined) throw new Error(`an answer to no line: ${String(answer['line'])}`);
    const report = Report.safeParse(answer);
    yield report.success
      ? toResult(attempt, report.data)
      : refusal(attempt, Refusal.parse(answer).error);
  }
  if (!isWhole) throw new Error('the answers broke off before their end');
}

// A stream of bodies is asked for as lines are judged, so that large ones are not all written at once.
async function* eachOf(bodies: readonly object[]): AsyncGenerator<object> {
  yield* bodies;
}

/** Body of a judge request, or why this service does not run the program. */
export function judgeRequest(
  { program, request }: Attempt,
  languages: readonly Language[],
): object | string {
  const fields = programFields(program, languages);
  return typeof fields === 'string' ? fields : { ...request, ...fields, detail: 'summary' };
}

/** The program's part of a request, or why this service does not run it. */
function programFields(
  { extension, environment, source }: Program,
  languages: readonly Language[],
): object | string {
  const language = languageWith(extension, languages);
  if (language === undefined) return `no language here has files *.${extension}`;
  if (!language.available) return `${language.id}: ${language.reason ?? 'not available'}`;
  if (environment !== null) {
    const found = language.environments.find(
      ({ id, aliases }) => id === environment || aliases.includes(environment),
    );
    const reason = found === undefined ? 'unknown' : found.reason;
    if (reason !== null) return `${language.id}, environment ${environment}: ${reason}`;
  }
  const program =
    typeof source === 'string' ? { code: source } : { files: source, entry: mainFile(source) };
  return {
    language: language.id,
    ...program,
    ...(environment === null ? {} : { environment }),
  };
}

function notRun(attempt: Attempt, message: string): Result {
  return { attempt, end: 'not_run', verdict: null, reward: null, message };
}

/** Errors of a line that say that this service lacks what the problem needs, and nothing of the program. */
const LACKS: ReadonlySet<string> = new Set(['language_unavailable', 'unknown_environment']);

function refusal(
  attempt: Attempt,
  { code, detail }: { readonly code: string; readonly detail: string },
): Result {
  const message = `${code}: ${detail}`;
  if (LACKS.has(code)) return notRun(attempt, message);
  return { attempt, end: 'faulted', verdict: null, reward: null, message };
}

function toResult(attempt: Attempt, report: Report): Result {
  const { verdict, reward } = report;
  const end = endOf(attempt.program, report);
  const said = [report.message, report.fault?.message ?? '', report.compile?.stderr ?? ''];
  const message = end === 'passed' ? '' : said.filter((text) => text !== '').join('; ');
  return { attempt, end, verdict, reward, message };
}

/** Whether that came of a program which must. */
export function endOf(
  { expected }: Pick<Program, 'expected'>,
  { verdict, reward }: Pick<Report, 'verdict' | 'reward'>,
): End {
  const isFault = verdict === 'fault' || reward === null;
  if (expected === 'accepted') {
    if (isFault) return 'faulted';
    return verdict === 'accepted' && reward === 1 ? 'passed' : 'refused';
  }
  if (isFault) return expected === 'no reward, or a fault' ? 'passed' : 'faulted';
  return verdict !== 'accepted' && reward === 0 ? 'passed' : 'rewarded';
}

/** How many of each end, of hacks and of honest programs. */
export function countEnds(
  results: readonly Result[],
): Readonly<Record<Program['kind'], Readonly<Record<End, number>>>> {
  const count = (kind: Program['kind']): Record<End, number> => {
    const ends = results.filter(({ attempt }) => attempt.program.kind === kind);
    const of = (end: End): number => ends.filter((result) => result.end === end).length;
    return {
      passed: of('passed'),
      rewarded: of('rewarded'),
      refused: of('refused'),
      faulted: of('faulted'),
      not_run: of('not_run'),
    };
  };
  return { hack: count('hack'), honest: count('honest') };
}

/** Whether no program's end is one that must not be. */
export function isHeld(results: readonly Result[]): boolean {
  return results.every(({ end }) => end === 'passed' || end === 'not_run');
}
