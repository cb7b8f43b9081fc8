/** For tests: callers of a directory in memory, with the real parts behind them. */
import { MemoryLimiter } from '../../admission/limits/memory-limiter.ts';
import { Turnstile } from '../../admission/limits/turnstile.ts';
import { TenantDirectory } from '../../admission/tenants/directory.ts';
import { createKey } from '../../admission/tenants/key.ts';
import { EMPTY, type Directory, type Policy } from '../../admission/tenants/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import { createLeaseId } from '../../lib/lease-id.ts';
import type { Service } from '../door.ts';
import { TenantCallers, type AnonymousRule } from './callers.ts';

interface TestCallersOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly directory?: Directory;
  readonly anonymous?: AnonymousRule;
}

export function createTestCallers(options: TestCallersOptions): TenantCallers {
  const { service, clock, directory = EMPTY, anonymous = 'auto' } = options;
  const text = JSON.stringify(directory);
  const document = { place: 'memory', read: async () => text, replace: async () => false };
  const turnstile = new Turnstile({
    limiter: new MemoryLimiter(clock),
    clock,
    lengthMax: 100,
    bytesMax: 1024 * 1024,
    tenantShare: 1,
    createLease: createLeaseId,
  });
  return new TenantCallers({
    service,
    directory: new TenantDirectory({ document, clock, onTrouble: () => undefined }),
    turnstile,
    clock,
    anonymous,
    limits: () => ({ store: 'memory', degraded: false }),
  });
}

/** A directory of one tenant, and its key. */
export function aTenant(policy: Policy = {}, id = 'team-a') {
  const { key, id: keyId, sha256 } = createKey();
  const keys = [{ id: keyId, sha256, created: '2026-01-01T00:00:00Z' }];
  const directory: Directory = { version: 1, tenants: [{ id, policy, keys }] };
  return { directory, key };
}
