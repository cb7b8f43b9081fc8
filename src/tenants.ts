/** Puts tenants together: where they are kept, where their limits are counted, and the door for callers. */
import path from 'node:path';

import { InsuredLimiter } from './admission/limits/insured-limiter.ts';
import type { Limiter } from './admission/limits/limiter.ts';
import { MemoryLimiter } from './admission/limits/memory-limiter.ts';
import { createRedisLimiter } from './admission/limits/redis-limiter.ts';
import { Turnstile } from './admission/limits/turnstile.ts';
import { connectRedis, type Connection } from './admission/redis/connection.ts';
import { RedisKept, type RedisKeptOptions } from './admission/redis/redis-kept.ts';
import { TenantDirectory } from './admission/tenants/directory.ts';
import { fileDocument, redisDocument, type TenantDocument } from './admission/tenants/document.ts';
import { ConfigError, type LoadedConfig } from './config/load.ts';
import { DEGRADATIONS, type Degradation, type Jobs } from './http/app-env.ts';
import type { Service } from './judge/door.ts';
import { TenantCallers } from './judge/tenants/callers.ts';
import type { Callers } from './judge/tenants/door.ts';
import type { Clock } from './lib/clock.ts';
import { createLeaseId } from './lib/lease-id.ts';
import { Presence } from './lib/presence.ts';
import type { Logger } from './observe/logger.ts';
import { stateFolder } from './wall.ts';

const MIB = 1024 * 1024;

/** At the start Redis is waited for so long, ms; without it the service starts all the same. */
const REDIS_START_MS = 1000;

/** In place of a file: the tenants are kept in Redis. */
const IN_REDIS = 'redis';

export interface Tenants {
  readonly callers: Callers;
  hasKeys(): Promise<boolean>;
  /** Refuses whoever waits for a limit. */
  drain(): void;
}

/** What replicas share besides jobs. */
export interface Shared extends Disposable {
  readonly connection: Connection;
  /** Whether Redis does not answer. */
  readonly isAway: () => boolean;
  /** What is kept in Redis under a name, and in `own` while it is away. */
  kept(options: Pick<RedisKeptOptions, 'name' | 'bytesMax' | 'ttlMs' | 'own'>): Promise<RedisKept>;
}

interface TenantParts {
  readonly service: Service;
  readonly connection: Connection | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Throws ConfigError where the tenants cannot be read from their file. */
export async function openTenants(
  loaded: LoadedConfig,
  { service, connection, clock, logger }: TenantParts,
): Promise<Tenants> {
  const { config } = loaded;
  const own = new MemoryLimiter(clock);
  let insured: InsuredLimiter | null = null;
  if (connection !== null) {
    const shared = await createRedisLimiter(connection);
    const onChange = (isDegraded: boolean): void => {
      logger.warn({ event: 'tenant_limits', degraded: isDegraded }, WORDS[`${isDegraded}`]);
      void turnstile.renewAll();
    };
    const presence = new Presence({
      clock,
      isConnected: () => connection.isConnected,
      // Whatever Redis has against counting, this process can count.
      isAway: () => true,
      // A lease of nobody's: a Redis that reads and does not write is no more use than none.
      probe: async () => await shared.renew({ tenant: '', leases: ['probe'], leaseMs: 1000 }),
      onChange,
    });
    insured = new InsuredLimiter({ shared, own, presence });
  }
  const limiter: Limiter = insured ?? own;
  const turnstile = new Turnstile({
    limiter,
    clock,
    lengthMax: config.queueLength,
    bytesMax: config.queueMb * MIB,
    tenantShare: config.queueTenantPercent / 100,
    createLease: createLeaseId,
  });
  const directory = await openDirectory(loaded, { connection, clock, logger });
  const callers = new TenantCallers({
    service,
    directory,
    turnstile,
    clock,
    anonymous: config.anonymous,
    limits: () => ({
      store: insured === null ? 'memory' : 'redis',
      degraded: insured?.isDegraded ?? false,
    }),
  });
  return {
    callers,
    hasKeys: async () => await directory.hasKeys(),
    drain: () => turnstile.drain(),
  };
}

const WORDS = {
  true: 'Redis does not answer: limits of tenants are counted by this process',
  false: 'Redis answers: limits of tenants are shared again',
} as const;

/** Null where no Redis is configured. */
export async function openShared(
  { config }: LoadedConfig,
  { clock, logger }: Pick<TenantParts, 'clock' | 'logger'>,
): Promise<Shared | null> {
  if (config.redisUrl === '') return null;
  const connection = connectRedis(config.redisUrl, {
    clock,
    answerMs: config.redisTimeoutMs,
    onError: (reason) => logger.warn({ event: 'redis', reason }, 'Redis cannot be reached'),
  });
  await connection.settled(REDIS_START_MS);
  const presence = new Presence({
    clock,
    isConnected: () => connection.isConnected,
    // Whatever Redis has against what is kept, this process can keep it.
    isAway: () => true,
    probe: async () => await connection.ask(async (client) => await client.ping()),
    onChange: (isAway) =>
      logger.warn({ event: 'shared_answers', degraded: isAway }, SHARED_WORDS[`${isAway}`]),
  });
  return {
    connection,
    isAway: () => presence.isAway,
    kept: async (options) => await RedisKept.create({ ...options, connection, presence }),
    [Symbol.dispose]: () => connection.close(),
  };
}

const SHARED_WORDS = {
  true: 'Redis does not answer: answers and reports are kept by this process alone',
  false: 'Redis answers: answers and reports are shared again',
} as const;

async function openDirectory(
  loaded: LoadedConfig,
  { connection, clock, logger }: { connection: Connection | null; clock: Clock; logger: Logger },
): Promise<TenantDirectory> {
  const document = tenantDocument(loaded, connection, clock);
  const directory = new TenantDirectory({
    document,
    clock,
    onTrouble(reason) {
      const fields = { event: 'tenants', place: document.place };
      if (reason === null) logger.warn(fields, 'tenants can be read again');
      else logger.error({ ...fields, reason }, 'tenants cannot be read: those known before hold');
    },
  });
  await directory.open().catch((error: unknown) => {
    // Redis may come yet; until then nobody is let in, not even who needs no key.
    if (loaded.config.tenants === IN_REDIS) return;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`tenants (${document.place}): ${reason}`, { cause: error });
  });
  return directory;
}

/** Where the configuration says that tenants are kept. Throws ConfigError for Redis without an address. */
export function tenantDocument(
  loaded: LoadedConfig,
  connection: Connection | null,
  clock: Clock,
): TenantDocument {
  const { tenants } = loaded.config;
  if (tenants === IN_REDIS) {
    if (connection !== null) return redisDocument(connection);
    throw new ConfigError('tenants are to be kept in Redis, and there is no redisUrl');
  }
  return fileDocument(
    tenants === '' ? path.join(stateFolder(loaded), 'tenants.json') : tenants,
    clock,
  );
}

interface Depending {
  readonly tenants: Tenants;
  readonly jobs: Jobs;
  readonly shared: Shared | null;
}

/** What does without Redis now. */
export function toDegraded({ tenants, jobs, shared }: Depending): Degradation[] {
  const parts = {
    tenant_limits: tenants.callers.limits().degraded,
    answers: shared?.isAway() ?? false,
    jobs: jobs.isAway(),
  };
  return DEGRADATIONS.filter((part) => parts[part]);
}
