/** What the service counts, in the native wire's words. Pure. */
import { z } from '@hono/zod-openapi';

import type { EnvironmentStats, Quantiles, Stats } from '../../judge/door.ts';
import type { TenantsStats } from '../../judge/tenants/door.ts';
import { thousandths } from '../../lib/round.ts';
import { orNull } from '../schema-words.ts';
import { TenantLimitsWire } from './info-to-wire.ts';

const QuantilesWire = z
  .strictObject({ p50: z.number(), p95: z.number(), p99: z.number() })
  .openapi('Quantiles');

const counts = (text: string) => z.record(z.string(), z.number()).describe(text);

export const StatsResponse = z
  .strictObject({
    uptime_ms: z.number(),
    slots: z.strictObject({ total: z.number(), busy: z.number() }),
    queue: z.strictObject({
      length: z.number(),
      bytes: z.number(),
      length_max: z.number(),
      tenants: z
        .array(z.strictObject({ tenant: z.string(), length: z.number(), bytes: z.number() }))
        .describe('Those of whom most waits, at most 20.'),
      wait_ms: QuantilesWire.nullable().describe(
        'How long the last 1024 submissions that got a slot waited for it; null before the first.',
      ),
    }),
    submissions: z.strictObject({
      run: z.number().describe('Answered by /v1/run and /run_code.'),
      judged: z.number().describe('Judged; self-tests at the start are not counted.'),
      faults: z.number().describe('Faults of ours, those that a second try mended included.'),
    }),
    rejections: counts(
      'Code → how often: requests and lines of batches that were refused, whatever the reason.',
    ),
    given_up: z
      .strictObject({
        waiting: counts('Reason → submissions that never got a slot, and so were never run.'),
        running: counts('Reason → submissions that were ended while they ran.'),
      })
      .describe('Reasons: caller_gone, deadline, draining.'),
    environments: z.array(
      z.strictObject({
        id: z.string(),
        wall: z.string().describe('The wall that the jails are behind.'),
        pool: z
          .string()
          .describe('Environments of one pool share its jails; figures of jails are the pool’s.'),
        jails: z.strictObject({
          starting: z.number(),
          ready: z.number(),
          leased: z.number(),
          target: z
            .number()
            .describe(
              'Jails to hold: 1.2 × the peak of the last minute, more where too many miss.',
            ),
        }),
        warm_hit_rate: z
          .number()
          .nullable()
          .describe('Share of acquisitions of the last minute that found a jail ready, 0 … 1.'),
        acquire_ms: orNull(QuantilesWire),
        acquire_warm_ms: orNull(QuantilesWire).describe('Of those that found a jail ready.'),
        acquire_cold_ms: orNull(QuantilesWire).describe('Of those that waited for one.'),
        idle_bytes: z
          .number()
          .nullable()
          .describe(
            'What a jail without work holds in memory (proportional set size), measured now and then; null where that is not known.',
          ),
        outcomes: counts('Kind of outcome → how often.'),
        retired: counts('Reason → jails retired.'),
      }),
    ),
    jail_memory: z
      .strictObject({
        capacity_bytes: z.number().describe('What all jails together may take.'),
        idle_bytes: z.number().describe('What jails hold without runs, as measured or estimated.'),
        busy_bytes: z.number().describe('Memory limits of the submissions under way.'),
        waiting: z.number().describe('Submissions that wait for memory.'),
        refused: z.number().describe('Jails that were not made ahead for want of memory.'),
        reclaimed: z.number().describe('Idle jails that were given up for runs of others.'),
      })
      .describe('Never given out beyond the capacity, but for one submission alone.'),
    host_room: z
      .array(
        z.strictObject({
          resource: z
            .enum(['disk', 'memory', 'cgroup_memory'])
            .describe('The file system of the state folder, the host, the own control group.'),
          used_percent: z.number(),
          free_bytes: z.number().describe('What can still be taken.'),
          limit_percent: z.number().describe('Share in use from which it may be full.'),
          full: z.boolean().describe('Whether nothing new is accepted because of it.'),
        }),
      )
      .describe('What the host has left, as seen in the last second or two.'),
    compile_cache: z
      .strictObject({
        hits: z.number().describe('Programs that had been compiled before.'),
        shared: z.number().describe('Programs that another submission was just compiling.'),
        misses: z.number().describe('Programs that were compiled.'),
        entries: z.number(),
        bytes: z.number().describe('On disk.'),
        bytes_max: z.number(),
        evicted: z.number().describe('Entries removed to make room.'),
        corrupt: z.number().describe('Entries that were not what had been written.'),
        write_failures: z.number(),
      })
      .nullable()
      .describe('Null when compiled programs are not kept.'),
    reuse: z
      .strictObject({
        kept: z.number().describe('Submissions that got the report of an equal one before.'),
        in_flight: z.number().describe('Those that got the report of one that was under way.'),
        misses: z.number().describe('Those that asked for one and were judged.'),
        entries: z.number(),
        bytes: z.number(),
        bytes_max: z.number(),
        evicted: z.number().describe('Reports that gave way to others.'),
      })
      .nullable()
      .describe('Null where reports are not reused.'),
    event_loop_delay_ms: QuantilesWire,
    memory_bytes: z.number().describe('Resident memory of the service.'),
    sessions: z
      .strictObject({
        sessions: z.number(),
        busy: z.number().describe('Of them, those in which something is under way.'),
        snapshots: z.number(),
        bytes: z.number().describe('What their files take of `session_mb`.'),
        created: z.number().describe('Since the start of this replica.'),
        ended: z
          .record(z.enum(['destroyed', 'idle', 'lifetime', 'closed']), z.number())
          .describe('Of those, by the reason.'),
      })
      .describe('Of all tenants.'),
    tenant_limits: TenantLimitsWire,
    tenants: z
      .array(
        z.strictObject({
          id: z.string(),
          submissions: z.number().describe('Let in since the start of this replica.'),
          rate_limited: z.number().describe('Refused for a limit of the tenant.'),
          running: z.number().describe('Under way, those that wait for a slot included.'),
          waiting: z.number().describe('Waiting for a limit of the tenant.'),
          cpu_ms: z.number().describe('CPU time charged, ms.'),
        }),
      )
      .describe(
        'Those that have sent something, at most 256; a caller with a key sees itself alone unless it is an operator.',
      ),
  })
  .openapi('Stats');
