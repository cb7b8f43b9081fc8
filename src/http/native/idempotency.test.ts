/** Keys of requests over HTTP: sent again, joined, misused. */
import { describe, expect, it } from 'vitest';

import type { RunReport } from '../../domain/report.ts';
import { aTenant } from '../../judge/tenants/test-callers.ts';
import {
  aFault,
  aRunReport,
  createTestApp,
  post,
  rejection,
} from '../test-support/scripted-service.ts';

const BODY = { language: 'python', code: 'print(1)' };

function keyed(key: string, body: object = BODY): RequestInit {
  const init = post(body);
  return { ...init, headers: { 'content-type': 'application/json', 'idempotency-key': key } };
}

/** An app whose runs are counted and end when told. */
function anApp(reports: (call: number) => Promise<RunReport> | RunReport) {
  let calls = 0;
  const script = {
    run: async () => {
      calls += 1;
      return await reports(calls);
    },
  };
  const { app } = createTestApp({ script });
  const send = async (key: string, body?: object, path = '/v1/run') =>
    await app.request(path, keyed(key, body));
  return { app, send, calls: () => calls };
}

describe('Idempotency-Key', () => {
  it('gives the first answer again, and says so', async () => {
    const { send, calls } = anApp((call) => aRunReport({ id: `run_${call}` }));
    const first = await send('"k-1"');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const again = await send('k-1');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.text()).toBe(await first.text());
    expect(calls()).toBe(1);
    await send('k-2');
    expect(calls()).toBe(2);
  });

  it('lets the same request wait for the first that is under way, and refuses another at once', async () => {
    const end = Promise.withResolvers<RunReport>();
    const { send, calls } = anApp(() => end.promise);
    const both = [send('k'), send('k')];
    await new Promise(setImmediate);
    const other = await send('k', { ...BODY, code: 'print(2)' });
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ code: 'key_reused' });
    end.resolve(aRunReport());
    const [one, two] = await Promise.all(both);
    expect(await one?.text()).toBe(await two?.text());
    expect(calls()).toBe(1);
  });

  it('lets one of those that wait try a fault again, and the others wait on', async () => {
    const ends = [1, 2].map(() => Promise.withResolvers<RunReport>());
    const { send, calls } = anApp((call) => ends[call - 1]?.promise ?? aRunReport({ id: 'more' }));
    const all = [1, 2, 3, 4].map(async () => await (await send('k')).text());
    await expect.poll(calls).toBe(1);
    ends[0]?.resolve(aRunReport({ id: 'bad', outcome: null, fault: aFault }));
    await expect.poll(calls).toBe(2);
    ends[1]?.resolve(aRunReport({ id: 'good' }));
    const [first, ...others] = await Promise.all(all);
    expect(first).toContain('"bad"');
    expect(others.map((each) => each.includes('"good"'))).toEqual([true, true, true]);
    expect(calls()).toBe(2);
  });

  it('refuses another body, and the same body elsewhere, under a key that was answered', async () => {
    const { send } = anApp(() => aRunReport());
    await send('k');
    const other = await send('k', { ...BODY, code: 'print(2)' });
    expect(other.status).toBe(422);
    const judged = { ...BODY, tests: { kind: 'stdio', cases: [{ expected_stdout: '' }] } };
    const elsewhere = await send('k', judged, '/v1/judge');
    expect(await elsewhere.json()).toMatchObject({ code: 'key_reused' });
  });

  it('tries again what was a fault, was refused, or was never valid', async () => {
    const { send, calls } = anApp((call) => {
      if (call === 1) return aRunReport({ outcome: null, fault: aFault });
      if (call === 2) throw rejection('queue_full');
      return aRunReport();
    });
    expect(await (await send('k')).json()).toMatchObject({ outcome: null });
    expect((await send('k')).status).toBe(503);
    expect((await send('k')).status).toBe(200);
    expect(calls()).toBe(3);
    expect((await send('other', { language: 'python' })).status).toBe(422);
    expect((await send('other')).status).toBe(200);
  });

  it('gives nobody the answer of another tenant, though their keys are the same', async () => {
    const [one, other] = [aTenant({}, 'one'), aTenant({}, 'other')];
    const tenants = [one, other].flatMap(({ directory }) => directory.tenants);
    let calls = 0;
    const run = async () => aRunReport({ id: `run_${(calls += 1)}` });
    const { app } = createTestApp({
      script: { run },
      tenants: { directory: { version: 1, tenants }, anonymous: 'none' },
    });
    const send = async ({ key }: { readonly key: string }): Promise<string> => {
      const init = keyed('k');
      const headers = { ...Object.fromEntries(new Headers(init.headers)), 'x-api-key': key };
      return await (await app.request('/v1/run', { ...init, headers })).text();
    };
    const first = await send(one);
    expect(await send(other)).not.toBe(first);
    expect(await send(one)).toBe(first);
    expect(calls).toBe(2);
  });

  it('looks into a full queue only without a key, before it reads the body', async () => {
    const full = (): void => {
      throw rejection('queue_full', 700);
    };
    const { app } = createTestApp({ script: { checkRoom: full } });
    const refused = await app.request('/v1/run', post('not even JSON'));
    expect(refused.status).toBe(503);
    expect((await app.request('/v1/run', keyed('k'))).status).toBe(200);
  });

  it.each(['""', 'a b', 'a,b', '"', 'é', 'x'.repeat(256), '"a"; b=1'])(
    'refuses the key %j',
    async (key) => {
      const { send, calls } = anApp(() => aRunReport());
      const answer = await send(key);
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ errors: [{ path: 'Idempotency-Key' }] });
      expect(calls()).toBe(0);
    },
  );

  it('takes a key of 255 characters', async () => {
    const { send } = anApp(() => aRunReport());
    expect((await send('x'.repeat(255))).status).toBe(200);
  });
});
