/** Puts sessions together: how many there may be, of what size, for how long. */
import type { LoadedConfig } from './config/load.ts';
import type { Clock } from './lib/clock.ts';
import { Sessions } from './sessions/sessions.ts';

const MIB = 1024 * 1024;
const S = 1000;

export function openSessions(config: LoadedConfig['config'], clock: Clock): Sessions {
  const bytes = config.sessionMb * MIB;
  return new Sessions(
    {
      sessions: config.sessions,
      sessionsOfTenant: config.sessionsTenant,
      snapshotsOfTenant: config.sessionsTenant,
      bytes,
      bytesOfTenant: Math.floor((bytes * config.sessionTenantPercent) / 100),
      idleMs: config.sessionIdleS * S,
      lifeMs: config.sessionLifeS * S,
    },
    clock,
  );
}
