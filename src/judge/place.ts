/** Where a submission is executed, and what every run there has in common. */
import { constants } from 'node:os';

import { isDoubtful } from '../catalog/warm.ts';
import { Fault } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { Outcome, RawExit } from '../domain/outcome.ts';
import type { Runtime } from '../domain/report.ts';
import type { Clock } from '../lib/clock.ts';
import { classify, type ClassifyLimits } from '../runner/classify.ts';
import type { EnvironmentPool } from '../pool/environment-pool.ts';
import type { Session } from '../runner/session.ts';
import type { ArtefactCache } from './artefacts/cache.ts';
import type { Comparator } from './case-verdict.ts';
import type { Companions } from './companion.ts';
import { NeedsProcess } from './isolates.ts';

/** What all work under one permit has in common. */
export interface Workshop {
  /** The core of the slot, null when not pinned. */
  readonly cpu: number | null;
  /** Aborts with the reason to stop; running work is then killed. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly comparator: Comparator;
  /** Compiled programs of earlier; null: always compile. */
  readonly artefacts: ArtefactCache | null;
  /** Whose compiled programs they are: nothing is shared with others. */
  readonly builds: string;
  /** Compilers that are kept ready; null: none, or none are to be used. */
  readonly compilers: EnvironmentPool | null;
  /** Whether runs may be forked where their submission allows it; not when a fork has ended in doubt. */
  readonly mayFork: boolean;
}

/** A leased jail, with what the work on it needs. */
export interface Place extends Workshop {
  readonly session: Session;
  readonly environment: Environment;
  /** What executes the runs of the session's jail. */
  readonly runtime: Runtime;
}

/** Where what is handed in is judged without executing anything of the candidate's. */
export interface Bench extends Workshop {
  readonly companions: Companions;
}

/** Where a submission is judged: the candidate's jail, and further ones for the problem's programs. */
export interface JudgePlace extends Place {
  readonly companions: Companions;
}

/** The protocol's word for "not pinned". */
export const NO_CPU = -1;

/** The outcome of a run; a fault of ours, a cancellation and a run that needs a process are thrown. */
export function toOutcome(place: Place, raw: RawExit, limits: ClassifyLimits): Outcome {
  if (raw.cause === 'cancelled') {
    place.signal.throwIfAborted();
    throw new Fault('internal', 'a run was cancelled without a reason');
  }
  const isRefused = raw.cause === 'not_started' && raw.startErrno === constants.errno.ENOSYS;
  if (place.runtime === 'isolate' && isRefused) throw new NeedsProcess();
  const result = classify(raw, limits);
  if (result.kind === 'fault') throw result.fault;
  return result.outcome;
}

/** Throws where a run's end may have come of its being forked: nothing is known of the program then. */
export function requireCertain(place: Place, raw: RawExit): void {
  if (isDoubtful(raw, place.environment.language)) throw new NeedsProcess();
}
