/** Batches: order, bad lines, pacing, and callers who leave. */
import { describe, expect, it } from 'vitest';

import type { JudgeSubmission } from '../../domain/submission.ts';
import { createFakeClock } from '../../lib/fake-clock.ts';
import { DEFAULT_HTTP_CONFIG } from '../config.ts';
import {
  aFault,
  aJudgeBody,
  aJudgeReport,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../test-support/scripted-service.ts';
import { settle } from '../test-support/settle.ts';

type Wire = Record<string, unknown>;

const NDJSON = 'application/x-ndjson';
const line = (parts: object = {}): string => JSON.stringify(aJudgeBody(parts));

async function batch(
  body: string,
  options: Parameters<typeof createTestApp>[0] = {},
): Promise<Wire[]> {
  const { app } = createTestApp(options);
  const response = await app.request('/v1/judge/batch', post(body, NDJSON));
  expect(response.headers.get('content-type')).toBe(NDJSON);
  const text = await response.text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((each) => JSON.parse(each) as Wire);
}

/** A service whose judgements end when told, by submission id. */
function gated() {
  const waiting = new Map<string, () => void>();
  const signals: AbortSignal[] = [];
  const script: Script = {
    judge: (submission, { signal }) =>
      new Promise((resolve, reject) => {
        signals.push(signal);
        signal.addEventListener('abort', () => reject(rejection('caller_gone')));
        waiting.set(submission.id, () => resolve(aJudgeReport({ id: submission.id })));
      }),
  };
  return { script, waiting, signals, finish: (id: string) => waiting.get(id)?.() };
}

/** A body of `total` lines with ids 0 …, and how many were read. */
function countedBody(total: number) {
  const state = { read: 0 };
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.read >= total) return controller.close();
        controller.enqueue(encoder.encode(`${line({ id: String(state.read) })}\n`));
        state.read += 1;
      },
    },
    { highWaterMark: 0 },
  );
  const init = {
    method: 'POST',
    headers: { 'content-type': NDJSON },
    body: stream,
    duplex: 'half',
  } as RequestInit;
  return { state, init };
}

