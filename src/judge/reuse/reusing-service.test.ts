/** The door with a memory over a service that counts: whose report is whose, and what is told to whom. */
import { describe, expect, it } from 'vitest';

import { DEFAULT_MAXIMA } from '../../domain/limits.ts';
import type { JudgeReport } from '../../domain/report.ts';
import { parseJudgeRequest, toJudgeSubmission } from '../../http/native/to-judge-submission.ts';
import {
  aCase,
  aFault,
  aJudgeBody,
  aJudgeReport,
  anOutcome,
  createScriptedService,
} from '../../http/test-support/scripted-service.ts';
import { createFakeClock } from '../../lib/fake-clock.ts';
import { MemoryKept } from '../../lib/kept.ts';
import type { CallContext } from '../door.ts';
import { ReusingService } from './reusing-service.ts';

const never = new AbortController().signal;
const PLAIN: CallContext = { signal: never, deadlineMs: null };
const turn = async (): Promise<void> => await new Promise(setImmediate);

function aSubmission(id: string) {
  return toJudgeSubmission(parseJudgeRequest(aJudgeBody({ id, labels: { id } })), {
    maxima: DEFAULT_MAXIMA,
    id,
  });
}

/** The service, and its calls in order: each ends when told. */
function aService(isDefault = true) {
  const calls: (PromiseWithResolvers<JudgeReport> & { context: CallContext; id: string })[] = [];
  const inner = createScriptedService({
    judge: async ({ id }, context) => {
      const call = Promise.withResolvers<JudgeReport>();
      calls.push({ ...call, context, id });
      return await call.promise;
    },
  });
  const clock = createFakeClock();
  const kept = new MemoryKept({ bytesMax: 1e6, ttlMs: 1000, clock });
  const told: string[] = [];
  const onReport = ({ id }: { readonly id: string }): void => void told.push(id);
  const options = { isDefault, kept, clock, versions: {}, onReport };
  const service = new ReusingService(inner, options);
  const judge = async (id: string, context: Partial<CallContext> = {}) =>
    await service.judge(aSubmission(id), { ...PLAIN, ...context });
  return { calls, judge, clock, told, service };
}

const TIMED_OUT = aJudgeReport({
  verdict: 'time_limit',
  cases: [
    aCase({ verdict: 'time_limit', outcome: anOutcome({ kind: 'time_limit', limit: 'cpu' }) }),
  ],
});

describe('ReusingService', () => {
  it('gives equal submissions under way one report, each with its own id and labels', async () => {
    const { calls, judge, told, service } = aService();
    const both = Promise.all([judge('a'), judge('b')]);
    await turn();
    expect(calls).toHaveLength(1);
    calls[0]?.resolve(aJudgeReport({ id: 'a', labels: { id: 'a' } }));
    const [a, b] = await both;
    expect([a.id, b.id, b.labels]).toEqual(['a', 'b', { id: 'b' }]);
    expect([a, b].map(({ provenance }) => provenance.reused)).toEqual([null, 'in_flight']);
    const later = await judge('c');
    expect(later).toEqual({
      ...aJudgeReport({ id: 'c', labels: { id: 'c' } }),
      provenance: { ...aJudgeReport().provenance, reused: 'kept' },
    });
    expect(told).toEqual(['b', 'c']);
    expect(service.stats().reuse).toMatchObject({ kept: 1, inFlight: 1, misses: 1, entries: 1 });
  });

  it('runs each anew after its time, for another tenant, where it is told to, and for itself', async () => {
    const { calls, judge, clock } = aService();
    const first = judge('a');
    await turn();
    calls[0]?.resolve(aJudgeReport());
    await first;
    void judge('b', { payer: { tenant: 'other', weight: 1 } });
    void judge('c', { reuse: false });
    void judge('d', { isOwn: true });
    void judge('e', { compilesAnew: true });
    clock.advance(1001);
    void judge('f');
    await turn();
    expect(calls.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('shares nothing that was not asked for, unless the operator says so', async () => {
    const { calls, judge } = aService(false);
    void judge('a');
    void judge('b');
    void judge('c', { reuse: true });
    void judge('d', { reuse: true });
    await turn();
    expect(calls.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['a limit', TIMED_OUT],
    ['a fault', aJudgeReport({ verdict: 'fault', reward: null, fault: aFault })],
  ])('has everybody judged where %s had a hand in it', async (_, report) => {
    const { calls, judge } = aService();
    const all = Promise.all(['a', 'b', 'c'].map(async (id) => await judge(id)));
    await turn();
    calls[0]?.resolve(report);
    await turn();
    await turn();
    expect(calls).toHaveLength(3);
    for (const call of calls) call.resolve(report);
    expect((await all).map(({ provenance }) => provenance.reused)).toEqual([null, null, null]);
  });

  it('tells those who wait when the run that they wait for has a slot, once', async () => {
    const { calls, judge } = aService();
    const started: string[] = [];
    const onStart = (id: string) => ({ onStart: () => void started.push(id) });
    const both = Promise.all([judge('a', onStart('a')), judge('b', onStart('b'))]);
    await turn();
    expect(started).toEqual([]);
    calls[0]?.context.onStart?.();
    await turn();
    expect(started.toSorted()).toEqual(['a', 'b']);
    calls[0]?.resolve(aJudgeReport());
    await both;
    expect(started).toHaveLength(2);
    await judge('c', onStart('c'));
    expect(started).toHaveLength(3);
  });

  it('ends the wait of one whose caller has gone or whose deadline has passed, and of no other', async () => {
    const { calls, judge, clock } = aService();
    const leaving = new AbortController();
    const first = judge('a');
    const gone = judge('b', { signal: leaving.signal });
    const late = judge('c', { deadlineMs: 50 });
    await turn();
    leaving.abort();
    await expect(gone).rejects.toMatchObject({ code: 'caller_gone' });
    clock.advance(50);
    await expect(late).rejects.toMatchObject({ code: 'deadline' });
    calls[0]?.resolve(aJudgeReport());
    expect((await first).reward).toBe(1);
  });
});
