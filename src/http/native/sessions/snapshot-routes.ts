/** Snapshots: of a session, of one's own, and what is made of them. */
import { Rejection } from '../../../domain/errors.ts';
import type { Snapshot } from '../../../sessions/session.ts';
import type { AppContext, HTTPDeps } from '../../app-env.ts';
import { callerIn } from '../../middleware/caller/caller.ts';
import { toProblem } from '../../middleware/errors/errors.ts';
import { sendJSON } from '../../send-json.ts';
import { ForkRequest, RestoreRequest, SnapshotRequest } from '../schema/session.ts';
import { invalid, parseWith } from '../validation.ts';
import { own } from './own.ts';
import { requireLabels, jsonOf } from './reading.ts';
import { sessionToWire, snapshotToListWire, snapshotToWire } from './to-wire.ts';

const SESSION = '/v1/sessions/:id';
const SNAPSHOT = '/v1/snapshots/:id';
const SEEDS = 2 ** 32;

/** Path → its methods. */
export const SNAPSHOT_ROUTES = {
  [`${SESSION}/snapshots`]: { POST: postSnapshot },
  [`${SESSION}/restore`]: { POST: postRestore },
  '/v1/snapshots': { GET: listSnapshots },
  [SNAPSHOT]: { GET: getSnapshot, DELETE: deleteSnapshot },
  [`${SNAPSHOT}/fork`]: { POST: postFork },
} as const;

async function postSnapshot(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const session = own(c, deps);
  const { labels } = parseWith(SnapshotRequest, await jsonOf(c, deps));
  requireLabels(labels);
  const snapshot = await deps.sessions.use(session, async () =>
    deps.sessions.snapshots.take(session, labels),
  );
  c.header('Location', `/v1/snapshots/${snapshot.id}`);
  return sendJSON(c, snapshotToWire(snapshot), 201);
}

async function postRestore(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const session = own(c, deps);
  const { sessions } = deps;
  const { snapshot_id: id } = parseWith(RestoreRequest, await jsonOf(c, deps));
  const snapshot = sessions.snapshots.get(session.tenant, id);
  await sessions.use(session, async () => sessions.restore(session, snapshot));
  return sendJSON(c, sessionToWire(session, deps));
}

function listSnapshots(c: AppContext, { sessions }: HTTPDeps): Response {
  const found = sessions.snapshots.list(callerIn(c).tenant);
  return sendJSON(c, { snapshots: found.map(snapshotToListWire) });
}

function getSnapshot(c: AppContext, deps: HTTPDeps): Response {
  return sendJSON(c, snapshotToWire(ownSnapshot(c, deps)));
}

function deleteSnapshot(c: AppContext, deps: HTTPDeps): Response {
  deps.sessions.snapshots.remove(ownSnapshot(c, deps));
  return c.body(null, 204);
}

/** Each fork is told of, also those that could not be made. */
async function postFork(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { sessions, service } = deps;
  service.checkRoom({});
  const snapshot = ownSnapshot(c, deps);
  const { count, seeds, labels } = parseWith(ForkRequest, await jsonOf(c, deps));
  if (labels !== undefined) requireLabels(labels);
  if (seeds !== undefined && seeds.length !== count)
    throw invalid([{ path: 'seeds', message: `has ${seeds.length} of ${count}` }]);
  const first = (snapshot.spec.seed ?? 0) + 1;
  const forks = Array.from({ length: count }, (_, index) => {
    const seed = seeds?.[index] ?? (first + index) % SEEDS;
    const spec = { ...snapshot.spec, seed, labels: labels ?? snapshot.spec.labels };
    try {
      const session = sessions.create(snapshot.tenant, spec, {
        base: snapshot,
        tree: snapshot.tree,
      });
      return { session: sessionToWire(session, deps), error: null };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      return { session: null, error: toProblem(error) };
    }
  });
  return sendJSON(c, { forks });
}

function ownSnapshot(c: AppContext, { sessions }: HTTPDeps): Snapshot {
  return sessions.snapshots.get(callerIn(c).tenant, c.req.param('id') ?? '');
}
