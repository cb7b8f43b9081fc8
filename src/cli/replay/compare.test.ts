/** What counts as a difference between a report and its replay. */
import { describe, expect, it } from 'vitest';

import { differences, movedPlaces, Votes } from './compare.ts';
import { ReplayedReport } from './record.ts';

const aCase = { id: '1', verdict: 'accepted', exit_code: 0, signal: null, limit: null };
const report = (over: object = {}): ReplayedReport =>
  ReplayedReport.parse({ verdict: 'accepted', reward: 1, cases: [aCase], cpu_ms: 3, ...over });

describe('differences', () => {
  it('are none where only times differ', () => {
    expect(differences(report(), report({ cpu_ms: 9 }))).toEqual([]);
  });

  it('are verdict, reward and how a case ended', () => {
    const failed = { ...aCase, verdict: 'time_limit', exit_code: null, signal: 9, limit: 'cpu' };
    const now = report({ verdict: 'time_limit', reward: 0, cases: [failed] });
    expect(differences(report(), now).map(({ line }) => line)).toEqual([
      'verdict: accepted → time_limit',
      'reward: 1 → 0',
      'case 1, verdict: accepted → time_limit',
      'case 1, exit_code: 0 → null',
      'case 1, signal: null → 9',
      'case 1, limit: null → cpu',
    ]);
  });

  it('are cases that are gone, and new ones', () => {
    const found = differences(report(), report({ cases: [{ ...aCase, id: '2' }] }));
    const lines = found.map(({ line }) => line);
    expect(lines).toContain('case 1, verdict: accepted → nothing');
    expect(lines).toContain('case 2: not in the record');
  });
});

describe('movedPlaces', () => {
  it('names the environment, the wall and the service where they are others', () => {
    const at = (fingerprint: string, wall: string) =>
      report({ environment: { id: 'python', fingerprint }, wall });
    expect(movedPlaces(at('a', 'nsjail'), at('a', 'nsjail'))).toEqual([]);
    expect(movedPlaces(at('a', 'nsjail'), at('b', 'gvisor'))).toEqual([
      'environment: a → b',
      'wall: nsjail → gvisor',
    ]);
  });
});

function flakes(replays: readonly ReplayedReport[]): string[] {
  const votes = new Votes();
  for (const each of replays) votes.add(each);
  return votes.flakes();
}

describe('flakes', () => {
  it('are what got more than one verdict, with how often', () => {
    const wrong = report({
      verdict: 'wrong_answer',
      cases: [{ ...aCase, verdict: 'wrong_answer' }],
    });
    expect(flakes([report(), report()])).toEqual([]);
    expect(flakes([report(), wrong, report()])).toEqual([
      'verdict: accepted 2 ×, wrong_answer 1 ×',
      'case 1: accepted 2 ×, wrong_answer 1 ×',
    ]);
  });
});
