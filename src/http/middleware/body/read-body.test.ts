/** Limits of bodies that cannot be lied to, silence, and encodings. */
import { describe, expect, it } from 'vitest';

import { createFakeClock } from '../../../lib/fake-clock.ts';
import type { ArrivalLimits } from './arrival.ts';
import { createTestApp, post } from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';

const code = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { code: unknown }).code;

function stream(
  chunks: readonly string[],
  end: 'close' | 'stay' | 'break' = 'close',
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      if (end === 'close') controller.close();
      if (end === 'break') controller.error(new Error('reset'));
    },
  });
}

const streamed = (body: ReadableStream<Uint8Array>): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
  duplex: 'half',
});

describe('the limit of a body', () => {
  const body = JSON.stringify({ language: 'python', code: '1' });

  it('takes a body of exactly the limit and refuses one byte more', async () => {
    const { app } = createTestApp({ config: { bodyMaxBytes: body.length } });
    expect((await app.request('/v1/run', post(body))).status).toBe(200);
    expect((await app.request('/v1/run', post(`${body} `))).status).toBe(413);
  });

  it('counts the bytes of a body without Content-Length', async () => {
    const { app } = createTestApp({ config: { bodyMaxBytes: body.length } });
    expect((await app.request('/v1/run', streamed(stream([body])))).status).toBe(200);
    expect((await app.request('/v1/run', streamed(stream([body, ' '])))).status).toBe(413);
  });

  it('counts the bytes of a body whose Content-Length lies', async () => {
    const { app } = createTestApp({ config: { bodyMaxBytes: 20 } });
    const init = {
      ...post(body),
      headers: { 'content-type': 'application/json', 'content-length': '3' },
    };
    expect((await app.request('/v1/run', init)).status).toBe(413);
  });

  it('refuses an announced length before a byte is read', async () => {
    const { app } = createTestApp({ config: { bodyMaxBytes: 20 } });
    const init = {
      ...streamed(stream([], 'stay')),
      headers: { 'content-type': 'application/json', 'content-length': '21' },
    };
    const response = await app.request('/v1/run', init);
    expect(await code(response)).toBe('too_large');
  });

  it('joins characters that are split between chunks', async () => {
    const { app } = createTestApp();
    const whole = new TextEncoder().encode('{"language":"python","code":"é"}');
    const split = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of whole) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect((await app.request('/v1/run', streamed(split))).status).toBe(200);
  });

  it('holds all bodies together below a maximum, and gives back what it held', async () => {
    let release = (): void => {};
    const started = Promise.withResolvers<void>();
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow = createTestApp({
      config: { bodiesMaxBytes: body.length },
      script: {
        async run() {
          started.resolve();
          await gate;
          throw new Error('over');
        },
      },
    });
    const first = slow.app.request('/v1/run', post(body));
    await started.promise;
    const second = await slow.app.request('/v1/run', post(body));
    expect(second.status).toBe(503);
    expect(second.headers.get('retry-after')).toBe('1');
    release();
    await first;
    expect((await slow.app.request('/v1/run', post(body))).status).toBe(500);
  });
});

/** No limit that a test does not set. */
const NEVER: ArrivalLimits = { idleMs: 1e9, totalMs: 1e9, minBytesPerS: 0, graceMs: 0 };

describe('a body that does not come', () => {
  it('is given up after a time of silence', async () => {
    const clock = createFakeClock();
    const { app } = createTestApp({ clock, config: { arrival: { ...NEVER, idleMs: 1000 } } });
    const response = app.request('/v1/run', streamed(stream(['{"language":'], 'stay')));
    await settle();
    clock.advance(1000);
    expect((await response).status).toBe(408);
  });

  it('is given up after a time in all, however steadily it trickles', async () => {
    const clock = createFakeClock();
    const { app } = createTestApp({
      clock,
      config: { arrival: { ...NEVER, idleMs: 1000, totalMs: 5000 } },
    });
    let send = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = () => controller.enqueue(Uint8Array.of(0x20));
      },
    });
    const response = app.request('/v1/run', streamed(body));
    for (let i = 0; i < 10; i += 1) {
      send();
      await settle();
      clock.advance(500);
    }
    const answer = await response;
    expect(answer.status).toBe(408);
    expect(await answer.text()).toContain('not whole after 5000 ms');
  });

  it.each([
    [99, 408],
    [100, 200],
  ])('at %i bytes a second, where 100 are asked for, is answered %i', async (speed, status) => {
    const clock = createFakeClock();
    const arrival = { ...NEVER, minBytesPerS: 100, graceMs: 3000 };
    const { app } = createTestApp({ clock, config: { arrival } });
    const text = JSON.stringify({ language: 'python', code: 'x'.repeat(2000) });
    let sent = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        // Nearly a second goes by between pieces; nothing is asked for before the last one was read.
        async pull(controller) {
          clock.advance(sent === 0 || sent >= text.length ? 0 : 999);
          await settle();
          if (sent >= text.length) return controller.close();
          controller.enqueue(Buffer.from(text.slice(sent, sent + speed)));
          sent += speed;
        },
      },
      { highWaterMark: 0 },
    );
    const response = app.request('/v1/run', streamed(body));
    const answer = await response;
    expect(answer.status).toBe(status);
    if (status === 408) expect(await answer.text()).toContain('more slowly than 100 bytes');
  });

  it('is the caller’s leaving when it breaks off', async () => {
    const { app, lines } = createTestApp();
    await app.request('/v1/run', streamed(stream(['{'], 'break')));
    expect(lines[0]?.fields['error_code']).toBe('caller_gone');
  });
});

describe('encodings', () => {
  it.each(['gzip', 'br', 'deflate, gzip'])('refuses %s and names it', async (encoding) => {
    const { app } = createTestApp();
    const init = {
      ...post('{}'),
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    };
    const response = await app.request('/v1/run', init);
    expect(response.status).toBe(415);
    expect(await response.text()).toContain(encoding);
  });

  it('takes identity', async () => {
    const { app } = createTestApp();
    const init = {
      ...post({ language: 'python', code: '' }),
      headers: { 'content-type': 'application/json', 'content-encoding': 'identity' },
    };
    expect((await app.request('/v1/run', init)).status).toBe(200);
  });
});
