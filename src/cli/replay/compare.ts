/** Holds replays of a report against it and against each other. Pure. */
import type { ReplayedReport } from './record.ts';

type Value = string | number | null | undefined;

/** What differs, a line each; empty where the replay says the same. */
export function differences(before: ReplayedReport, now: ReplayedReport): string[] {
  const lines: string[] = [];
  const note = (what: string, was: Value, is: Value): void => {
    if (was !== is) lines.push(`${what}: ${show(was)} → ${show(is)}`);
  };
  note('verdict', before.verdict, now.verdict);
  note('reward', before.reward, now.reward);
  const cases = new Map(now.cases.map((each) => [each.id, each]));
  for (const was of before.cases) {
    const is = cases.get(was.id);
    for (const field of ['verdict', 'exit_code', 'signal', 'limit'] as const) {
      note(`case ${was.id}, ${field}`, was[field], is?.[field]);
    }
    cases.delete(was.id);
  }
  for (const id of cases.keys()) lines.push(`case ${id}: not in the record`);
  return lines;
}

/** In what the place of a replay differs from the record's, a line each: it may explain a difference, and is none itself. */
export function movedPlaces(before: ReplayedReport, now: ReplayedReport): string[] {
  const places = [
    ['environment', before.environment?.fingerprint, now.environment?.fingerprint],
    ['wall', before.wall, now.wall],
    ['service', before.provenance?.service, now.provenance?.service],
  ] as const;
  return places.flatMap(([name, was, is]) =>
    was === is ? [] : [`${name}: ${show(was)} → ${show(is)}`],
  );
}

/** Cases, and the whole, that did not get one verdict in all replays: how often each, most frequent first. */
export function flakes(replays: readonly ReplayedReport[]): string[] {
  const seen = new Map<string, Map<string, number>>();
  const count = (what: string, verdict: string): void => {
    const verdicts = seen.get(what) ?? new Map<string, number>();
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    seen.set(what, verdicts);
  };
  for (const { verdict, cases } of replays) {
    count('verdict', verdict);
    for (const each of cases) count(`case ${each.id}`, each.verdict);
  }
  return [...seen].flatMap(([what, verdicts]) => {
    if (verdicts.size === 1) return [];
    const most = [...verdicts].toSorted(([, a], [, b]) => b - a);
    return [`${what}: ${most.map(([verdict, times]) => `${verdict} ${times} ×`).join(', ')}`];
  });
}

function show(value: Value): string {
  return value === undefined ? 'nothing' : String(value);
}
