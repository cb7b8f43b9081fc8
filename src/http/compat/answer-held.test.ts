/** Answers that are held open: what a client that leaves ends, and what is said of a failure once a 200 is on its way. */
import { describe, expect, it } from 'vitest';

import { Fault } from '../../domain/errors.ts';
import { createFakeClock } from '../../lib/fake-clock.ts';
import {
  aCase,
  aJudgeReport,
  createTestApp,
  post,
  rejection,
} from '../test-support/scripted-service.ts';
import { settle } from '../test-support/settle.ts';

const BODY = { program: 'x', tests: ['assert 1'] };

/** A request whose judgement ends when told to. */
function asked(init: RequestInit = {}) {
  const clock = createFakeClock();
  const done = Promise.withResolvers<void>();
  let signal: AbortSignal | null = null;
  const { app, lines, deps } = createTestApp({
    clock,
    script: {
      async judge(_, context) {
        ({ signal } = context);
        await done.promise;
        return aJudgeReport({ cases: [aCase({ testMs: 1 })] });
      },
    },
  });
  const response = Promise.resolve(app.request('/test_program', { ...post(BODY), ...init }));
  const pass = async (seconds: number): Promise<void> => {
    for (let each = 0; each < seconds; each += 1) {
      await settle();
      clock.advance(1000);
    }
    await settle();
  };
  return { response, pass, done, lines, deps, isEnded: () => signal?.aborted ?? null };
}

describe('an answer that is held', () => {
  it('begins with nothing but white space, and only after the silence', async () => {
    const { response, pass, done } = asked();
    let isBegun = false;
    void response.then(() => {
      isBegun = true;
    });
    await pass(19);
    expect(isBegun).toBe(false);
    await pass(2);
    expect(isBegun).toBe(true);
    const text = (await response).text();
    await pass(7);
    done.resolve();
    expect(await text).toMatch(/^ {2,4}\{"results":\[1\]/);
  });

  it('ends the work of a client that leaves before it has begun', async () => {
    const gone = new AbortController();
    const { response, pass, isEnded, done } = asked({ signal: gone.signal });
    await pass(1);
    expect(isEnded()).toBe(false);
    gone.abort();
    await pass(1);
    expect(isEnded()).toBe(true);
    done.resolve();
    await Promise.allSettled([response]);
  });

  it('ends the work of a client that leaves while it is held', async () => {
    const { response, pass, isEnded, done } = asked();
    await pass(21);
    const { body } = await response;
    await body?.cancel();
    await pass(1);
    expect(isEnded()).toBe(true);
    done.resolve();
  });

  it.each([
    ['a fault', new Fault('jail_died', '/secret'), 'the jail ended during the run', 1],
    ['a rejection', rejection('draining'), 'The service is stopping', 0],
  ] as const)('says what became of it: %s', async (_, error, detail, logged) => {
    const { response, pass, done, lines, deps } = asked();
    await pass(21);
    const text = (await response).text();
    done.reject(error);
    await pass(1);
    expect(JSON.parse(await text)).toEqual({ detail });
    // The operator is told all, the caller nothing of the inside.
    expect(lines.filter(({ message }) => message === 'request failed')).toHaveLength(logged);
    expect(deps.service.stats().rejections).toEqual(logged === 1 ? {} : { draining: 1 });
  });
});
