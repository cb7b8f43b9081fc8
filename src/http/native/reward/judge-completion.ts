/** One completion for one row: the program in it, judged by each kind of the row's tests, as one report. */
import type { ExtractOptions, JudgeSubmission, ProgramSource } from '../../../domain/submission.ts';
import type { JudgeReport } from '../../../domain/report.ts';
import { Rejection } from '../../../domain/errors.ts';
import type { Service } from '../../../judge/door.ts';
import { codeOf } from '../../../judge/extract-code.ts';
import { mergeReports, type PartReport } from '../../../judge/merge-reports.ts';
import { checkProgramBytes } from '../to-submission.ts';
import { createErrors } from '../checks.ts';
import { invalid } from '../validation.ts';
import { patiently, type PatienceOptions } from './patience.ts';
import type { RewardRow } from './rows.ts';

export interface CompletionContext extends PatienceOptions {
  readonly service: Service;
  readonly priority: number;
  readonly reuse?: boolean | undefined;
  readonly extract: ExtractOptions;
}

/** Throws Rejection where it could not be judged; a program that fails is a report. */
export async function judgeCompletion(
  { id, text }: { readonly id: string; readonly text: string },
  row: RewardRow,
  context: CompletionContext,
): Promise<JudgeReport> {
  const code = codeIn(text, row, context);
  const program = toSource({ text, code }, row, context.extract);
  const reports: PartReport[] = [];
  for (const { submission, positions } of row.partsFor(code ?? '')) {
    const report = await judgePart({ ...submission, id, program }, context);
    const places = positions ?? report.cases.map((_case, index) => index);
    // A profile may leave cases out, which then have no place.
    reports.push({ report, positions: places.slice(0, report.total) });
  }
  const [first, ...others] = reports;
  const [part] = row.partsFor(code ?? '');
  if (first === undefined || part === undefined) throw new Error('a row has no tests');
  return others.length === 0 ? first.report : mergeReports([first, ...others], part.submission);
}

async function judgePart(
  submission: JudgeSubmission,
  context: CompletionContext,
): Promise<JudgeReport> {
  const { service, signal, priority, reuse } = context;
  return await patiently(
    (deadlineMs) => service.judge(submission, { signal, priority, reuse, deadlineMs }),
    context,
  );
}

const FENCE = /^[ \t>]*(?:```|~~~)/m;
/** Behind a prompt that ends in a function's head, what follows is indented. */
const CONTINUATION = /^\s*?[ \t]+\S/;

/** Null where the completion has none. */
function codeIn(completion: string, row: RewardRow, context: CompletionContext): string | null {
  const language = context.service.language(row.language);
  if (language === null)
    throw new Rejection('unknown_language', { detail: 'no such language; see /v1/languages' });
  const code = codeOf(completion, language, context.extract);
  if (code !== null) return code;
  const isContinuation =
    row.isContinued && !FENCE.test(completion) && CONTINUATION.test(completion);
  return isContinuation ? completion : null;
}

/** A completion without code goes to the judge as it is, which says why it is none. */
function toSource(
  { text, code }: { readonly text: string; readonly code: string | null },
  row: RewardRow,
  extract: ExtractOptions,
): ProgramSource {
  if (code === null) return { kind: 'completion', text, extract, files: [] };
  const program = row.toProgram(code);
  const errors = createErrors();
  checkProgramBytes(Buffer.byteLength(program), errors);
  if (errors.list.length > 0) throw invalid(errors.list);
  return { kind: 'single', code: program, files: [] };
}
