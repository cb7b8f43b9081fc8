/** How this process fares: delay of its event loop, by Node's own histogram, and its memory. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { QuantileSummary } from '../lib/quantiles.ts';

export interface EventLoopMonitor {
  /** Since start or the last `reset`, ms. */
  summary(): QuantileSummary;
  reset(): void;
  close(): void;
}

/** Resident memory of this process, bytes. */
export function residentBytes(): number {
  return process.memoryUsage.rss();
}

export function monitorEventLoop(): EventLoopMonitor {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  // The histogram counts the whole gap between two ticks, so the resolution itself is not delay.
  const ms = (percentile: number): number =>
    Math.max(0, Math.round(histogram.percentile(percentile) / 1e4) / 100 - 10);
  return {
    summary: () => ({ p50: ms(50), p95: ms(95), p99: ms(99) }),
    reset: () => histogram.reset(),
    close: () => {
      histogram.disable();
    },
  };
}
