/**
 * Which runtime a submission is tried on, in order. A warm runtime that cannot tell exactly what a process would do says
 * so, and the whole submission is judged by processes; their outcomes are never mixed. Pure.
 */
import type { Environment } from '../domain/language.ts';
import type { Runtime } from '../domain/report.ts';
import type { JudgeSubmission, Submission } from '../domain/submission.ts';

/** Thrown by work on an isolate: nothing is known of the program, a process has to run it. */
export class NeedsProcess extends Error {
  constructor() {
    super('the program needs a process');
    this.name = 'NeedsProcess';
  }
}

/** Whether this host can run programs of the environment in isolates. */
export function hasIsolates({ language, toolchain }: Environment): boolean {
  return language.isolate && toolchain.isolateHost !== undefined;
}

/** Whether this host can keep a compiler of the environment ready. */
export function hasCompileHost({ language, toolchain }: Environment): boolean {
  return language.compile !== null && toolchain.compileHost !== undefined;
}

/** The runtimes to try, the last one being the one that always can. Isolates get all their input before they start. */
export function runtimesFor(
  environment: Environment,
  submission: Pick<Submission, 'warm'> | Pick<JudgeSubmission, 'warm' | 'tests'>,
): readonly Runtime[] {
  const isLive = 'tests' in submission && !['stdio', 'two_step'].includes(submission.tests.kind);
  const isFit = submission.warm && !isLive && hasIsolates(environment);
  return isFit ? ['isolate', 'process'] : ['process'];
}

/**
 * Name of the pool of an environment's jails for a runtime, for compilers that are kept ready, or for what the problem's
 * author wrote: `verifier`, jails of processes in which no candidate ever runs.
 */
export function poolId(environment: Environment, kind: Runtime | 'compile' | 'verifier'): string {
  return kind === 'process' ? environment.id : `${environment.id}+${kind}`;
}
