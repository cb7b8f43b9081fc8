/** Which reports may stand for others: only what no limit, load or chance of ours had a hand in. */
import { describe, expect, it } from 'vitest';

import { DEFAULT_MAXIMA, resolveLimits } from '../../domain/limits.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { JudgeReport } from '../../domain/report.ts';
import type { JudgeSubmission } from '../../domain/submission.ts';
import {
  aCase,
  aFault,
  aJudgeBody,
  aJudgeReport,
  anOutcome,
  aRunReport,
} from '../../http/test-support/scripted-service.ts';
import { parseJudgeRequest, toJudgeSubmission } from '../../http/native/to-judge-submission.ts';
import { isRepeatable } from './repeatable.ts';

const { limits } = resolveLimits({ cpuMs: 1000, wallMs: 3000 }, DEFAULT_MAXIMA);

function aSubmission(): JudgeSubmission {
  const body = aJudgeBody({ limits: { cpu_ms: 1000, wall_ms: 3000 } });
  return toJudgeSubmission(parseJudgeRequest(body), { maxima: DEFAULT_MAXIMA, id: 'x' });
}

const judged = (outcome: Partial<Outcome>, parts: Partial<JudgeReport> = {}): JudgeReport =>
  aJudgeReport({ cases: [aCase({ outcome: anOutcome(outcome) })], ...parts });

describe('isRepeatable', () => {
  it.each<[string, JudgeReport]>([
    ['an accepted program', judged({})],
    ['a program with an exit code', judged({ exitCode: 3 }, { verdict: 'runtime_error' })],
    [
      'a case that was not reached',
      aJudgeReport({ cases: [aCase(), aCase({ verdict: 'not_run', outcome: null })] }),
    ],
    [
      'just under the limits',
      judged({ cpuMs: 800, wallMs: 2400, memoryBytes: 0.8 * limits.memoryBytes }),
    ],
  ])('takes %s', (_, report) => {
    expect(isRepeatable(report, aSubmission())).toBe(true);
  });

  it.each<[string, JudgeReport]>([
    ['a fault', judged({}, { verdict: 'fault', reward: null, fault: aFault })],
    [
      'a fault that a second try mended',
      judged(
        {},
        {
          attempts: [
            { jail: 'j', runtime: 'process', fault: aFault, wallMs: 1 },
            { jail: 'k', runtime: 'process', fault: null, wallMs: 1 },
          ],
        },
      ),
    ],
    [
      'a time limit',
      aJudgeReport({
        verdict: 'time_limit',
        cases: [
          aCase({
            verdict: 'time_limit',
            outcome: anOutcome({ kind: 'time_limit', limit: 'cpu' }),
          }),
        ],
      }),
    ],
    ['CPU time near the limit', judged({ cpuMs: 801 })],
    ['wall time near the limit', judged({ wallMs: 2401 })],
    ['memory near the limit', judged({ memoryBytes: 0.8 * limits.memoryBytes + 1 })],
    ['memory that nobody measured', judged({ memoryBytes: null })],
    ['a signal, which may be the host’s', judged({ kind: 'signalled', exitCode: null, signal: 9 })],
    ['output that was cut', judged({ stdoutTruncated: true })],
    ['canaries, which are drawn anew', judged({}, { mode: 'in_process' })],
    ['an interactor, which may play anew', judged({}, { mode: 'interactive' })],
    ['a case that was judged without a run', aJudgeReport({ cases: [aCase({ outcome: null })] })],
    [
      'a compiler that was stopped',
      judged(
        {},
        {
          compile: {
            ok: false,
            cached: false,
            warm: false,
            outcome: anOutcome({ kind: 'time_limit', limit: 'wall' }),
          },
        },
      ),
    ],
    [
      'a compiler near its limit',
      judged(
        {},
        {
          compile: {
            ok: true,
            cached: false,
            warm: false,
            outcome: anOutcome({ cpuMs: 0.9 * limits.compileCpuMs }),
          },
        },
      ),
    ],
  ])('leaves %s to its own submission', (_, report) => {
    expect(isRepeatable(report, aSubmission())).toBe(false);
  });

  it('looks at the limits of each case', () => {
    const body = aJudgeBody({
      tests: { kind: 'stdio', cases: [{ expected_stdout: '', limits: { cpu_ms: 100 } }] },
    });
    const own = toJudgeSubmission(parseJudgeRequest(body), { maxima: DEFAULT_MAXIMA, id: 'x' });
    expect(isRepeatable(judged({ cpuMs: 80 }), own)).toBe(true);
    expect(isRepeatable(judged({ cpuMs: 81 }), own)).toBe(false);
  });

  it('takes runs by the same rules', () => {
    const submission = aSubmission();
    expect(isRepeatable(aRunReport(), submission)).toBe(true);
    expect(isRepeatable(aRunReport({ outcome: null, fault: aFault }), submission)).toBe(false);
    const over = anOutcome({ kind: 'output_limit', limit: 'output' });
    expect(isRepeatable(aRunReport({ outcome: over }), submission)).toBe(false);
  });
});
