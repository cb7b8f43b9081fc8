/** The types that all routes and middleware share: what a handler is given, and what travels with a request. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

import type { RowReader } from '../datasets/row-pool.ts';
import type { RejectionCode } from '../domain/errors.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { JobStore } from '../jobs/store.ts';
import type { Payer } from '../domain/tenant.ts';
import type { Service } from '../judge/door.ts';
import type { Controls } from '../judge/testsets/controls.ts';
import type { TestsetLibrary } from '../judge/testsets/library.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../observe/logger.ts';
import type { HTTPConfig } from './config.ts';
import type { ByteBudget } from './middleware/body/byte-budget.ts';

export interface HTTPDeps {
  readonly service: Service;
  readonly testsets: TestsetLibrary;
  /** Wrong programs that every problem of a test set is tried with. */
  readonly controls: Controls;
  /** Reads rows of data sets off the event loop. */
  readonly rows: RowReader;
  readonly jobs: Jobs;
  readonly config: HTTPConfig;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Batches that are judged while their callers are away. */
export interface Jobs {
  readonly store: JobStore;
  readonly runner: JobRunner;
  /** What all jobs may take, bytes. */
  readonly bytesMax: number;
}

/** Facts for the request's log line: ids, sizes, durations, verdicts; never code, input or output. */
type LogFields = Record<string, unknown>;

interface AppVariables {
  requestId: string;
  /** Undefined for whoever calls without a key. */
  payer: Payer | undefined;
  logFields: LogFields;
  /** Bytes of bodies held over all requests of this app. */
  bodyBudget: ByteBudget;
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
