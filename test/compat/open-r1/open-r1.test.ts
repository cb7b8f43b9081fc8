/** Open R1's router clients against the whole service: scripts of its shape as cells in real jails, nested programs and all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type RunningService } from '../../support/service.ts';
import { waitFor } from '../../support/wait.ts';
import { askOpenR1, getPistonClients } from '../piston/client.ts';

const found = await getPistonClients();
const note =
  found.kind === 'unreachable' ? ` — SKIPPED, it cannot be fetched: ${found.reason}` : '';

const TIMEOUT_MS = 120_000;

/** Of the shape that Open R1 sends: indented, a function, and its call as the last expression. */
function script(code: string, cases: readonly { input: string; output: string }[]): string {
  // Every character beyond ASCII as escapes of UTF-16, as Python's json writes it.
  const ascii = (value: unknown): string =>
    JSON.stringify(value).replace(
      /[^\0-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  return `
    import json
    import subprocess

    def evaluate(code, cases):
        passed = 0
        for case in cases:
            run = subprocess.run(["python3", "-c", code], input=case["input"], text=True, capture_output=True, timeout=5)
            if run.returncode == 0 and run.stdout.strip() == case["output"].strip():
                passed += 1
        return passed / len(cases)

    code = ${ascii(code)}
    cases = json.loads(${ascii(ascii(cases))})

    evaluate(code, cases)
    `;
}

const SUM = 'a, b = map(int, input().split())\nprint(a + b)';
const cases = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ input: `${i} ${i}\n`, output: `${2 * i}\n` }));

describe.skipIf(found.kind === 'unreachable')(`Open R1’s router clients${note}`, () => {
  if (found.kind === 'unreachable') return;
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ languages: ['python', 'bash'] });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service?.stop();
  }, TIMEOUT_MS);

  const batch = (scripts: readonly string[], parts: object = {}) => ({
    scripts,
    languages: scripts.map(() => 'python'),
    ...parts,
  });
  const rewards = async (kind: 'e2b' | 'morph', scripts: readonly string[], parts: object = {}) =>
    await askOpenR1(found, service.url, { kind, body: batch(scripts, parts) });

  it('are rewarded by the share of tests that pass', { timeout: TIMEOUT_MS }, async () => {
    const scripts = [
      script(SUM, cases(5)),
      script(`${SUM} if a % 2 else None`, cases(4)),
      script('print(1)', cases(3)),
      script("print('\u{1f600} é')", [{ input: '', output: '\u{1f600} é' }]),
      script('def', cases(2)),
    ];
    expect(await rewards('e2b', scripts)).toEqual([1, 0.5, 0, 1, 0]);
    expect(await rewards('morph', scripts)).toEqual([1, 0.5, 0, 1, 0]);
  });

  it(
    'make nothing of a script that gives no number, and keep the others',
    { timeout: TIMEOUT_MS },
    async () => {
      const scripts = [
        '1.0',
        'while True: pass',
        'import os; os._exit(0)',
        "print('hello world)",
        'x = 1',
        'raise ValueError',
        'import time; time.sleep(30)',
        'bytearray(2**33)',
        script(SUM, []),
        '0.5',
      ];
      const none = Array.from({ length: 8 }, () => null);
      expect(await rewards('e2b', scripts, { timeout: 1 })).toEqual([1, ...none, 0.5]);
      const zero = Array.from({ length: 8 }, () => 0);
      expect(await rewards('morph', scripts, { timeout: 1 })).toEqual([1, ...zero, 0.5]);
    },
  );

  it('get through with a request that is wrong', { timeout: TIMEOUT_MS }, async () => {
    expect(await rewards('e2b', ['1', '2'], { languages: ['python'] })).toEqual([null, null]);
    expect(await rewards('morph', ['1', '2'], { timeout: 1.5 })).toEqual([0, 0]);
    expect(await rewards('e2b', ['1', 'echo 2'], { languages: ['cobol', 'bash'] })).toEqual([
      null,
      null,
    ]);
  });

  it('are answered each, 64 at once', { timeout: TIMEOUT_MS }, async () => {
    const asked = Array.from({ length: 64 }, async (_, i) => {
      const { status, body } = await service.client.post('/execute_batch', {
        ...batch([`${i} + 1`]),
        timeout: 30,
        request_timeout: 28,
      });
      return { status, body };
    });
    expect(await Promise.all(asked)).toMatchObject(
      Array.from({ length: 64 }, (_, i) => ({ status: 200, body: [{ text: String(i + 1) }] })),
    );
  });

  it('have as many scripts run at once as there are slots', { timeout: TIMEOUT_MS }, async () => {
    const { slots } = await service.client.stats();
    const sleeping = Array.from({ length: slots.total }, () => 'import time; time.sleep(2); 1.0');
    const since = performance.now();
    expect(await rewards('e2b', sleeping)).toEqual(sleeping.map(() => 1));
    // One after the other they would take two seconds each; the client itself takes most of a second to start.
    const most = slots.total === 1 ? 8000 : 3900;
    expect(performance.now() - since).toBeLessThan(most);
  });

  it('leave no script running when they hang up', { timeout: TIMEOUT_MS }, async () => {
    const gone = new AbortController();
    const body = { ...batch(['while True: pass']), timeout: 60, request_timeout: 28 };
    const asked = service.client.post('/execute_batch', body, { signal: gone.signal });
    const busy = async () => (await service.client.stats()).slots.busy;
    await waitFor(async () => ((await busy()) > 0 ? true : null), {
      what: 'a busy slot',
      timeoutMs: 10_000,
    });
    gone.abort();
    await expect(asked).rejects.toThrow('abort');
    await waitFor(async () => ((await busy()) === 0 ? true : null), {
      what: 'a free slot',
      timeoutMs: 5000,
    });
  });

  it('find it well', async () => {
    expect((await service.client.get('/health')).body).toMatchObject({ status: 'healthy' });
  });
});
