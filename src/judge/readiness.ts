/** Whether the service takes work, and if not, why: what the host, the walls and the pools say. */
import type { Readiness } from './door.ts';
import { failingStarts } from './failing-starts.ts';
import type { ServiceOptions } from './service-options.ts';
import { doubtsOf } from './walls.ts';

/** `besides` are reasons of the service's own. */
export function readinessOf(
  { hostRoom, walls }: Pick<ServiceOptions, 'hostRoom' | 'walls'>,
  besides: readonly string[],
): Readiness {
  const reasons = [
    ...besides,
    ...hostRoom.reasons(),
    ...doubtsOf(walls),
    ...failingStarts(walls.flatMap(({ pools }) => [...pools.values()])),
  ];
  return { ready: reasons.length === 0, reasons };
}
