/** What is told of many replays of a record. */
import { describe, expect, it } from 'vitest';

import { ReplayedReport } from './record.ts';
import { describeAll, describeFlakes, Tally } from './tally.ts';

const aCase = { id: '1', verdict: 'accepted', exit_code: 0, signal: null, limit: null };
const right = ReplayedReport.parse({ verdict: 'accepted', reward: 1, cases: [aCase] });
const crashed = ReplayedReport.parse({
  verdict: 'runtime_error',
  reward: 0,
  cases: [{ ...aCase, verdict: 'runtime_error', exit_code: 1 }],
});

function tallyOf(replays: readonly ReplayedReport[]) {
  const tally = new Tally({ request: {}, report: right });
  for (const each of replays) tally.add(each);
  return tally.report(1);
}

describe('the flake report of a record', () => {
  it('has verdicts with counts, the first difference, and every field that differs', () => {
    expect(tallyOf([right, crashed, right, crashed])).toEqual({
      record: 1,
      replays: 4,
      same: 2,
      verdicts: { accepted: 2, runtime_error: 2 },
      first: 2,
      differences: [
        'verdict: accepted → runtime_error',
        'reward: 1 → 0',
        'case 1, verdict: accepted → runtime_error',
        'case 1, exit_code: 0 → 1',
      ],
      fields: { verdict: 2, reward: 2, 'case 1, verdict': 2, 'case 1, exit_code': 2 },
      flakes: [
        'verdict: accepted 2 ×, runtime_error 2 ×',
        'case 1: accepted 2 ×, runtime_error 2 ×',
      ],
      moved: [],
    });
  });

  it('says for people what differs, and all in a line where there are several', () => {
    const found = [tallyOf([right, right]), { ...tallyOf([right, crashed]), record: 2 }];
    expect(describeFlakes(tallyOf([right, right]))).toEqual(['record 1: the same in 2 replays']);
    expect(describeFlakes(tallyOf([right, crashed]))[0]).toBe(
      'record 1: DIFFERS in 1 of 2 replays, first in number 2',
    );
    expect(describeAll(found)).toEqual(['2 records, 4 replays: 1 differs']);
    expect(describeAll(found.slice(0, 1))).toEqual([]);
  });
});
