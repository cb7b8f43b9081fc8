/** verl's client against our HTTP layer over a scripted service: what it makes of each status and shape. */
import { describe, expect, it, onTestFinished } from 'vitest';

import {
  aFault,
  anOutcome,
  aRunReport,
  bytes,
  createTestApp,
  rejection,
  type Script,
} from '../../../src/http/test-support/scripted-service.ts';
import { listen } from '../../../src/http/server.ts';
import { getVerlClient } from './client.ts';

const found = await getVerlClient();
const note =
  found.kind === 'unreachable' ? ` — SKIPPED, it cannot be fetched: ${found.reason}` : '';

async function serve(script: Script): Promise<string> {
  const { app } = createTestApp({ script });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listening.close(AbortSignal.abort()));
  return listening.url;
}

const one = { code: 'x', language: 'python', test_cases: { inputs: [''], outputs: ['1\n'] } };
const failed = anOutcome({ kind: 'compile_error', exitCode: 1 });
const compile = (ok: boolean, outcome = anOutcome()) => ({
  ok,
  cached: false,
  warm: false,
  outcome,
});

describe.skipIf(found.kind === 'unreachable')(`verl’s client${note}`, () => {
  if (found.kind === 'unreachable') return;
  const { client } = found;

  it.each<[string, ReturnType<typeof aRunReport>, boolean | number, string]>([
    ['a right answer', aRunReport(), true, 'success'],
    [
      'a wrong answer',
      aRunReport({ outcome: anOutcome({ stdout: bytes('2\n') }) }),
      false,
      'wrong_answer',
    ],
    ['a non-zero exit', aRunReport({ outcome: anOutcome({ exitCode: 1 }) }), -2, 'runtime_error'],
    [
      'a signal',
      aRunReport({ outcome: anOutcome({ kind: 'signalled', exitCode: null, signal: 11 }) }),
      -2,
      'runtime_error',
    ],
    [
      'a memory limit',
      aRunReport({ outcome: anOutcome({ kind: 'memory_limit', exitCode: null, signal: 9 }) }),
      -2,
      'runtime_error',
    ],
    [
      'an output limit',
      aRunReport({ outcome: anOutcome({ kind: 'output_limit', exitCode: null, signal: 9 }) }),
      -2,
      'runtime_error',
    ],
    [
      'a time-out',
      aRunReport({ outcome: anOutcome({ kind: 'time_limit', exitCode: null, limit: 'wall' }) }),
      -3,
      'timeout',
    ],
    [
      'a compile error',
      aRunReport({ compile: compile(false, failed), outcome: failed }),
      -4,
      'compile_error',
    ],
    [
      'a compile time-out',
      aRunReport({
        compile: compile(false, anOutcome({ kind: 'time_limit', exitCode: null, limit: 'cpu' })),
        outcome: failed,
      }),
      -4,
      'compile_timeout',
    ],
    ['a compiled program', aRunReport({ compile: compile(true) }), true, 'success'],
    ['a fault of ours', aRunReport({ outcome: null, fault: aFault }), -1, 'sandbox_error'],
  ])('reads %s', async (_, report, result, status) => {
    const url = await serve({ run: async () => report });
    const [answer] = await client.run(url, [one]);
    expect(answer?.results).toEqual([result]);
    expect(answer?.metadata[0]).toMatchObject({ status });
  });

  it('tries again after 504', async () => {
    let calls = 0;
    const url = await serve({
      async run() {
        calls += 1;
        if (calls === 1) throw rejection('queue_full');
        return aRunReport();
      },
    });
    const [answer] = await client.run(url, [one]);
    expect(answer?.results).toEqual([true]);
    expect(calls).toBe(2);
  });

  it('waits past its own time-out for a job that has begun', async () => {
    const url = await serve({
      async run(_, { onStart }) {
        onStart?.();
        // Longer than the 10 s + 2 × 0.1 s that the client allows for silence.
        await new Promise((resolve) => setTimeout(resolve, 12_000));
        return aRunReport();
      },
    });
    const [answer] = await client.run(url, [{ ...one, timeout: 0.1 }]);
    expect(answer?.results).toEqual([true]);
  });

  it('sends one call per test, 64 at once', async () => {
    let inFlight = 0;
    let most = 0;
    const url = await serve({
      async run() {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await new Promise((resolve) => setTimeout(resolve, 200));
        inFlight -= 1;
        return aRunReport();
      },
    });
    const inputs = Array.from({ length: 50 }, () => '');
    const job = {
      completion: '```python\nx\n```',
      test_cases: { inputs, outputs: inputs.map(() => '1') },
    };
    const answers = await client.run(url, [job, job, job]);
    expect(answers.map((answer) => answer.score)).toEqual([1, 1, 1]);
    expect(most).toBe(64);
  });
});
