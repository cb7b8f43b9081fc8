/** What the service can do and enforces, for `/v1/capabilities`. Pure. */
import { DEFAULT_LIMITS, resolveLimits } from '../domain/limits.ts';
import type { Capabilities, SelfTestResult } from './door.ts';
import type { ServiceOptions } from './service-options.ts';

export function toCapabilities(
  { versions, walls, slots, maxima }: ServiceOptions,
  selfTests: readonly SelfTestResult[],
): Capabilities {
  const { service, runner } = versions;
  const defaults = resolveLimits(DEFAULT_LIMITS, maxima).limits;
  const probes = walls.map(({ probe, test }) => ({ ...probe, test: test() }));
  const { cgroup } = walls[0].probe;
  return { service, runner, walls: probes, cgroup, slots, defaults, maxima, selfTests };
}
