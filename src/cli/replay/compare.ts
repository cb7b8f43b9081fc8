/** Holds replays of a report against it and against each other. Pure. */
import type { ReplayedReport } from './record.ts';

const WHOLE = 'verdict';

type Value = string | number | null | undefined;

export interface Difference {
  /** `verdict`, `reward`, `case 3, exit_code` … */
  readonly field: string;
  /** For people. */
  readonly line: string;
}

/** What differs; empty where the replay says the same. */
export function differences(before: ReplayedReport, now: ReplayedReport): Difference[] {
  const found: Difference[] = [];
  const note = (field: string, was: Value, is: Value): void => {
    if (was !== is) found.push({ field, line: `${field}: ${show(was)} → ${show(is)}` });
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
  for (const id of cases.keys())
    found.push({ field: `case ${id}`, line: `case ${id}: not in the record` });
  return found;
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

/** How often each verdict came, of the whole and of each case. */
export class Votes {
  readonly #seen = new Map<string, Map<string, number>>();

  add({ verdict, cases }: ReplayedReport): void {
    this.#count(WHOLE, verdict);
    for (const each of cases) this.#count(`case ${each.id}`, each.verdict);
  }

  /** Of the whole. */
  verdicts(): Record<string, number> {
    return Object.fromEntries(this.#seen.get(WHOLE) ?? []);
  }

  /** Cases, and the whole, that did not get one verdict in all replays: how often each, most frequent first. */
  flakes(): string[] {
    return [...this.#seen].flatMap(([what, verdicts]) => {
      if (verdicts.size === 1) return [];
      const most = [...verdicts].toSorted(([, a], [, b]) => b - a);
      return [`${what}: ${most.map(([verdict, times]) => `${verdict} ${times} ×`).join(', ')}`];
    });
  }

  #count(what: string, verdict: string): void {
    const verdicts = this.#seen.get(what) ?? new Map<string, number>();
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    this.#seen.set(what, verdicts);
  }
}

function show(value: Value): string {
  return value === undefined ? 'nothing' : String(value);
}