export type StatsResponse = z.infer<typeof StatsResponse>;

export function statsToWire(
  stats: Stats,
  { limits, tenants, only }: TenantsStats,
  sessions: StatsResponse['sessions'],
): StatsResponse {
  return {
    uptime_ms: stats.uptimeMs,
    slots: { ...stats.slots },
    queue: {
      length: stats.queue.length,
      bytes: stats.queue.bytes,
      length_max: stats.queue.lengthMax,
      tenants: stats.queue.tenants
        .filter(({ tenant }) => only === null || tenant === only)
        .map((each) => ({ ...each })),
      wait_ms: quantilesOrNull(stats.queue.waitMs),
    },
    submissions: { ...stats.submissions },
    rejections: { ...stats.rejections },
    given_up: { waiting: { ...stats.givenUp.waiting }, running: { ...stats.givenUp.running } },
    environments: stats.environments.map(environmentToWire),
    jail_memory: jailMemoryToWire(stats.jailMemory),
    host_room: stats.hostRoom.map(hostRoomToWire),
    compile_cache: compileCacheToWire(stats.compileCache),
    reuse: reuseToWire(stats.reuse),
    event_loop_delay_ms: quantiles(stats.eventLoopDelayMs),
    memory_bytes: stats.memoryBytes,
    sessions,
    tenant_limits: { ...limits },
    tenants: tenants.map(({ id, submissions, rateLimited, running, waiting, cpuMs }) => ({
      id,
      submissions,
      rate_limited: rateLimited,
      running,
      waiting,
      cpu_ms: cpuMs,
    })),
  };
}

function environmentToWire(stats: EnvironmentStats): StatsResponse['environments'][number] {
  return {
    id: stats.id,
    wall: stats.wall,
    pool: stats.pool,
    jails: { ...stats.jails },
    warm_hit_rate: stats.warmHitRate === null ? null : thousandths(stats.warmHitRate),
    acquire_ms: quantilesOrNull(stats.acquireMs),
    acquire_warm_ms: quantilesOrNull(stats.acquireWarmMs),
    acquire_cold_ms: quantilesOrNull(stats.acquireColdMs),
    idle_bytes: stats.idleBytes,
    outcomes: { ...stats.outcomes },
    retired: { ...stats.retired },
  };
}

function compileCacheToWire(stats: Stats['compileCache']): StatsResponse['compile_cache'] {
  if (stats === null) return null;
  const { bytesMax, writeFailures, ...rest } = stats;
  return { ...rest, bytes_max: bytesMax, write_failures: writeFailures };
}

function reuseToWire(stats: Stats['reuse']): StatsResponse['reuse'] {
  if (stats === null) return null;
  const { inFlight, bytesMax, ...rest } = stats;
  return { ...rest, in_flight: inFlight, bytes_max: bytesMax };
}

function jailMemoryToWire(stats: Stats['jailMemory']): StatsResponse['jail_memory'] {
  const { capacityBytes, idleBytes, busyBytes, ...rest } = stats;
  const bytes = { capacity_bytes: capacityBytes, idle_bytes: idleBytes, busy_bytes: busyBytes };
  return { ...bytes, ...rest };
}

function hostRoomToWire(stat: Stats['hostRoom'][number]): StatsResponse['host_room'][number] {
  const { resource, usedPercent, freeBytes, limitPercent, isFull } = stat;
  const shares = { used_percent: thousandths(usedPercent), limit_percent: limitPercent };
  return { resource, ...shares, free_bytes: freeBytes, full: isFull };
}

function quantilesOrNull(summary: Quantiles | null): StatsResponse['event_loop_delay_ms'] | null {
  return summary === null ? null : quantiles(summary);
}

function quantiles({ p50, p95, p99 }: Quantiles): StatsResponse['event_loop_delay_ms'] {
  return { p50: thousandths(p50), p95: thousandths(p95), p99: thousandths(p99) };
}
