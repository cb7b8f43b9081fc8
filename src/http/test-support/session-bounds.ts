/** How many sessions a scripted service holds: so few that tests meet each bound. */
import type { SessionBounds } from '../../sessions/session.ts';

export const SESSION_BOUNDS: SessionBounds = {
  sessions: 4,
  sessionsOfTenant: 3,
  snapshotsOfTenant: 2,
  bytes: 64 * 1024,
  bytesOfTenant: 48 * 1024,
  idleMs: 60_000,
  lifeMs: 600_000,
};
