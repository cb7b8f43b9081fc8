/**
 * Which runtime a submission is tried on, in order. A warm runtime that cannot tell exactly what a process would do says
 * so, and the whole submission is judged by processes; their outcomes are never mixed. Pure.
 */
import type { Environment } from '../domain/language.ts';
import type { Runtime } from '../domain/report.ts';
import type { Submission } from '../domain/submission.ts';

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

/** The runtimes to try, the last one being the one that always can. */
export function runtimesFor(
  environment: Environment,
  submission: Pick<Submission, 'warm'>,
): readonly Runtime[] {
  return submission.warm && hasIsolates(environment) ? ['isolate', 'process'] : ['process'];
}

/** Name of the pool of jails in which tests run, never a candidate; null where the language has no such tests. */
export function verifierPoolId(environment: Environment): string | null {
  return environment.language.verifier === null ? null : `${environment.id}+verifier`;
}

/** Name of the pool of an environment's jails for a runtime, or for compilers that are kept ready. */
export function poolId(environment: Environment, runtime: Runtime | 'compile'): string {
  return runtime === 'process' ? environment.id : `${environment.id}+${runtime}`;
}
