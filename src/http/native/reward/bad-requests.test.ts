/** Requests for rewards that are wrong as a whole: refused with the place. */
import { describe, expect, it } from 'vitest';

import { createTestApp, post } from '../../test-support/scripted-service.ts';

describe('POST /v1/reward', () => {
  it.each([
    [{ items: 1 }, 'items'],
    [{ items: [{ row: {}, completion: 'x', completions: [] }] }, 'items[0]'],
    [{ items: [{ row: 'x', completion: 'x' }] }, 'items[0].row'],
    [{ items: [{ row: {}, completion: 1 }] }, 'items[0].completion'],
    [{ items: [], dataset: 'human_eval' }, 'dataset'],
    [{ items: [], detial: 'full' }, 'detial'],
    [{ items: [{ id: 'x'.repeat(300), row: {}, completion: 'x' }] }, 'items[0].id'],
    [{ items: [], language: 'klingon' }, 'language'],
    [{ items: Array.from({ length: 10_001 }, () => ({ row: {}, completion: '' })) }, 'items'],
    [
      {
        items: Array.from({ length: 101 }, () => ({
          row: {},
          completions: Array.from({ length: 1000 }, () => ''),
        })),
      },
      'items',
    ],
  ])('refuses request %# with the place that is wrong', async (body, path) => {
    const response = await createTestApp().app.request('/v1/reward', post(body));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ path }] });
  });
});
