/** From the body of an `/execute` to what is asked of the service, and how its report is told. Pure. */
import type { Limits } from '../../../domain/limits.ts';
import type { JudgeReport, RunReport } from '../../../domain/report.ts';
import type { JudgeSubmission, RunSubmission } from '../../../domain/submission.ts';
import { toCodeforces, toCodeforcesResponse } from './codeforces.ts';
import { toIoi, toIoiResponse } from './ioi.ts';
import { findRuntime, type Runtime } from './languages.ts';
import { toRunResponse, toRunSubmission } from './plain.ts';
import { parseRest, parseTarget, PistonError, type ExecuteRequest } from './schema.ts';

interface JobBase {
  readonly id: string;
  readonly runtime: Runtime;
}

/** `toResponse` is null where there is a fault of ours for the client to ask again about. */
export type Job = JobBase &
  (
    | {
        readonly kind: 'run';
        readonly submission: RunSubmission;
        readonly toResponse: (report: RunReport) => object | null;
      }
    | {
        readonly kind: 'judge';
        readonly submission: JudgeSubmission;
        readonly toResponse: (report: JudgeReport) => object | null;
      }
  );

export interface JobOptions {
  readonly installed: readonly Runtime[];
  /** The operator's. */
  readonly maxima: Limits;
  readonly createId: (prefix: 'run' | 'jdg') => string;
}

/** Throws PistonError for the first thing that is wrong, in Piston's order. */
export function toJob(body: unknown, { installed, maxima, createId }: JobOptions): Job {
  const { files: rawFiles, ...target } = parseTarget(body);
  const runtime = findRuntime(installed, target);
  if (runtime === null)
    throw new PistonError(`${shown(target.language)}-${shown(target.version)} runtime is unknown`);
  const request: ExecuteRequest = { ...target, ...parseRest(body, rawFiles, maxima) };
  if (runtime.conduct === 'plain') {
    const id = createId('run');
    const submission = toRunSubmission(request, { id, runtime, maxima });
    const toResponse = (report: RunReport) => toRunResponse(report, runtime);
    return { kind: 'run', id, runtime, submission, toResponse };
  }
  const id = createId('jdg');
  const { submission, toResponse } = judged(request, { id, runtime, maxima });
  return { kind: 'judge', id, runtime, submission, toResponse };
}

interface Judged {
  readonly submission: JudgeSubmission;
  readonly toResponse: (report: JudgeReport) => object | null;
}

function judged(
  request: ExecuteRequest,
  resolution: { readonly id: string; readonly runtime: Runtime; readonly maxima: Limits },
): Judged {
  const { runtime } = resolution;
  if (runtime.conduct === 'ioi') {
    const { submission, telling } = toIoi(request, resolution);
    return { submission, toResponse: (report) => toIoiResponse(report, { runtime, telling }) };
  }
  const { submission, timeLimitS } = toCodeforces(request, resolution);
  return {
    submission,
    toResponse: (report) => toCodeforcesResponse(report, { runtime, timeLimitS }),
  };
}

/** Characters of a name that are echoed. */
const NAME_MAX = 64;

function shown(name: string): string {
  return name.slice(0, NAME_MAX);
}
