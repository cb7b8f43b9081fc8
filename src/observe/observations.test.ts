/** What is counted of reports, faults and requests, and under which labels. */
import { describe, expect, it } from 'vitest';

import { Fault } from '../domain/errors.ts';
import {
  aFault,
  aJudgeReport,
  anOutcome,
  aRunReport,
} from '../http/test-support/scripted-service.ts';
import { systemClock } from '../lib/clock.ts';
import { Observations } from './observations.ts';

/** Lines of the text format that begin with a name. */
async function lines(observed: Observations, name: string): Promise<string[]> {
  const text = await observed.registry.metrics();
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('Observations', () => {
  it('counts submissions by language, result and class', async () => {
    const observed = new Observations(systemClock);
    observed.report(aJudgeReport(), {});
    observed.report(aJudgeReport({ verdict: 'wrong_answer', reward: 0 }), {});
    observed.report(aJudgeReport({ verdict: 'fault', reward: null, fault: aFault }), {});
    observed.report(aRunReport(), {});
    observed.report(aRunReport({ outcome: anOutcome({ exitCode: 1 }) }), {});
    observed.report(aRunReport({ outcome: null, fault: aFault }), {});
    const label = (kind: string, result: string, ending: string) =>
      `assay_submissions_total{kind="${kind}",language="python",result="${result}",class="${ending}"} 1`;
    expect(await lines(observed, 'assay_submissions_total')).toEqual([
      label('judge', 'accepted', 'passed'),
      label('judge', 'wrong_answer', 'failed'),
      label('judge', 'fault', 'fault'),
      label('run', 'exited', 'passed'),
      label('run', 'exited', 'failed'),
      label('run', 'fault', 'fault'),
    ]);
    expect(observed.summary().results).toEqual({
      accepted: 1,
      wrong_answer: 1,
      fault: 2,
      exited: 2,
    });
  });

  it('counts by tenant, those not seen lately together', async () => {
    const observed = new Observations(systemClock);
    observed.report(aJudgeReport(), {});
    for (let index = 0; index < 150; index += 1) {
      observed.report(aJudgeReport(), { payer: { tenant: `t${index}`, weight: 1 } });
    }
    const found = await lines(observed, 'assay_tenant_submissions_total');
    expect(found).toHaveLength(101);
    expect(found).toContain('assay_tenant_submissions_total{tenant="t149",class="passed"} 1');
    expect(found).toContain('assay_tenant_submissions_total{tenant="other",class="passed"} 51');
  });

  it('counts no self-tests of its own', async () => {
    const observed = new Observations(systemClock);
    observed.report(aJudgeReport(), { isOwn: true });
    expect(await lines(observed, 'assay_submissions_total')).toEqual([]);
    expect(observed.summary().latencyMs.total).toBeNull();
  });

  it('tells waiting times in seconds, those of jails apart for warm and cold', async () => {
    const observed = new Observations(systemClock);
    const report = aJudgeReport();
    const phases = { ...report.phases, queueMs: 1500, acquireMs: 40, acquire: 'cold' } as const;
    observed.report({ ...report, phases }, {});
    expect(await lines(observed, 'assay_queue_wait_seconds_bucket{le="1"}')).toEqual([
      'assay_queue_wait_seconds_bucket{le="1"} 0',
    ]);
    expect(await lines(observed, 'assay_queue_wait_seconds_sum')).toEqual([
      'assay_queue_wait_seconds_sum 1.5',
    ]);
    expect(await lines(observed, 'assay_acquire_seconds_sum')).toEqual([
      'assay_acquire_seconds_sum{start="cold"} 0.04',
    ]);
    // Nothing was compiled, and nothing is told of compiling.
    expect(await lines(observed, 'assay_submission_phase_seconds_count{phase="compile"}')).toEqual(
      [],
    );
  });

  it('names for each kind of fault the last submissions, and no detail', async () => {
    const observed = new Observations(systemClock);
    for (const id of ['a', 'b', 'c', 'd']) observed.fault(new Fault('jail_died', 'secret'), id);
    observed.fault(new Fault('internal', 'secret'), 'e');
    expect(await lines(observed, 'assay_faults_total')).toEqual([
      'assay_faults_total{code="jail_died"} 4',
      'assay_faults_total{code="internal"} 1',
    ]);
    const { faults } = observed.summary();
    expect(faults.map(({ code, count, submissions }) => ({ code, count, submissions }))).toEqual([
      { code: 'internal', count: 1, submissions: ['e'] },
      { code: 'jail_died', count: 4, submissions: ['d', 'c', 'b'] },
    ]);
    expect(JSON.stringify(faults)).not.toContain('secret');
  });
});
