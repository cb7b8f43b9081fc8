/** From sessions and snapshots to the native wire. Pure but for the clock. */
import type { Session, Snapshot } from '../../../sessions/session.ts';
import type { Step } from '../../../sessions/step-log.ts';
import type { WorkTree } from '../../../sessions/work-tree.ts';
import { thousandths } from '../../../lib/round.ts';
import type { HTTPDeps } from '../../app-env.ts';
import type { SessionWire, SnapshotWire } from '../schema/session.ts';
import { limitsToWire } from '../to-wire.ts';
import { limitsOf } from './to-spec.ts';

const S = 1000;

export function sessionToWire(
  session: Session,
  { service, sessions, clock }: Pick<HTTPDeps, 'service' | 'sessions' | 'clock'>,
): SessionWire {
  const { id, spec, tree, base, seq, execs, cpuMs, createdAt, isBusy } = session;
  const expires = clock.date().getTime() + sessions.restMs(session);
  return {
    id,
    state: isBusy ? 'running' : 'ready',
    ...{ language: spec.language, environment: spec.environment, wall: spec.wall },
    labels: { ...spec.labels },
    limits: limitsToWire(limitsOf(spec.limits, service.maxima)),
    files_max: spec.entriesMax,
    files: tree.size,
    disk_bytes: tree.diskBytes,
    tree: tree.digest,
    snapshot: base?.id ?? null,
    ...{ seq, execs, cpu_ms: thousandths(cpuMs) },
    created: new Date(createdAt).toISOString(),
    expires: new Date(expires).toISOString(),
    ...{ idle_timeout_s: spec.idleMs / S, ttl_s: spec.lifeMs / S },
  };
}

export function snapshotToWire(snapshot: Snapshot): SnapshotWire {
  const { added, changed, removed } = snapshot.diff;
  return {
    ...snapshotToListWire(snapshot),
    diff: { added: [...added], changed: [...changed], removed: [...removed] },
  };
}

/** Without what is as long as the work folder. */
export function snapshotToListWire(snapshot: Snapshot): Omit<SnapshotWire, 'diff'> {
  const { id, parent, tree, newBytes, labels, createdAt } = snapshot;
  return {
    ...{ id, parent, tree: tree.digest, files: tree.size, disk_bytes: tree.diskBytes },
    new_bytes: newBytes,
    labels: { ...labels },
    created: new Date(createdAt).toISOString(),
    process_state: 'not_captured',
  };
}

export function treeToWire(tree: WorkTree) {
  const entries = tree.paths().flatMap((path) => {
    const node = tree.nodes.get(path);
    if (node === undefined) return [];
    const isFile = node.kind === 'file';
    return [
      {
        path,
        kind: node.kind,
        mode: node.kind === 'link' ? null : modeToWire(node.mode),
        bytes: isFile ? node.bytes : null,
        digest: isFile ? `sha256:${node.digest}` : null,
        target: node.kind === 'link' ? node.target : null,
      },
    ];
  });
  return { tree: tree.digest, entries };
}

export function modeToWire(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

export function stepToWire({ seq, what, digest }: Step) {
  return {
    seq,
    kind: what.kind,
    tree: digest,
    path: 'path' in what ? what.path : null,
    snapshot: what.kind === 'restore' ? what.snapshot : null,
    request: what.kind === 'exec' ? what.request : null,
  };
}
