/**
 * What registration demands of a problem before anybody is rewarded by it: its reference solutions pass, every time, with
 * every hash seed and under load; wrong programs do not. The strictest mode in which the references pass is the problem's.
 * Asks the one door; knows nothing of the wire.
 */
import { Rejection } from '../../domain/errors.ts';
import type { JudgeReport } from '../../domain/report.ts';
import type { JudgeSubmission } from '../../domain/submission.ts';
import type { CallContext } from '../door.ts';

/** A program to be tried on a problem, or what one would print. */
export interface Trial {
  readonly name: string;
  readonly language: string;
  /** Fields of a judge request. */
  readonly source:
    | { readonly code: string }
    | { readonly outputs: Readonly<Record<string, unknown>> };
}

export interface CalibrationTask {
  readonly references: readonly Trial[];
  /** Wrong programs. */
  readonly controls: readonly Trial[];
  /** Modes to be tried, strictest first; at least one. */
  readonly modes: readonly string[];
  /** Runs of the references in all. */
  readonly runs: number;
  /** Hash seeds, taken in turn; null is the service's own. */
  readonly seeds: readonly (number | null)[];
  /** Judgements under way at a time. */
  readonly parallel: number;
  readonly submission: (trial: Trial, mode: string, seed: number | null) => JudgeSubmission;
  readonly judge: (submission: JudgeSubmission, context: CallContext) => Promise<JudgeReport>;
  readonly signal: AbortSignal;
}

export interface Calibration {
  /** Null where there was no reference to find it with. */
  readonly mode: string | null;
  readonly references: number;
  readonly runs: number;
  readonly controls: number;
  /** Of the reference runs, the largest of any case. */
  readonly cpuMsMax: number;
}

/** `refused` says why the problem cannot be trusted. */
export type CalibrationResult =
  | { readonly calibration: Calibration; readonly refused: null }
  | { readonly calibration: null; readonly refused: string };

/** Never throws for what programs do; rejects with the door's Rejection when the caller has gone or the service stops. */
export async function calibrate(task: CalibrationTask): Promise<CalibrationResult> {
  const [strictest = ''] = task.modes;
  if (task.references.length === 0) {
    const refused = await tryControls(task, strictest);
    if (refused !== null) return { calibration: null, refused };
    const calibration = { mode: null, references: 0, runs: 0, cpuMsMax: 0 };
    return {
      calibration: { ...calibration, controls: task.controls.length },
      refused: null,
    };
  }
  const found = await findMode(task);
  if (found.mode === null) return { calibration: null, refused: found.refused };
  const { mode } = found;
  const repeated = await repeat(task, mode);
  const refused = repeated.refused ?? (await tryControls(task, mode));
  if (refused !== null) return { calibration: null, refused };
  const { references, runs, controls } = task;
  return {
    calibration: {
      mode,
      references: references.length,
      runs,
      controls: controls.length,
      cpuMsMax: repeated.cpuMsMax,
    },
    refused: null,
  };
}

type FoundMode =
  | { readonly mode: string; readonly refused: null }
  | { readonly mode: null; readonly refused: string };

/** The strictest mode in which every reference passes. */
async function findMode(task: CalibrationTask): Promise<FoundMode> {
  let refused = 'there is no mode to try';
  for (const mode of task.modes) {
    const failures: string[] = [];
    try {
      for (const trial of task.references) {
        const report = await ask(task, task.submission(trial, mode, task.seeds[0] ?? null));
        if (report.verdict !== 'accepted') failures.push(`${trial.name} ${describe(report)}`);
      }
    } catch (error) {
      // What a looser mode asks of tests, these may lack; what is wrong in any mode, the first one finds.
      if (!isUnfit(error) || mode === task.modes[0]) throw error;
      refused = `${refused}; ${error.context.detail}`;
      continue;
    }
    if (failures.length === 0) return { mode, refused: null };
    refused = `the reference solution is not accepted: ${failures.join('; ')}`;
  }
  return { mode: null, refused };
}

function isUnfit(error: unknown): error is Rejection {
  return error instanceof Rejection && error.code === 'invalid';
}

/** All at once, as many as may be under way: what fails under load only must not be a problem's. */
async function repeat(
  task: CalibrationTask,
  mode: string,
): Promise<{ refused: string | null; cpuMsMax: number }> {
  const { references, seeds, runs } = task;
  let cpuMsMax = 0;
  let failed = 0;
  let example = '';
  const rounds = Array.from({ length: runs }, (_, index) => {
    const trial = references[index % references.length];
    // Each seed meets each reference.
    const seed = seeds[Math.floor(index / references.length) % seeds.length] ?? null;
    return async (): Promise<void> => {
      if (trial === undefined) return;
      const report = await ask(task, task.submission(trial, mode, seed));
      for (const each of report.cases) cpuMsMax = Math.max(cpuMsMax, each.outcome?.cpuMs ?? 0);
      if (report.verdict === 'accepted') return;
      failed += 1;
      example = `${trial.name} ${describe(report)}${seed === null ? '' : ` with hash seed ${seed}`}`;
    };
  });
  await inParallel(rounds, task.parallel);
  if (failed === 0) return { refused: null, cpuMsMax };
  const refused = `flaky: ${failed} of ${runs} runs of the reference solution failed, for example ${example}`;
  return { refused, cpuMsMax };
}

async function tryControls(task: CalibrationTask, mode: string): Promise<string | null> {
  const accepted: string[] = [];
  const faulty: string[] = [];
  const tries = task.controls.map((trial) => async (): Promise<void> => {
    const report = await ask(task, task.submission(trial, mode, null));
    if (report.verdict === 'accepted') accepted.push(trial.name);
    if (report.verdict === 'fault') faulty.push(`${trial.name} ${describe(report)}`);
  });
  await inParallel(tries, task.parallel);
  if (accepted.length > 0)
    return `the tests accept wrong programs: ${accepted.toSorted().join(', ')}`;
  // Whether it would have been accepted is not known.
  return faulty.length > 0 ? `could not be tried: ${faulty.toSorted().join('; ')}` : null;
}

async function ask(task: CalibrationTask, submission: JudgeSubmission): Promise<JudgeReport> {
  return await task.judge(submission, { signal: task.signal, deadlineMs: null, isOwn: true });
}

function describe(report: JudgeReport): string {
  if (report.fault !== null) return `(fault: ${report.fault.message})`;
  const first = report.cases.find(
    (each) => each.verdict !== 'accepted' && each.verdict !== 'not_run',
  );
  const place = first === undefined ? '' : ` at case ${first.id}`;
  const message = first?.message ?? '';
  return `(${report.verdict}${place}${message === '' ? '' : `: ${message}`})`;
}

/** Does all, so many at a time. The first rejection is thrown once those under way have settled. */
async function inParallel(work: readonly (() => Promise<void>)[], parallel: number): Promise<void> {
  const left = [...work];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await next();
  };
  const workers = Array.from({ length: Math.min(parallel, work.length) }, worker);
  const failed = (await Promise.allSettled(workers)).find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
