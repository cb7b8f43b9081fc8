/**
 * The compile step on a compiler that is kept ready in a jail of its own. Its word counts only when it ended by itself and
 * well within the limits; else nothing is known, and the compile step itself decides. Nobody waits for one to be ready.
 */
import { planCompile } from '../catalog/plan.ts';
import type { Outcome, RawExit } from '../domain/outcome.ts';
import type { RunLimits } from '../runner/protocol.ts';
import type { Lease } from '../pool/environment-pool.ts';
import { classify } from '../runner/classify.ts';
import { NO_CPU, type Place } from './place.ts';
import type { Program } from './program.ts';

/**
 * What it may use of the step's time: it is ten times as fast as a compiler that starts, so what takes it longer would not
 * end in time there either, or nearly so; and a hostile program costs a tenth more.
 */
const TIME_SHARE = 0.1;

export interface WarmCompilation {
  readonly raw: RawExit;
  readonly outcome: Outcome;
}

/** Null when the compile step has to be run. Throws the signal's reason; what goes wrong with the compiler is not told. */
export async function compileWarm(
  place: Place,
  program: Program,
  limits: RunLimits,
): Promise<WarmCompilation | null> {
  // It knows no folder; several files are the compile step's.
  if (program.files.length !== 1) return null;
  const lease = place.compilers?.tryAcquire() ?? null;
  if (lease === null) return null;
  try {
    const raw = await compileOn(lease, { place, program, limits });
    // What is still compiling cannot be stopped but with its jail.
    if (raw.cause === 'exited' || raw.cause === 'not_started') lease.release();
    else lease.discard('used_up');
    place.signal.throwIfAborted();
    const result = raw.cause === 'exited' ? classify(raw, limits) : null;
    return result?.kind === 'outcome' && result.outcome.kind === 'exited'
      ? { raw, outcome: result.outcome }
      : null;
  } catch {
    // The jail died, or said what makes no sense: a compiler that is no more.
    lease.discard('fault');
    place.signal.throwIfAborted();
    return null;
  }
}

interface WarmStep {
  readonly place: Place;
  readonly program: Program;
  readonly limits: RunLimits;
}

async function compileOn(lease: Lease, { place, program, limits }: WarmStep): Promise<RawExit> {
  const share = (ms: number): number => Math.max(1, Math.floor(ms * TIME_SHARE));
  return await lease.session.run(
    {
      ...planCompile(place.environment, program),
      limits: { ...limits, cpuMs: share(limits.cpuMs), wallMs: share(limits.wallMs) },
      stdin: new Uint8Array(0),
      files: program.files.map((file) => ({ ...file, executable: false })),
      cpu: NO_CPU,
      warm: false,
    },
    { signal: place.signal },
  );
}
