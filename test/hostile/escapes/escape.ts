/** The shape of the table of escapes: rows of attacks, each with its programs and what must come of them. Types only. */
import type { aJudge, RunRequestBody } from '../../support/builders.ts';
import type { Canaries } from '../../support/host-canaries.ts';
import type { Outcome } from '../../support/client.ts';
import type { RunningService } from '../../support/service.ts';
import type { RunResponse } from '../../../src/http/native/schema/report.ts';
import type { RealWall } from '../../../src/domain/wall.ts';

/** Where an attempt is made. */
export interface Scene {
  readonly service: RunningService;
  readonly wall: RealWall;
  readonly canaries: Canaries;
}

/** What must come of a run: parts of its outcome, and more to look at. Nothing said means `contained`. */
export interface Expected {
  readonly outcome?: Partial<Outcome>;
  readonly check?: (outcome: Outcome, answer: RunResponse) => void;
  /** Beginnings of lines that a program may print although they begin with "yes". */
  readonly granted?: readonly string[];
}

/** Where a wall answers otherwise by its design. */
type Otherwise = Expected & { readonly reason: string };

/** A program that is run. */
export interface RunAttempt extends Expected {
  /** File below `test/hostile/programs/`. */
  readonly program: string;
  readonly as?: string;
  readonly request?: Partial<RunRequestBody> | ((scene: Scene) => Partial<RunRequestBody>);
  readonly gvisor?: Otherwise;
}

/** A program that is judged, and never rewarded unless that is said. */
export interface JudgedAttempt {
  readonly program: string;
  readonly as?: string;
  readonly request?: Parameters<typeof aJudge>[0];
  /** Any of them. */
  readonly verdicts: readonly string[];
  readonly reward?: number;
  readonly gvisor?: { readonly verdicts: readonly string[]; readonly reason: string };
}

/** A request that must not be taken. */
export interface RefusedAttempt {
  readonly as: string;
  readonly request: object;
  readonly status: number;
}

export interface Escape {
  /** Of docs/escapes.md. */
  readonly row: number;
  readonly attack: string;
  readonly runs?: readonly RunAttempt[];
  readonly judged?: readonly JudgedAttempt[];
  readonly refused?: readonly RefusedAttempt[];
  /** What takes more than one request. */
  readonly scene?: (scene: Scene) => Promise<void>;
  /** Files of tests that hold the row behind nsjail at each change; then only gVisor is tried here, and all by the long proof. */
  readonly heldBy?: string;
}
