/** What is counted against the room for sessions: all that a program or a caller makes long, and nothing once it is gone. */
import { describe, expect, it } from 'vitest';

import { Rejection } from '../domain/errors.ts';
import { createFakeClock } from '../lib/fake-clock.ts';
import { once } from './done-keys.ts';
import { KEYS_MAX, type SessionSpec } from './session.ts';
import { Sessions } from './sessions.ts';
import { LOG_BOUNDS } from './step-log.ts';
import { type TreeNode, WorkTree } from './work-tree.ts';

const KIB = 1024;
const BYTES = 256 * KIB;
const SPEC: SessionSpec = {
  ...{ language: 'x', environment: null, wall: null, env: {}, seed: null, limits: {} },
  ...{ labels: {}, diskBytes: 64 * KIB, entriesMax: 64, idleMs: 10_000, lifeMs: 50_000 },
};
const NOTHING = new Map<string, Uint8Array>();

function open() {
  const bounds = { sessions: 9, sessionsOfTenant: 9, snapshotsOfTenant: 9, bytes: BYTES };
  const lives = { bytesOfTenant: BYTES, idleMs: 10_000, lifeMs: 50_000 };
  const sessions = new Sessions({ ...bounds, ...lives }, createFakeClock());
  const create = (spec: Partial<SessionSpec> = {}) =>
    sessions.create('a', { ...SPEC, ...spec }, { base: null, tree: WorkTree.empty });
  /** What some work adds to what is held, and that all of it is given back at the end. */
  const grownBy = async (work: () => unknown): Promise<number> => {
    const before = sessions.stats().bytes;
    await work();
    return sessions.stats().bytes - before;
  };
  return { sessions, create, grownBy };
}

const treeOf = (...entries: readonly (readonly [string, TreeNode])[]) =>
  new WorkTree(new Map(entries));
const folder = { kind: 'folder', mode: 0o755, mtimeUs: 0 } as const;
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    return error instanceof Rejection ? error.code : String(error);
  }
};

