/** The types that all routes and middleware share: what a handler is given, and what travels with a request. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

import type { RowReader } from '../datasets/row-pool.ts';
import type { RejectionCode } from '../domain/errors.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { JobStore } from '../jobs/store.ts';
import type { Service } from '../judge/door.ts';
import type { Caller, Callers } from '../judge/tenants/door.ts';
import type { Controls } from '../judge/testsets/controls.ts';
import type { TestsetLibrary } from '../judge/testsets/library.ts';
import type { WallTest } from '../judge/wall-test/verdict.ts';
import type { Clock } from '../lib/clock.ts';
import type { Room } from '../lib/room.ts';
import type { Logger } from '../observe/logger.ts';
import type { Observations } from '../observe/observations.ts';
import type { Traces } from '../observe/traces.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { HTTPConfig } from './config.ts';
import type { Idempotency } from './native/idempotency.ts';
import type { ByteBudget } from './middleware/body/byte-budget.ts';

export interface HTTPDeps {
  /** Of nobody in particular: what has to do with a request asks `serving` for its caller's. */
  readonly service: Service;
  /** Tests every wall now; one test at a time, who asks meanwhile gets its answer. */
  readonly selfTest: () => Promise<readonly WallTest[]>;
  readonly callers: Callers;
  readonly testsets: TestsetLibrary;
  /** Wrong programs that every problem of a test set is tried with. */
  readonly controls: Controls;
  /** Answers that are given again under an `Idempotency-Key`. */
  readonly idempotency: Idempotency;
  /** Reads rows of data sets off the event loop. */
  readonly rows: RowReader;
  readonly jobs: Jobs;
  readonly sessions: Sessions;
  /** What does without Redis for now. */
  readonly degraded: () => readonly Degradation[];
  readonly config: HTTPConfig;
  readonly logger: Logger;
  /** Counts what happens. */
  readonly observed: Observations;
  /** Null where nobody asked for traces. */
  readonly traces: Traces | null;
  readonly clock: Clock;
  /** Throws Rejection `host_full` where nothing more is to be kept at this host. */
  readonly checkHost: () => void;
}

/** Parts that can go on without what replicas share: less, or not at all. */
export const DEGRADATIONS = ['tenant_limits', 'answers', 'jobs'] as const;
export type Degradation = (typeof DEGRADATIONS)[number];

/** Batches that are judged while their callers are away. */
export interface Jobs {
  readonly store: JobStore;
  readonly runner: JobRunner;
  /** What all jobs may take, and those of one tenant, bytes. */
  readonly room: Room;
  /** Whether their store does not answer now. */
  readonly isAway: () => boolean;
}

/** Facts for the request's log line: ids, sizes, durations, verdicts; never code, input or output. */
type LogFields = Record<string, unknown>;

interface AppVariables {
  requestId: string;
  logFields: LogFields;
  /** Bytes of bodies held over all requests of this app. */
  bodyBudget: ByteBudget;
  /** Set by `knownCaller`: whose request it is. */
  caller: Caller | undefined;
  /** Set by a streaming handler: when its stream has ended, so the log line can wait for it. */
  streamEnd: Promise<void> | undefined;
  /** Set by whoever answers with a rejection; counted once the request is answered. */
  rejection: RejectionCode | undefined;
}

export interface AppEnv {
  /** Present when served from a socket, absent under `app.request()`. */
  Bindings: Partial<HttpBindings>;
  Variables: AppVariables;
}

export type AppContext = Context<AppEnv>;
