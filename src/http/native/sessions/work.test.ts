/** Steps of a session against a service that says what it is told to: what is refused, and what is said of the folder. */
import { describe, expect, it } from 'vitest';

import type { RunReport } from '../../../domain/report.ts';
import { createFakeClock } from '../../../lib/fake-clock.ts';
import type { Session } from '../../../sessions/session.ts';
import { Sessions } from '../../../sessions/sessions.ts';
import {
  aRunReport,
  anOutcome,
  createScriptedService,
} from '../../test-support/scripted-service.ts';
import { ExecRequest, SessionRequest } from '../schema/session.ts';
import { replay } from './replay.ts';
import { toSessionSpec } from './to-spec.ts';
import { exec, withFiles } from './work.ts';

const MIB = 1024 * 1024;
const context = { signal: new AbortController().signal, deadlineMs: null };

function open(run: () => Promise<RunReport> = async () => aRunReport({})) {
  const clock = createFakeClock();
  const bounds = { sessions: 9, sessionsOfTenant: 9, snapshotsOfTenant: 9, bytes: 64 * MIB };
  const lives = { bytesOfTenant: 64 * MIB, idleMs: 600_000, lifeMs: 3_600_000 };
  const sessions = new Sessions({ ...bounds, ...lives }, clock);
  const service = createScriptedService({ run });
  const deps = { service, sessions, clock };
  const specOf = (request: object, from: Session | null = null) => {
    const base = from === null ? null : sessions.snapshots.take(from, {});
    const wire = SessionRequest.parse({ language: 'python', ...request });
    return toSessionSpec(wire, { service, bounds: sessions.bounds, base });
  };
  const create = (request: object = {}) =>
    sessions.create('a', specOf(request), { base: null, tree: sessions.empty });
  const sh = async (session: Session, request: object = {}) =>
    await exec(session, ExecRequest.parse({ command: 'true', ...request }), { deps, context });
  return { sessions, deps, specOf, create, sh };
}

const many = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`V${from + at}`, 'x']));

const wrong = {
  context: expect.objectContaining({ errors: [expect.objectContaining({ path: 'env' })] }),
};

describe('the environment of a session', () => {
  it('is bounded in bytes when the session is made', () => {
    const { specOf } = open();
    const env = { LONG: 'x'.repeat(200 * 1024) };
    expect(() => specOf({ env })).toThrow(expect.objectContaining(wrong));
  });

  it("is bounded with its snapshot's, and with an exec's", async () => {
    const { create, specOf, sh } = open();
    const session = create({ env: many(40) });
    expect(() => specOf({ env: many(40, 40) }, session)).toThrow(expect.objectContaining(wrong));
    expect(Object.keys(specOf({ env: many(40, 20) }, session).env)).toHaveLength(60);
    await expect(sh(session, { env: many(40, 40) })).rejects.toMatchObject(wrong);
  });
});

describe('an exec that brought no folder back', () => {
  const memory = anOutcome({ kind: 'memory_limit', limit: 'memory' });
  const unstarted = anOutcome({ kind: 'exited', exitCode: 127 });
  const compiled = (outcome: typeof memory) => ({
    compile: { ok: false, cached: false, warm: false, outcome },
    outcome: { ...outcome, kind: 'compile_error' as const },
  });
  it.each([
    ['its jail ended by its memory', { outcome: memory }, 'jail_ended'],
    ['its compiler ended the jail so', compiled(memory), 'jail_ended'],
    ['it did not start', { outcome: unstarted }, 'not_started'],
    ['its compiler did not start', compiled(unstarted), 'not_started'],
  ])('says why: %s', async (_, report, reason) => {
    const { create, sh } = open(async () => aRunReport(report));
    const { answer } = await sh(create());
    expect(answer).toMatchObject({ kept: false, not_kept: reason, fault: null });
  });
});

describe('a replay', () => {
  it('has the old session in use, so that it neither goes idle nor changes', async () => {
    const seen: boolean[] = [];
    const { create, sh, deps } = open(async () => {
      seen.push(session.isBusy);
      return aRunReport({});
    });
    const session = create();
    await sh(session);
    await replay(session, { deps, context });
    expect(seen).toEqual([true, true]);
    expect(session.isBusy).toBe(false);
    session.isBusy = true;
    await expect(replay(session, { deps, context })).rejects.toMatchObject({
      code: 'session_busy',
    });
  });
});

describe('files put into a folder', () => {
  it('let others have their turn, however many they are', async () => {
    const { create, deps } = open();
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const files = Array.from({ length: 200 }, (_, at) => ({
      path: `f${at}`,
      content: new Uint8Array(60_000).fill(at),
    }));
    const { tree } = await withFiles(create(), files, { clock: deps.clock });
    isDone = true;
    expect(tree.size).toBe(200);
    expect(turns).toBeGreaterThan(5);
  });

  it('are refused by their names in the request', async () => {
    const { create, deps } = open();
    const session = create();
    const { tree } = await withFiles(session, [{ path: 'd/f', content: new Uint8Array(1) }], {
      clock: deps.clock,
    });
    const again = withFiles(
      { tree, spec: session.spec },
      [{ path: 'd', content: new Uint8Array(1) }],
      { clock: deps.clock, at: (path) => ['files', path] },
    );
    await expect(again).rejects.toMatchObject({
      context: { errors: [{ path: 'files.d', message: 'it is a folder' }] },
    });
  });
});
