/** One answer of a model, judged by its label. Throws where there is no reward: these wires have no word for that but an error. */
import { faultAgain, Rejection } from '../../../domain/errors.ts';
import type { JudgeReport } from '../../../domain/report.ts';
import { DEFAULT_EXTRACT } from '../../../domain/submission.ts';
import type { HTTPDeps } from '../../app-env.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { expandTestset } from '../../native/expand-testset.ts';
import { judgeCompletion } from '../../native/reward/judge-completion.ts';
import { patiently } from '../../native/reward/patience.ts';
import { RowRefusal } from '../../native/reward/refusal.ts';
import { RewardRows } from '../../native/reward/rows.ts';
import { parseJudgeRequest, toJudgeSubmission } from '../../native/to-judge-submission.ts';
import { below, readLabel } from './label.ts';
import type { Settings } from './schema.ts';

export interface Sample {
  readonly completion: string;
  readonly label: unknown;
  /** Of the label in the request. */
  readonly path: string;
}

interface JudgeContext {
  readonly deps: HTTPDeps;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  /** On the clock. */
  readonly deadlineAt: number;
}

/** A report with a reward; a program that fails has one. Throws Rejection or Fault for what is not the model's failure. */
export async function judgeSample(
  { completion, label, path }: Sample,
  context: JudgeContext,
): Promise<Judged> {
  const read = readLabel(label, path);
  const { report, range } =
    read.kind === 'problem'
      ? await byProblem(completion, { fields: read.fields, path }, context)
      : await byRow(completion, { text: read.text, path }, context);
  const { reward, fault } = report;
  if (reward === null) throw faultAgain(fault);
  const [low, high] = range;
  return { report, reward, score: (reward - low) / (high - low) };
}

export interface Judged {
  readonly report: JudgeReport;
  readonly reward: number;
  /** The reward as 0 … 1. */
  readonly score: number;
}

interface Ranged {
  readonly report: JudgeReport;
  /** Of the reward. */
  readonly range: readonly [number, number];
}

async function byRow(
  text: string,
  row: { readonly text: string; readonly path: string },
  { deps, settings, signal, deadlineAt }: JudgeContext,
): Promise<Ranged> {
  const { service, clock, rows: reader } = deps;
  const { ofRows: wire } = settings;
  const rows = new RewardRows({ reader, wire, maxima: service.maxima });
  try {
    const report = await judgeCompletion({ id: createId('rwd'), text }, await rows.get(row.text), {
      service,
      clock,
      signal,
      priority: 0,
      deadlineAt,
      extract: DEFAULT_EXTRACT,
    });
    return { report, range: wire.reward_range };
  } catch (error) {
    if (!(error instanceof RowRefusal)) throw error;
    const { path, reason } = error.error;
    const at = path === '' || path === 'language' ? row.path : `${row.path}.${path}`;
    throw new Rejection('invalid', {
      detail: `${row.path}: ${reason}`,
      errors: [{ path: at, message: reason }],
    });
  }
}

async function byProblem(
  completion: string,
  { fields, path }: { readonly fields: Readonly<Record<string, unknown>>; readonly path: string },
  { deps, settings, signal, deadlineAt }: JudgeContext,
): Promise<Ranged> {
  const { service, clock, testsets } = deps;
  // What the label says of its own problem wins over what the URL says of all.
  const request = { ...settings.ofProblems, ...fields, completion, detail: 'summary' };
  const { body, testset } = await expandTestset(request, testsets);
  const resolution = { maxima: service.maxima, id: createId('rwd') };
  const submission = below(path, () =>
    toJudgeSubmission(parseJudgeRequest(body), resolution, testset),
  );
  const report = await patiently(
    (deadlineMs) => service.judge(submission, { signal, deadlineMs }),
    { clock, signal, deadlineAt },
  );
  return { report, range: submission.rewardRange };
}
