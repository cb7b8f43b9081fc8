/** `POST /v1/selftest`, and the metric of what it found. */
import { describe, expect, it } from 'vitest';

import type { WallTest } from '../../judge/wall-test/verdict.ts';
import { createTestApp, post } from '../test-support/scripted-service.ts';
import { SelfTestResponse } from './wall-test-to-wire.ts';

function aTest(over: Partial<WallTest> = {}): WallTest {
  const at = new Date('2026-01-01T00:00:00Z');
  const nothing = { holes: [], reason: null };
  return { wall: 'nsjail', state: 'holds', at, ms: 120.4, tried: ['tcp4'], ...nothing, ...over };
}

async function ask(wallTests: readonly WallTest[]): Promise<SelfTestResponse> {
  const { app } = createTestApp({ wallTests });
  const response = await app.request('/v1/selftest', { method: 'POST' });
  expect(response.status).toBe(200);
  return SelfTestResponse.parse(await response.json());
}

describe('POST /v1/selftest', () => {
  it('tells of each wall when, what, how long and what was found', async () => {
    const holes = [{ what: 'dns', detail: 'it arrived on the host' }];
    const answer = await ask([aTest(), aTest({ wall: 'gvisor', state: 'fails', holes })]);
    const facts = { at: '2026-01-01T00:00:00.000Z', ms: 120, tried: ['tcp4'], reason: null };
    expect(answer).toEqual({
      holds: false,
      walls: [
        { ...facts, wall: 'nsjail', state: 'holds', holes: [] },
        { ...facts, wall: 'gvisor', state: 'fails', holes },
      ],
    });
  });

  it.each([
    [[aTest()], true],
    [[aTest(), aTest({ wall: 'gvisor', state: 'unknown', reason: 'no room' })], false],
    [[], false],
  ])('%j holds: %s', async (tests, holds) => {
    expect(await ask(tests)).toMatchObject({ holds });
  });

  it('takes no field, and says so', async () => {
    const { app } = createTestApp();
    expect((await app.request('/v1/selftest', post({}))).status).toBe(200);
    const response = await app.request('/v1/selftest', post({ wall: 'nsjail' }));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: 'invalid', errors: [{ path: 'wall' }] });
  });

  it('is no page to be read', async () => {
    const response = await createTestApp().app.request('/v1/selftest');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });
});
