/**
 * Loaded into the measured service with `--import`: answers the benchmark over the process channel with what only
 * the process itself can tell. Measures the event loop independently of the service's own figure: gaps between
 * ticks, weighted by time, so that one long block counts as long as it lasts. Must not change what the service does.
 */
import { isMainThread } from 'node:worker_threads';

import type { LoopDelay, ProbeAnswer } from './lib/probe-messages.ts';

/** A tick costs microseconds; this many a second see every block that matters here. */
const TICK_MS = 2;

/**
 * The wait that a share `1 − q` of all moments exceeds: a moment inside a gap of g ms waits for the rest of it, of
 * which one tick is the sampler's own.
 */
function quantileOf(gaps: readonly number[], q: number): number {
  const delays = gaps.map((gap) => Math.max(0, gap - TICK_MS));
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  const shareAbove = (ms: number): number =>
    delays.reduce((sum, delay) => sum + Math.max(0, delay - ms), 0) / total;
  let low = 0;
  let high = Math.max(...delays, 0);
  while (high - low > 0.01) {
    const middle = (low + high) / 2;
    if (shareAbove(middle) > 1 - q) low = middle;
    else high = middle;
  }
  return high;
}

function startProbe(): void {
  let gaps: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    gaps.push(now - last);
    last = now;
  }, TICK_MS);
  timer.unref();
  // However the benchmark ended: what it has started ends too.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

  const loopDelay = (): LoopDelay => {
    if (gaps.length === 0) return { p50: 0, p95: 0, p99: 0, max: 0, seconds: 0 };
    return {
      p50: quantileOf(gaps, 0.5),
      p95: quantileOf(gaps, 0.95),
      p99: quantileOf(gaps, 0.99),
      max: gaps.reduce((most, gap) => Math.max(most, gap - TICK_MS), 0),
      seconds: gaps.reduce((sum, gap) => sum + gap, 0) / 1000,
    };
  };
  process.on('message', (message) => {
    if (message === 'reset') {
      gaps = [];
      last = performance.now();
    }
    if (message === 'collect') globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    const cpu = process.cpuUsage();
    const answer: ProbeAnswer = {
      // Only where it is asked for: sorting tens of thousands of gaps is itself a block.
      loop: message === 'loop' ? loopDelay() : null,
      rssBytes: rss,
      heapUsedBytes: heapUsed,
      externalBytes: external,
      cpuMs: (cpu.user + cpu.system) / 1000,
    };
    process.send?.(answer);
  });
  // The channel must not keep the service alive when it stops.
  process.channel?.unref();
}

if (isMainThread) startProbe();
