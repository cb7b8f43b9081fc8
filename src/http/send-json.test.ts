/** Answers in pieces say what JSON.stringify says, also where that cannot. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isLarge, jsonPieces } from './json-pieces.ts';
import { anOutcome, aRunReport, createTestApp, post } from './test-support/scripted-service.ts';

const MIB = 1024 * 1024;

describe('jsonPieces', () => {
  it('is JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const long = text.repeat(Math.ceil(300_000 / Math.max(1, text.length)));
        const whole = { long, value, list: [value, long, undefined, []], none: undefined };
        expect([...jsonPieces(whole)].join('')).toBe(JSON.stringify(whole));
      }),
      { numRuns: 25 },
    );
  });

  it('makes no piece much longer than the others', () => {
    const pieces = [...jsonPieces({ a: '\u0001'.repeat(2_000_000), b: 'x'.repeat(2_000_000) })];
    expect(pieces.length).toBeGreaterThan(8);
    for (const piece of pieces) expect(piece.length).toBeLessThan(2 * MIB);
  });
});

describe('isLarge', () => {
  it('looks at all text together', () => {
    expect(isLarge({ a: 'x'.repeat(MIB / 2), b: ['y'.repeat(MIB / 4)] })).toBe(false);
    expect(isLarge({ a: 'x'.repeat(MIB / 2), b: ['y'.repeat(MIB / 2)] })).toBe(true);
  });
});

describe('an answer longer than the longest string', () => {
  // Control characters: each of the 64 Mi bytes of a stream is six characters in JSON.
  const stream = Buffer.alloc(64 * MIB, 1);
  const outcome = anOutcome({ stdout: stream, stderr: stream });
  const { app, lines } = createTestApp({ script: { run: async () => aRunReport({ outcome }) } });

  it.each(['/v1/run', '/run_code'])('is sent whole by %s', { timeout: 120_000 }, async (path) => {
    const response = await app.request(path, post({ language: 'python', code: '' }));
    expect(response.status).toBe(200);
    let bytes = 0;
    let tail = '';
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      tail = Buffer.from(chunk).toString('latin1').slice(-1000);
    }
    expect(bytes).toBeGreaterThan(2 ** 29);
    expect(tail).toMatch(/}\s*$/);
    expect(tail).toContain(path === '/v1/run' ? '"stdout_truncated":true' : '"truncated":true');
    expect(lines.at(-1)?.fields).toMatchObject({ response_bytes: bytes, whole: true });
  });
});
