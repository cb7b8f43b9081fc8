/**
 * What the service counts itself (`Stats`), as Prometheus metrics: one table, a row a metric. The figures are read when
 * they are asked for; nothing is counted twice.
 */
import { Counter, Gauge, type Registry } from 'prom-client';

import type { EnvironmentStats, LanguageInfo, Stats, WallInfo } from '../../judge/door.ts';
import type { ProcessFacts } from '../../observe/process-facts.ts';

/** What is looked at, at one moment. */
export interface Seen {
  readonly stats: Stats;
  readonly isReady: boolean;
  /** Part → whether it does without Redis now. */
  readonly degraded: Readonly<Record<string, number>>;
  readonly languages: readonly LanguageInfo[];
  readonly walls: readonly WallInfo[];
  readonly versions: { readonly service: string; readonly runner: string };
  /** Bytes of request bodies under way, and how many there may be. */
  readonly bodies: { readonly heldBytes: number; readonly maxBytes: number };
  readonly own: ProcessFacts;
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Row {
  readonly kind: 'gauge' | 'counter';
  readonly help: string;
  /** Names of the labels that samples have. */
  readonly labels?: readonly string[];
  readonly samples: (seen: Seen) => readonly Sample[];
}

const one = (value: number): readonly Sample[] => [{ labels: {}, value }];

const each = (label: string, counts: Readonly<Partial<Record<string, number>>>): Sample[] =>
  Object.entries(counts).map(([name, value = 0]) => ({ labels: { [label]: name }, value }));

/** Environments of one pool tell the same of its jails. */
function perPool({ stats }: Seen): EnvironmentStats[] {
  return [...new Map(stats.environments.map((stat) => [stat.pool, stat])).values()];
}

const ROWS: Readonly<Record<string, Row>> = {
  assay_build_info: {
    kind: 'gauge',
    help: 'Versions of the service, always 1.',
    labels: ['version', 'runner', 'node'],
    samples: ({ versions, own }) => [
      {
        labels: { version: versions.service, runner: versions.runner, node: own.nodeVersion },
        value: 1,
      },
    ],
  },
  assay_ready: {
    kind: 'gauge',
    help: 'Whether the service takes submissions: 1 or 0.',
    samples: ({ isReady }) => one(Number(isReady)),
  },
  assay_wall_holds: {
    kind: 'gauge',
    help: 'Whether the last test of a wall found that it holds: 1 or 0, also where it is not known; absent where none was asked for.',
    labels: ['wall'],
    samples: ({ walls }) =>
      walls.flatMap(({ wall, test }) =>
        test === null ? [] : [{ labels: { wall }, value: Number(test.state === 'holds') }],
      ),
  },
  assay_degraded: {
    kind: 'gauge',
    help: 'Whether a part does without Redis, which does not answer: 1 or 0.',
    labels: ['part'],
    samples: ({ degraded }) => each('part', degraded),
  },
  assay_language_available: {
    kind: 'gauge',
    help: 'Whether a language is served: 1 or 0; /v1/languages says why not.',
    labels: ['language'],
    samples: ({ languages }) =>
      languages.map(({ id, available }) => ({
        labels: { language: id },
        value: Number(available),
      })),
  },
  assay_slots: {
    kind: 'gauge',
    help: 'Submissions that may run at once.',
    samples: ({ stats }) => one(stats.slots.total),
  },
  assay_slots_busy: {
    kind: 'gauge',
    help: 'Submissions that run.',
    samples: ({ stats }) => one(stats.slots.busy),
  },
  assay_queue_length: {
    kind: 'gauge',
    help: 'Submissions that wait for a slot.',
    samples: ({ stats }) => one(stats.queue.length),
  },
  assay_queue_limit: {
    kind: 'gauge',
    help: 'Submissions that may wait.',
    samples: ({ stats }) => one(stats.queue.lengthMax),
  },
  assay_queue_bytes: {
    kind: 'gauge',
    help: 'What waiting submissions hold in memory.',
    samples: ({ stats }) => one(stats.queue.bytes),
  },
  assay_rejections_total: {
    kind: 'counter',
    help: 'Requests and lines of batches that were refused, by the code of the reason.',
    labels: ['code'],
    samples: ({ stats }) => each('code', stats.rejections),
  },
  assay_run_outcomes_total: {
    kind: 'counter',
    help: 'Runs by environment and by what became of them; a submission has one for each test.',
    labels: ['environment', 'outcome'],
    samples: ({ stats }) =>
      stats.environments.flatMap(({ id, outcomes }) =>
        each('outcome', outcomes).map(({ labels, value }) => ({
          labels: { environment: id, ...labels },
          value,
        })),
      ),
  },
  assay_jails: {
    kind: 'gauge',
    help: 'Jails of a pool by their state; environments may share a pool.',
    labels: ['pool', 'state'],
    samples: (seen) =>
      perPool(seen).flatMap(({ pool, jails: { starting, ready, leased } }) =>
        each('state', { starting, ready, leased }).map(({ labels, value }) => ({
          labels: { pool, ...labels },
          value,
        })),
      ),
  },
  assay_jails_target: {
    kind: 'gauge',
    help: 'Jails that a pool holds by the demand of the last minute.',
    labels: ['pool'],
    samples: (seen) =>
      perPool(seen).map(({ pool, jails }) => ({ labels: { pool }, value: jails.target })),
  },
  assay_jails_retired_total: {
    kind: 'counter',
    help: 'Jails that were ended, by the reason.',
    labels: ['pool', 'reason'],
    samples: (seen) =>
      perPool(seen).flatMap(({ pool, retired }) =>
        each('reason', retired).map(({ labels, value }) => ({
          labels: { pool, ...labels },
          value,
        })),
      ),
  },
  assay_warm_hit_ratio: {
    kind: 'gauge',
    help: 'Share of the last minute’s submissions that found a jail ready, 0 to 1; absent without any.',
    labels: ['pool'],
    samples: (seen) =>
      perPool(seen).flatMap(({ pool, warmHitRate }) =>
        warmHitRate === null ? [] : [{ labels: { pool }, value: warmHitRate }],
      ),
  },
  assay_jail_memory_bytes: {
    kind: 'gauge',
    help: 'What jails hold without runs (idle) and the limits of submissions under way (busy).',
    labels: ['kind'],
    samples: ({ stats: { jailMemory } }) =>
      each('kind', { idle: jailMemory.idleBytes, busy: jailMemory.busyBytes }),
  },
  assay_jail_memory_limit_bytes: {
    kind: 'gauge',
    help: 'What all jails together may take.',
    samples: ({ stats }) => one(stats.jailMemory.capacityBytes),
  },
  assay_jail_memory_waiting: {
    kind: 'gauge',
    help: 'Submissions that wait for memory.',
    samples: ({ stats }) => one(stats.jailMemory.waiting),
  },
  assay_host_free_bytes: {
    kind: 'gauge',
    help: 'What the host has left of its disk and memory, and its control group of memory.',
    labels: ['resource'],
    samples: ({ stats }) =>
      stats.hostRoom.map(({ resource, freeBytes }) => ({ labels: { resource }, value: freeBytes })),
  },
  assay_host_used_ratio: {
    kind: 'gauge',
    help: 'Share of them in use, 0 to 1.',
    labels: ['resource'],
    samples: ({ stats }) =>
      stats.hostRoom.map(({ resource, usedPercent }) => ({
        labels: { resource },
        value: usedPercent / 100,
      })),
  },
  assay_host_full: {
    kind: 'gauge',
    help: 'Whether nothing new is accepted for want of it: 1 or 0.',
    labels: ['resource'],
    samples: ({ stats }) =>
      stats.hostRoom.map(({ resource, isFull }) => ({
        labels: { resource },
        value: Number(isFull),
      })),
  },
  assay_compile_cache_requests_total: {
    kind: 'counter',
    help: 'Programs that were asked for: compiled before (hit), just being compiled (shared), compiled (miss).',
    labels: ['result'],
    samples: ({ stats: { compileCache } }) => {
      if (compileCache === null) return [];
      const { hits, shared, misses } = compileCache;
      return each('result', { hit: hits, shared, miss: misses });
    },
  },
  assay_compile_cache_entries: {
    kind: 'gauge',
    help: 'Programs that are kept.',
    samples: ({ stats }) => one(stats.compileCache?.entries ?? 0),
  },
  assay_compile_cache_bytes: {
    kind: 'gauge',
    help: 'What kept programs take on disk.',
    samples: ({ stats }) => one(stats.compileCache?.bytes ?? 0),
  },
  assay_compile_cache_limit_bytes: {
    kind: 'gauge',
    help: 'What kept programs may take on disk; 0 when none are kept.',
    samples: ({ stats }) => one(stats.compileCache?.bytesMax ?? 0),
  },
  assay_compile_cache_losses_total: {
    kind: 'counter',
    help: 'Kept programs that made room (evicted), were not what had been written (corrupt) or could not be written (write_failure).',
    labels: ['reason'],
    samples: ({ stats: { compileCache } }) => {
      if (compileCache === null) return [];
      const { evicted, corrupt, writeFailures } = compileCache;
      return each('reason', { evicted, corrupt, write_failure: writeFailures });
    },
  },
  assay_body_bytes: {
    kind: 'gauge',
    help: 'Bytes of request bodies that are held.',
    samples: ({ bodies }) => one(bodies.heldBytes),
  },
  assay_body_limit_bytes: {
    kind: 'gauge',
    help: 'Bytes of request bodies that may be held.',
    samples: ({ bodies }) => one(bodies.maxBytes),
  },
  assay_event_loop_delay_seconds: {
    kind: 'gauge',
    help: 'Delay of the event loop since the start: what so many per cent of looks did not exceed.',
    labels: ['percentile'],
    samples: ({ stats: { eventLoopDelayMs } }) => {
      const { p50, p95, p99 } = eventLoopDelayMs;
      return each('percentile', { '50': p50 / 1000, '95': p95 / 1000, '99': p99 / 1000 });
    },
  },
  process_cpu_seconds_total: {
    kind: 'counter',
    help: 'User and system CPU time of the service itself, in seconds; without its jails.',
    samples: ({ own }) => one(own.cpuSeconds),
  },
  process_resident_memory_bytes: {
    kind: 'gauge',
    help: 'Resident memory of the service itself, without its jails.',
    samples: ({ stats }) => one(stats.memoryBytes),
  },
  process_start_time_seconds: {
    kind: 'gauge',
    help: 'Start of the service, in seconds since the epoch.',
    samples: ({ own }) => one(own.startedAt),
  },
  nodejs_heap_size_used_bytes: {
    kind: 'gauge',
    help: 'JavaScript heap in use.',
    samples: ({ own }) => one(own.heapBytes),
  },
  nodejs_external_memory_bytes: {
    kind: 'gauge',
    help: 'Memory of buffers outside the JavaScript heap.',
    samples: ({ own }) => one(own.externalBytes),
  },
};

/** Declares the metrics in `registry`; what is returned sets them to what is seen. */
export function createStatsMetrics(registry: Registry): (seen: Seen) => void {
  const setters = Object.entries(ROWS).map(([name, row]) => {
    const { help, labels = [], samples } = row;
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    if (row.kind === 'gauge') {
      const gauge = new Gauge(options);
      return (seen: Seen) => {
        gauge.reset();
        for (const sample of samples(seen)) gauge.set(sample.labels, sample.value);
      };
    }
    const counter = new Counter(options);
    return (seen: Seen) => {
      counter.reset();
      for (const sample of samples(seen)) counter.inc(sample.labels, sample.value);
    };
  });
  return (seen) => {
    for (const set of setters) set(seen);
  };
}