describe('the room for sessions', () => {
  it('counts names and targets, as long as a program makes them', async () => {
    const { sessions, create, grownBy } = open();
    const session = create();
    const tree = treeOf(
      ['n'.repeat(4000), folder],
      ['l', { kind: 'link', target: 't'.repeat(4000), mtimeUs: 0 }],
    );
    expect(await grownBy(() => sessions.commit(session, tree, NOTHING))).toBeGreaterThan(16_000);
    const many = Array.from(
      { length: 40 },
      (_, at) => [`${at}${'n'.repeat(4000)}`, folder] as const,
    );
    expect(sessions.commit(session, treeOf(...many), NOTHING)).toBe(false);
    sessions.destroy(session);
    expect(sessions.stats().bytes).toBe(0);
  });

  it('counts what a session is made as', async () => {
    const { sessions, create, grownBy } = open();
    const env = { LONG: 'x'.repeat(20 * KIB) };
    expect(await grownBy(() => create({ env }))).toBeGreaterThan(40 * KIB);
    for (let made = 1; made < 6; made += 1) create({ env });
    expect(codeOf(() => create({ env }))).toBe('session_store_full');
    sessions.close();
    expect(sessions.stats().bytes).toBe(0);
  });

  it('counts the requests and paths of the log, which is given up where there is no room', async () => {
    const { sessions, create, grownBy } = open();
    const session = create();
    const request = { command: 'x'.repeat(20 * KIB) };
    const exec = () => sessions.note(session, { kind: 'exec', request });
    expect(await grownBy(exec)).toBeGreaterThan(40 * KIB);
    const remove = () => sessions.note(session, { kind: 'delete', path: 'p'.repeat(4000) });
    expect(await grownBy(remove)).toBeGreaterThan(8000);
    for (let at = 0; at < 8; at += 1) exec();
    expect(session.log.isComplete).toBe(false);
    expect(sessions.stats().bytes).toBeLessThan(4 * KIB);
    sessions.destroy(session);
    expect(sessions.stats().bytes).toBe(0);
  });

  it('counts requests in bytes, not in units of UTF-16', () => {
    const bytes = 8 * LOG_BOUNDS.requestBytes;
    const bounds = { sessions: 1, sessionsOfTenant: 1, snapshotsOfTenant: 1, bytes };
    const lives = { bytesOfTenant: bytes, idleMs: 10_000, lifeMs: 50_000 };
    const sessions = new Sessions({ ...bounds, ...lives }, createFakeClock());
    const session = sessions.create('a', SPEC, { base: null, tree: WorkTree.empty });
    const text = '€'.repeat(LOG_BOUNDS.requestBytes / 2);
    sessions.note(session, { kind: 'exec', request: { command: text } });
    expect(session.log.isComplete).toBe(false);
  });

  it('counts keys, takes room for one before its step, and forgets the oldest', async () => {
    const { sessions, create, grownBy } = open();
    const session = create();
    const step = async () => 1;
    const doStep = async (key: string, isDone = true) =>
      await once(session, key, { step, isDone: () => isDone });
    expect(await grownBy(async () => await doStep('k'.repeat(255)))).toBeGreaterThan(510);
    expect(await grownBy(async () => await doStep('undone', false))).toBe(0);
    for (let at = 0; at < KEYS_MAX; at += 1) await doStep(`k${at}`);
    expect(session.doneKeys.size).toBe(KEYS_MAX);
    expect(await grownBy(async () => await doStep('k1000'))).toBeLessThan(64);
    const env = { FILL: 'x'.repeat((BYTES - sessions.stats().bytes) / 2 - KIB) };
    create({ env });
    let steps = 0;
    const refused = once(session, 'k'.repeat(2000), {
      step: async () => (steps += 1),
      isDone: () => true,
    });
    await expect(refused).rejects.toMatchObject({ code: 'session_store_full' });
    expect(steps).toBe(0);
    sessions.close();
    expect(sessions.stats().bytes).toBe(0);
  });

  it('counts the tree of a base that was deleted, and of a snapshot what differs alone', async () => {
    const { sessions, create, grownBy } = open();
    const session = create();
    const tree = treeOf(['n'.repeat(4000), folder]);
    sessions.commit(session, tree, NOTHING);
    const empty = sessions.stats().bytes;
    const snapshot = sessions.snapshots.take(session, {});
    expect(snapshot.diff).toEqual({ added: ['n'.repeat(4000)], changed: [], removed: [] });
    sessions.snapshots.remove(snapshot);
    expect(sessions.stats().bytes - empty).toBe(tree.weight);
    const next = sessions.snapshots.take(session, {});
    expect(next.diff).toEqual({ added: [], changed: [], removed: [] });
    expect(await grownBy(() => sessions.restore(session, next))).toBeGreaterThan(0);
    sessions.destroy(session);
    sessions.snapshots.remove(next);
    expect(sessions.stats().bytes).toBe(0);
  });
});

describe('what is gone', () => {
  it('is no beginning of a session, and nothing to go back to', () => {
    const { sessions, create } = open();
    const session = create();
    const content = new Uint8Array(KIB);
    const file = { kind: 'file', mode: 0o644, mtimeUs: 0, digest: 'd', bytes: KIB } as const;
    sessions.commit(session, treeOf(['f', file]), new Map([['d', content]]));
    const base = sessions.snapshots.take(session, {});
    sessions.commit(session, WorkTree.empty, NOTHING);
    sessions.snapshots.remove(base);
    const begin = () => sessions.create('a', SPEC, { base, tree: base.tree });
    expect(codeOf(begin)).toBe('no_such_snapshot');
    expect(codeOf(() => sessions.restore(session, base))).toBe('no_such_snapshot');
  });

  it('is not used: a session that has ended refuses before any work', async () => {
    const { sessions, create } = open();
    const session = create();
    sessions.destroy(session);
    let isCalled = false;
    const answer = sessions.use(session, async () => (isCalled = true));
    await expect(answer).rejects.toMatchObject({ code: 'no_such_session' });
    expect(isCalled).toBe(false);
    expect(codeOf(() => sessions.snapshots.take(session, {}))).toBe('no_such_session');
    expect(sessions.stats().bytes).toBe(0);
  });
});
