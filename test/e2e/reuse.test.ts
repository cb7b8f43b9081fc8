/** Equal submissions on a real service: shared where that is asked for and true, executed otherwise. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aJudge } from '../support/builders.ts';
import { startService, type RunningService } from '../support/service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ languages: ['python'] });
});
afterAll(async () => await service.stop());

const CASES = [{ stdin: '3\n', expected_stdout: '6\n' }];
const RIGHT = 'print(2 * int(input()))';
const judge = (code: string, parts: object = {}) =>
  aJudge({ code, tests: { kind: 'stdio', cases: CASES }, ...parts });

/** Runs of Python that ended, of whatever kind. */
async function runs(): Promise<number> {
  const { environments } = await service.client.stats();
  const outcomes = environments.find(({ id }) => id === 'python')?.outcomes ?? {};
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

describe('equal submissions', () => {
  it('are each judged by a run of their own unless they ask for less', async () => {
    const before = await runs();
    const reports = await Promise.all(
      [1, 2, 3, 4].map(async () => await service.client.judge(judge(RIGHT))),
    );
    expect(reports.map(({ provenance }) => provenance.reused)).toEqual([null, null, null, null]);
    expect((await runs()) - before).toBe(4);
  });

  it('share one run where they ask for it, at the same time and later, and say so', async () => {
    const code = `${RIGHT}\n# shared`;
    const before = await runs();
    const ask = async (id: string) =>
      await service.client.judge(judge(code, { cache: true, id, labels: { id } }));
    const reports = await Promise.all(['a', 'b', 'c', 'd'].map(ask));
    expect(reports.map(({ id, labels }) => [id, labels['id']])).toEqual(
      ['a', 'b', 'c', 'd'].map((id) => [id, id]),
    );
    expect(reports.every(({ reward }) => reward === 1)).toBe(true);
    const own = reports.filter(({ provenance }) => provenance.reused === null);
    expect(own).toHaveLength(1);
    const later = await ask('later');
    expect(later.provenance.reused).toBe('kept');
    const { cases } = later;
    expect(cases).toEqual(own[0]?.cases);
    expect((await runs()) - before).toBe(1);
  });

  it('are not shared where a limit had a hand in it', async () => {
    const request = judge('while True: pass', { cache: true, limits: { cpu_ms: 100 } });
    const before = await runs();
    for (const _ of [1, 2]) {
      const report = await service.client.judge(request);
      expect(report).toMatchObject({ verdict: 'time_limit', provenance: { reused: null } });
    }
    expect((await runs()) - before).toBe(2);
  });

  it('of a run that answers with bytes and files get them again', async () => {
    const code = `import sys\nopen("o", "wb").write(bytes([0, 255]))\nsys.stdout.buffer.write(bytes([254]))`;
    const request = { language: 'python', code, collect: ['o'], cache: true };
    const first = await service.client.run(request);
    const again = await service.client.run(request);
    expect(again.provenance.reused).toBe('kept');
    expect(again.files).toEqual({ o: { base64: 'AP8=' } });
    expect(again.outcome).toEqual(first.outcome);
  });
});

it('a request that is sent again under its key is not judged again', async () => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': '"e2e"' };
  const before = await runs();
  const send = async () => await service.client.post('/v1/judge', judge(RIGHT), { headers });
  const [one, two] = await Promise.all([send(), send()]);
  const three = await send();
  expect(one.body).toEqual(two.body);
  expect(three.body).toEqual(one.body);
  expect(three.headers.get('idempotent-replayed')).toBe('true');
  expect((await runs()) - before).toBe(1);
});
