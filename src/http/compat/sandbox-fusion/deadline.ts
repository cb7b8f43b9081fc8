/**
 * How long the client of a request waits. The wire does not say, but the shape of the body tells the client apart,
 * and each client's waiting time is known. Pure.
 */
import type { Limits } from '../../../domain/limits.ts';
import type { RunCodeRequest } from './schema.ts';

/** For the way there and back. */
const MARGIN_S = 1;
/** verl and the SDK's users: both time-outs and this. */
const SLACK_S = 10;
/** coder1 clients: the run time-out and this. */
const CODER1_SLACK_S = 2;
/** A client that sends code and language alone waits so long in all. */
const BARE_S = 10;
/** ROLL: its whole exchange. */
const ROLL_S = 90;
/** tinker-cookbook: its whole exchange. */
const TINKER_S = 6000;
const LEAST_S = 1;

/** `/submit`: the SDK waits without end; who set a time-out is kept by the white space of a job that runs. */
export const SUBMIT_DEADLINE_MS = 120_000;

/** `/run_jupyter`: the original gives its kernel so much beyond the time for the cells. */
export function jupyterDeadlineMs(totalTimeoutS: number, maxima: Pick<Limits, 'cpuMs'>): number {
  return (Math.min(totalTimeoutS, maxima.cpuMs / 1000) + SLACK_S - MARGIN_S) * 1000;
}

const BARE_FIELDS = new Set(['code', 'language']);

/**
 * Milliseconds within which the answer must leave, queueing included. `body` is the request as it was sent. Time-outs
 * count as far as they are in force, so that an absurd one is not an absurd deadline.
 */
export function clientDeadlineMs(
  body: Readonly<Record<string, unknown>>,
  request: RunCodeRequest,
  maxima: Pick<Limits, 'cpuMs' | 'compileCpuMs'>,
): number {
  const inForce = {
    run_timeout: Math.min(request.run_timeout, maxima.cpuMs / 1000),
    compile_timeout: Math.min(request.compile_timeout, maxima.compileCpuMs / 1000),
  };
  return Math.max(LEAST_S, waitS(body, { ...request, ...inForce }) - MARGIN_S) * 1000;
}

function waitS(body: Readonly<Record<string, unknown>>, request: RunCodeRequest): number {
  const { run_timeout: run, compile_timeout: compile } = request;
  if (Object.hasOwn(body, 'expected_stdout')) return ROLL_S;
  if (Object.hasOwn(request.files, 'test_cases.txt')) return TINKER_S;
  if (Object.keys(body).every((name) => BARE_FIELDS.has(name))) return BARE_S;
  if (!Object.hasOwn(body, 'compile_timeout') && !Object.hasOwn(body, 'files'))
    return run + CODER1_SLACK_S;
  return compile + run + SLACK_S;
}
