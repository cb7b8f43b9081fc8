/** Puts jobs together: where they are kept, and what works on them. */
import path from 'node:path';

import { ConfigError, type LoadedConfig } from './config/load.ts';
import { toFault } from './domain/errors.ts';
import type { Jobs } from './http/app-env.ts';
import { itemJudge } from './http/native/jobs/judge-item.ts';
import { RedisJobStore } from './jobs/redis-store.ts';
import { JobRunner } from './jobs/runner.ts';
import { SqliteJobStore } from './jobs/sqlite-store.ts';
import type { JobStore } from './jobs/store.ts';
import type { Clock } from './lib/clock.ts';
import { logFault } from './observe/submission-log.ts';
import { stateFolder } from './wall.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Throws ConfigError where there is no Redis at the address. */
async function openJobStore(
  loaded: LoadedConfig,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<JobStore> {
  const { redisUrl } = loaded.config;
  if (redisUrl === '')
    return SqliteJobStore.open(path.join(stateFolder(loaded), 'jobs.sqlite'), clock);
  return await RedisJobStore.open(redisUrl, { clock, onError }).catch((cause: unknown) => {
    throw new ConfigError('redis_url: no Redis answers there', { cause });
  });
}

type JobParts = Parameters<typeof itemJudge>[0] & {
  /** Whether they outlive this process. */
  readonly isKept: boolean;
  readonly slots: number;
  readonly clock: Clock;
};

export async function openJobs(
  loaded: LoadedConfig,
  { isKept, slots, clock, ...deps }: JobParts,
): Promise<Jobs> {
  const { jobsMb, jobHours } = loaded.config;
  const onError = (error: unknown): void => logFault(deps.logger, toFault(error), 'jobs');
  const store = isKept
    ? await openJobStore(loaded, clock, onError)
    : SqliteJobStore.open(':memory:', clock);
  const runner = new JobRunner({
    store,
    judge: itemJudge(deps),
    atOnce: slots,
    clock,
    keptMs: jobHours * HOUR_MS,
    onError,
  });
  return { store, runner, bytesMax: jobsMb * MIB };
}
