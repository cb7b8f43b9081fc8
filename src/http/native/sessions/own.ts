/** The session that a request is about, its tenant's own; what the log is told of it. */
import type { Session } from '../../../sessions/session.ts';
import type { AppContext, HTTPDeps } from '../../app-env.ts';
import { callerIn } from '../../middleware/caller/caller.ts';

/** Throws Rejection `no_such_session`. */
export function own(c: AppContext, { sessions }: HTTPDeps): Session {
  const session = sessions.get(callerIn(c).tenant, c.req.param('id') ?? '');
  logSession(c, session);
  return session;
}

export function logSession(c: AppContext, { id, spec }: Session): void {
  Object.assign(c.get('logFields'), { session: id, language: spec.language });
}
