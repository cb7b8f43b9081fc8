/** Puts jobs together: where they are kept, and what works on them. */
import path from 'node:path';

import type { LoadedConfig } from './config/load.ts';
import { Rejection, toFault } from './domain/errors.ts';
import type { Jobs } from './http/app-env.ts';
import { itemJudge } from './http/native/jobs/judge-item.ts';
import { guardedStore } from './jobs/guarded-store.ts';
import { RedisJobStore } from './jobs/redis-store.ts';
import { JobRunner } from './jobs/runner.ts';
import { SqliteJobStore } from './jobs/sqlite-store.ts';
import type { JobStore } from './jobs/store.ts';
import type { Clock } from './lib/clock.ts';
import { Presence } from './lib/presence.ts';
import type { Logger } from './observe/logger.ts';
import { logFault } from './observe/submission-log.ts';
import { stateFolder } from './wall.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

interface OpenStore {
  readonly store: JobStore;
  /** Whether it cannot be asked now. */
  readonly isAway: () => boolean;
}

interface StoreParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onError: (error: unknown) => void;
}

const NEVER = (): boolean => false;

const WORDS = {
  true: 'Redis does not answer: jobs wait, and calls for them are refused',
  false: 'Redis answers: jobs go on',
} as const;

/** In Redis where there is an address, whether it answers yet or not. */
async function openJobStore(
  loaded: LoadedConfig,
  { clock, logger, onError }: StoreParts,
): Promise<OpenStore> {
  const { redisUrl } = loaded.config;
  if (redisUrl === '') {
    const file = path.join(stateFolder(loaded), 'jobs.sqlite');
    return { store: SqliteJobStore.open(file, clock), isAway: NEVER };
  }
  const store = await RedisJobStore.open(redisUrl, {
    clock,
    // That nothing answers is told below, once.
    onError: (error) => {
      if (!RedisJobStore.isAway(error)) onError(error);
    },
  });
  const presence = new Presence({
    clock,
    isConnected: () => store.isConnected,
    isAway: (error) => RedisJobStore.isAway(error),
    probe: async () => await store.bytes(),
    onChange: (isAway) => logger.warn({ event: 'jobs', away: isAway }, WORDS[`${isAway}`]),
  });
  return { store: guardedStore(store, presence), isAway: () => presence.isAway };
}

type JobParts = Omit<Parameters<typeof itemJudge>[0], 'isShared'> & {
  /** Whether they outlive this process. */
  readonly isKept: boolean;
  readonly slots: number;
  readonly clock: Clock;
};

export async function openJobs(
  loaded: LoadedConfig,
  { isKept, slots, clock, ...deps }: JobParts,
): Promise<Jobs> {
  const { jobsMb, jobHours, queueTenantPercent, redisUrl } = loaded.config;
  const { logger } = deps;
  const onError = (error: unknown): void => {
    // It was told when it began.
    if (error instanceof Rejection && error.code === 'jobs_away') return;
    logFault(logger, toFault(error), 'jobs');
  };
  const { store, isAway } = isKept
    ? await openJobStore(loaded, { clock, logger, onError })
    : { store: SqliteJobStore.open(':memory:', clock), isAway: NEVER };
  const runner = new JobRunner({
    store,
    judge: itemJudge({ ...deps, isShared: isKept && redisUrl !== '' }),
    atOnce: slots,
    clock,
    keptMs: jobHours * HOUR_MS,
    onError,
  });
  const room = { max: jobsMb * MIB, share: queueTenantPercent / 100 };
  return { store, runner, room, isAway };
}
