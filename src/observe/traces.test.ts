/** When the phases of a submission are shown to have been. What is sent is proved in test/e2e/seen.test.ts. */
import { describe, expect, it } from 'vitest';

import { aJudgeReport } from '../http/test-support/scripted-service.ts';
import { timelineOf } from './traces.ts';

describe('timelineOf', () => {
  const report = aJudgeReport({
    phases: { queueMs: 10, acquireMs: 2, acquire: 'warm', compileMs: 5, runMs: 20, verifyMs: 3 },
    attempts: [
      { jail: 'a', runtime: 'process', fault: null, wallMs: 100 },
      { jail: 'b', runtime: 'process', fault: null, wallMs: 30 },
    ],
  });

  it('puts the queue before all attempts and the phases into the last', () => {
    expect(timelineOf(report, 1000)).toEqual({
      start: 860,
      phases: [
        { name: 'queue', start: 860, ms: 10 },
        { name: 'acquire', start: 970, ms: 2 },
        { name: 'run', start: 972, ms: 20 },
        { name: 'verify', start: 992, ms: 3 },
      ],
    });
  });

  it('has no phases where nothing ran', () => {
    expect(timelineOf({ ...report, attempts: [] }, 1000)).toEqual({ start: 1000, phases: [] });
  });
});
