/** Who has which session for how long, and that nothing is held by what has ended. */
import { describe, expect, it } from 'vitest';

import { Rejection } from '../domain/errors.ts';
import { createFakeClock } from '../lib/fake-clock.ts';
import type { SessionSpec } from './session.ts';
import { Sessions } from './sessions.ts';
import { WorkTree } from './work-tree.ts';

const KIB = 1024;
const BOUNDS = {
  sessions: 3,
  sessionsOfTenant: 2,
  snapshotsOfTenant: 1,
  bytes: 64 * KIB,
  bytesOfTenant: 32 * KIB,
  idleMs: 60_000,
  lifeMs: 100_000,
};
const SPEC: SessionSpec = {
  ...{ language: 'x', environment: null, wall: null, env: {}, seed: null, limits: {} },
  labels: { step: '1' },
  ...{ diskBytes: 64 * KIB, entriesMax: 8, idleMs: 10_000, lifeMs: 50_000 },
};

function open() {
  const clock = createFakeClock();
  const sessions = new Sessions(BOUNDS, clock);
  const create = (tenant = 'a', spec: Partial<SessionSpec> = {}) =>
    sessions.create(tenant, { ...SPEC, ...spec }, { base: null, tree: WorkTree.empty });
  return { clock, sessions, create };
}

/** A tree with one file of so many bytes, and its content. */
function grown(bytes: number, digest = 'd1') {
  const node = { kind: 'file', mode: 0o644, mtimeUs: 0, digest, bytes } as const;
  const contents = new Map([[digest, new Uint8Array(bytes)]]);
  return { tree: new WorkTree(new Map([['f', node]])), contents };
}

const codeOf = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Rejection ? error.code : 'other';
  }
};

describe('sessions', () => {
  it('ends what is idle or has lived, and nothing of it is held', () => {
    const { clock, sessions, create } = open();
    const idle = create();
    const used = create();
    sessions.commit(idle, grown(8 * KIB).tree, grown(8 * KIB).contents);
    for (let at = 0; at < 5; at += 1) {
      clock.advance(9000);
      sessions.touch(sessions.get('a', used.id));
    }
    expect(codeOf(() => sessions.get('a', idle.id))).toBe('no_such_session');
    clock.advance(6000);
    expect(codeOf(() => sessions.get('a', used.id))).toBe('no_such_session');
    const { sessions: left, bytes, ended } = sessions.stats();
    expect({ left, bytes, ended }).toEqual({
      left: 0,
      bytes: 0,
      ended: { destroyed: 0, idle: 1, lifetime: 1, closed: 0 },
    });
  });

  it('is idle only when nothing is under way, and does one thing at a time', async () => {
    const { clock, sessions, create } = open();
    const session = create();
    const work = Promise.withResolvers<string>();
    const answer = sessions.use(session, async () => await work.promise);
    await expect(sessions.use(session, async () => 1)).rejects.toMatchObject({
      code: 'session_busy',
    });
    clock.advance(30_000);
    expect(sessions.get('a', session.id).isBusy).toBe(true);
    work.resolve('done');
    expect(await answer).toBe('done');
    clock.advance(10_001);
    expect(codeOf(() => sessions.get('a', session.id))).toBe('no_such_session');
  });

  it('tells what is under way that its session has ended, and keeps nothing of it', async () => {
    const { sessions, create } = open();
    const session = create();
    const answer = sessions.use(session, async () => {
      sessions.destroy(session);
      const { tree, contents } = grown(KIB);
      return sessions.commit(session, tree, contents);
    });
    await expect(answer).rejects.toMatchObject({ code: 'no_such_session' });
    expect(sessions.stats().bytes).toBe(0);
  });

  it('is not there for other tenants', () => {
    const { sessions, create } = open();
    const session = create('a');
    const snapshot = sessions.snapshots.take(session, {});
    expect(codeOf(() => sessions.get('b', session.id))).toBe('no_such_session');
    expect(codeOf(() => sessions.snapshots.get('b', snapshot.id))).toBe('no_such_snapshot');
    expect(sessions.list('b', new Map())).toEqual([]);
    expect(sessions.list('a', new Map([['step', '2']]))).toEqual([]);
    expect(sessions.list('a', new Map([['step', '1']]))).toEqual([session]);
  });

  it('bounds sessions of a tenant and in all, and snapshots', () => {
    const { sessions, create } = open();
    const session = create('a');
    create('a');
    expect(codeOf(() => create('a'))).toBe('sessions_full');
    create('b');
    expect(codeOf(() => create('b'))).toBe('sessions_full');
    sessions.destroy(session);
    create('b');
    const [of] = sessions.list('b', new Map());
    if (of === undefined) throw new Error('no session');
    sessions.snapshots.take(of, {});
    expect(codeOf(() => sessions.snapshots.take(of, {}))).toBe('sessions_full');
  });

  it('bounds what a tenant holds, each content once, and leaves what was there', () => {
    const { sessions, create } = open();
    const [one, two] = [create('a'), create('a')];
    const { tree, contents } = grown(20 * KIB);
    expect(sessions.commit(one, tree, contents)).toBe(true);
    expect(sessions.commit(two, tree, contents)).toBe(true);
    const other = grown(20 * KIB, 'd2');
    expect(sessions.commit(two, other.tree, other.contents)).toBe(false);
    expect(two.tree).toBe(tree);
    const snapshot = sessions.snapshots.take(one, {});
    sessions.destroy(one);
    sessions.destroy(two);
    expect(sessions.stats().bytes).toBeGreaterThan(20 * KIB);
    sessions.snapshots.remove(snapshot);
    expect(sessions.stats().bytes).toBe(0);
  });

  it('restores a snapshot, which outlives its session and its parent', () => {
    const { sessions, create } = open();
    const session = create('a');
    const { tree, contents } = grown(KIB);
    sessions.commit(session, tree, contents);
    const snapshot = sessions.snapshots.take(session, {});
    sessions.commit(session, WorkTree.empty, new Map());
    sessions.restore(session, snapshot);
    expect(session.tree.digest).toBe(tree.digest);
    expect(session.store.content('d1')).toHaveLength(KIB);
    sessions.snapshots.remove(snapshot);
    expect(session.store.content('d1')).toHaveLength(KIB);
    sessions.close();
    expect(sessions.stats()).toMatchObject({ sessions: 0, snapshots: 0, bytes: 0 });
    expect(codeOf(() => create('a'))).toBe('draining');
  });
});