describe('a batch', () => {
  it('answers each line by its number and id, and the summary last', async () => {
    const lines = await batch(`${line({ id: 'a' })}\n\n${line()}\n`);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({ line: 1, id: 'a', verdict: 'accepted' });
    expect(lines[1]).toMatchObject({ line: 3, id: expect.stringMatching(/^jdg_/) as unknown });
    expect(lines[2]).toEqual({ summary: { lines: 2, judged: 2, rejected: 0, faults: 0 } });
  });

  it('answers an empty body with the summary', async () => {
    expect(await batch('')).toEqual([{ summary: { lines: 0, judged: 0, rejected: 0, faults: 0 } }]);
  });

  it('lets a bad line hurt no other', async () => {
    const config = { bodyMaxBytes: 1000 };
    const bad = [
      '{"id":"x", nonsense',
      '[]',
      line({ id: 'bad', code: 1 }),
      line({ code: 'x'.repeat(2000) }),
      line({ language: 'klingon' }),
    ];
    const lines = await batch([line(), ...bad, line({ id: 'last' })].join('\n'), { config });
    const errors = new Map(
      lines.flatMap((each) => (each['error'] === undefined ? [] : [[each['line'], each]])),
    );
    expect([...errors.keys()].toSorted((a, b) => Number(a) - Number(b))).toEqual([2, 3, 4, 5, 6]);
    expect(errors.get(2)).toMatchObject({
      id: null,
      error: { code: 'malformed_json', status: 400 },
    });
    expect(errors.get(4)).toMatchObject({
      id: 'bad',
      error: { code: 'invalid', errors: [{ path: 'code' }] },
    });
    expect(errors.get(5)).toMatchObject({ error: { code: 'too_large' } });
    expect(errors.get(6)).toMatchObject({ error: { code: 'unknown_language' } });
    expect(lines.find((each) => each['id'] === 'last')).toMatchObject({
      line: 7,
      verdict: 'accepted',
    });
    expect(lines.at(-1)).toEqual({ summary: { lines: 7, judged: 2, rejected: 5, faults: 0 } });
  });

  it('answers a line that is not UTF-8', async () => {
    const { app } = createTestApp();
    const body = Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(line())]);
    const text = await (await app.request('/v1/judge/batch', post(body, NDJSON))).text();
    expect(text).toContain('malformed_json');
    expect(text).toContain('"judged":1,"rejected":1');
  });

  it('counts faults, and hides what broke', async () => {
    let calls = 0;
    const script: Script = {
      async judge() {
        calls += 1;
        if (calls === 1) throw new Error('/secret/path');
        return aJudgeReport({ verdict: 'fault', reward: null, fault: aFault });
      },
    };
    const lines = await batch(`${line()}\n${line()}`, { script });
    expect(lines[0]).toMatchObject({ error: { code: 'fault', status: 500 } });
    expect(JSON.stringify(lines)).not.toContain('secret');
    expect(lines.at(-1)).toEqual({ summary: { lines: 2, judged: 1, rejected: 1, faults: 1 } });
  });

  it('honours the detail of each line', async () => {
    const lines = await batch(
      `${line({ detail: 'summary', id: 'a' })}\n${line({ detail: 'full', id: 'b' })}`,
    );
    expect(lines.find((each) => each['id'] === 'a')?.['cases']).toEqual([]);
    expect(lines.find((each) => each['id'] === 'b')?.['cases']).toHaveLength(1);
  });

  it('refuses JSON that is not lines', async () => {
    const { app } = createTestApp();
    expect((await app.request('/v1/judge/batch', post(line()))).status).toBe(415);
  });

  it('hands out reports as they finish, and reads only as fast as it judges', async () => {
    const { script, waiting, finish } = gated();
    const { app } = createTestApp({
      script,
      config: { batch: { ...DEFAULT_HTTP_CONFIG.batch, inFlightMax: 3 } },
    });
    const { state, init } = countedBody(10);
    const response = await app.request('/v1/judge/batch', init);
    const reader = (response.body ?? new ReadableStream())
      .pipeThrough(new TextDecoderStream())
      .getReader();
    const first = reader.read();
    await settle();
    expect([...waiting.keys()]).toEqual(['0', '1', '2']);
    expect(state.read).toBe(3);
    finish('1');
    expect(JSON.parse((await first).value ?? '')).toMatchObject({ line: 2, id: '1' });
    void reader.read();
    await settle();
    expect(state.read).toBe(4);
    await reader.cancel();
  });

  it('bounds the bytes in flight, and still takes one line that is longer', async () => {
    const { script, waiting } = gated();
    const { app } = createTestApp({
      script,
      config: { batch: { ...DEFAULT_HTTP_CONFIG.batch, inFlightMaxBytes: 1 } },
    });
    const { init } = countedBody(10);
    const response = await app.request('/v1/judge/batch', init);
    const reader = response.body?.getReader();
    void reader?.read();
    await settle();
    expect(waiting.size).toBe(1);
    await reader?.cancel();
  });

  it('cancels what runs and reads no more when the caller leaves', async () => {
    const { script, signals } = gated();
    const { app, lines } = createTestApp({
      script,
      config: { batch: { ...DEFAULT_HTTP_CONFIG.batch, inFlightMax: 2 } },
    });
    const { state, init } = countedBody(10);
    const response = await app.request('/v1/judge/batch', init);
    const reader = response.body?.getReader();
    const pending = reader?.read();
    await settle();
    await reader?.cancel();
    await pending;
    await settle();
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
    expect(state.read).toBe(2);
    expect(lines.at(-1)?.fields).toMatchObject({ route: '/v1/judge/batch', whole: false });
  });

  it('ends without a summary when the body breaks off', async () => {
    const { app } = createTestApp();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`${line()}\n`));
      },
      pull(controller) {
        controller.error(new Error('reset'));
      },
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': NDJSON },
      body,
      duplex: 'half',
    } as RequestInit;
    const response = await app.request('/v1/judge/batch', init);
    await expect(response.text()).rejects.toThrow();
  });

  it('judges on while its reports are not taken, up to a bound, then cuts a caller who takes none', async () => {
    const clock = createFakeClock();
    const judged: JudgeSubmission[] = [];
    const script: Script = {
      async judge(submission) {
        judged.push(submission);
        return aJudgeReport({ id: submission.id });
      },
    };
    const config = { batch: { ...DEFAULT_HTTP_CONFIG.batch, unsentMaxBytes: 5000, stallMs: 1000 } };
    const { app, lines } = createTestApp({ script, clock, config });
    const { init } = countedBody(1000);
    const response = await app.request('/v1/judge/batch', init);
    const reader = response.body?.getReader();
    await reader?.read();
    await settle();
    await settle();
    expect(judged.length).toBeGreaterThan(2);
    expect(judged.length).toBeLessThan(20);
    clock.advance(1000);
    await expect(reader?.read()).rejects.toThrow('not taken');
    await settle();
    expect(lines.at(-1)?.fields).toMatchObject({ whole: false });
  });

  it('gives up on a line that does not end while nothing is judged, but not on a pause between lines', async () => {
    const clock = createFakeClock();
    const { app } = createTestApp({
      clock,
      config: { arrival: { ...DEFAULT_HTTP_CONFIG.arrival, idleMs: 1000 } },
    });
    let send = (_text: string): void => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    const headers = { 'content-type': NDJSON };
    const init: RequestInit = { method: 'POST', headers, body, duplex: 'half' };
    const response = await app.request('/v1/judge/batch', init);
    const reader = response.body?.getReader();
    send(`${line({ id: 'a' })}\n`);
    await reader?.read();
    for (let i = 0; i < 6; i += 1) clock.advance(500);
    await settle();
    const next = reader?.read();
    send(`${line({ id: 'b' })}\n{"half`);
    expect((await next)?.done).toBe(false);
    const cut = reader?.read();
    cut?.catch(() => {});
    for (let i = 0; i < 4; i += 1) {
      await settle();
      clock.advance(500);
    }
    await expect(cut).rejects.toThrow('no byte of the body came');
  });

  it('refuses a line for which there is no memory, and judges those that follow', async () => {
    const config = { bodiesMaxBytes: 1000 };
    const answers = await batch(`${line({ code: 'x'.repeat(2000) })}\n${line()}\n`, { config });
    expect(answers).toMatchObject([
      { line: 1, error: { code: 'queue_full', status: 503 } },
      { line: 2, verdict: 'accepted' },
      { summary: { lines: 2, judged: 1, rejected: 1 } },
    ]);
  });
});
