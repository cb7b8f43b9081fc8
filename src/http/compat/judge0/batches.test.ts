/** Judge0's tokens and batches over a scripted service: how far a submission is, for how long it is known, order. */
import { describe, expect, it } from 'vitest';

import { createFakeClock } from '../../../lib/fake-clock.ts';
import {
  aJudgeReport,
  createTestApp,
  post,
  rejection,
  type Script,
} from '../../test-support/scripted-service.ts';
import { settle } from '../../test-support/settle.ts';

const SWIFT = { source_code: 'print(1)', language_id: 71, stdin: '', expected_output: '1' };

type App = ReturnType<typeof createTestApp>['app'];

function anApp(script: Script = {}, clock = createFakeClock()) {
  return { app: createTestApp({ script, clock, config: { surfaces: ['judge0'] } }).app, clock };
}

async function ask(app: App, path: string, body?: unknown) {
  const response = await app.request(path, body === undefined ? {} : post(body));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('tokens', () => {
  it('are asked for until there is a result', async () => {
    const begin = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const { app } = anApp({
      async judge(_, { onStart }) {
        await begin.promise;
        onStart?.();
        await end.promise;
        return aJudgeReport();
      },
    });
    const answer = await ask(app, '/submissions', SWIFT);
    expect(answer).toMatchObject({ status: 201, body: { token: expect.any(String) as string } });
    expect(Object.keys(answer.body)).toEqual(['token']);
    const path = `/submissions/${String(answer.body['token'])}?fields=status,stdout`;
    expect((await ask(app, path)).body).toEqual({
      status: { id: 1, description: 'In Queue' },
      stdout: null,
    });
    begin.resolve();
    await settle();
    expect((await ask(app, path)).body).toMatchObject({ status: { id: 2 } });
    end.resolve();
    await settle();
    expect((await ask(app, path)).body).toEqual({
      status: { id: 3, description: 'Accepted' },
      stdout: '1\n',
    });
  });

  it('are forgotten after ten minutes', async () => {
    const { app, clock } = anApp();
    const { body } = await ask(app, '/submissions', SWIFT);
    await settle();
    const path = `/submissions/${String(body['token'])}`;
    clock.advance(599_000);
    expect((await ask(app, path)).status).toBe(200);
    clock.advance(2000);
    expect((await ask(app, path)).status).toBe(404);
  });

  it('tell of a submission that was given up', async () => {
    const { app } = anApp({
      async judge() {
        throw rejection('draining');
      },
    });
    const { body } = await ask(app, '/submissions', SWIFT);
    await settle();
    const path = `/submissions/${String(body['token'])}`;
    expect((await ask(app, path)).body).toMatchObject({ status: { id: 13 } });
  });

  it('are unknown to strangers', async () => {
    const { app } = anApp();
    expect((await ask(app, '/submissions/nothing')).status).toBe(404);
  });
});

describe('batches', () => {
  it('answer a token or the errors of each, in order', async () => {
    const { app } = anApp();
    const submissions = [SWIFT, { ...SWIFT, language_id: 150_000 }, SWIFT];
    const answer = await ask(app, '/submissions/batch', { submissions });
    expect(answer.status).toBe(201);
    const list = answer.body as unknown as Record<string, unknown>[];
    expect(list[1]).toEqual({ language_id: ["language with id 150000 doesn't exist"] });
    const tokens = [list[0]?.['token'], list[2]?.['token']].map(String);
    await settle();
    const asked = await ask(
      app,
      `/submissions/batch?tokens=${[...tokens, 'unknown'].join(',')}&fields=token,status_id`,
    );
    expect(asked.body).toEqual({
      submissions: [{ token: tokens[0], status_id: 3 }, { token: tokens[1], status_id: 3 }, null],
    });
  });

  it.each([
    ['nothing', {}],
    ['an empty one', { submissions: [] }],
    ['21', { submissions: Array.from({ length: 21 }, () => SWIFT) }],
  ])('are refused: %s', async (_, body) => {
    const answer = await ask(anApp().app, '/submissions/batch', body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) as string } });
  });

  it('are asked for with tokens', async () => {
    expect((await ask(anApp().app, '/submissions/batch')).status).toBe(400);
  });
});
