/** The flake report of one record: what its replays said, added up as they come, so that thousands take no room. Pure. */
import { differences, movedPlaces, Votes } from './compare.ts';
import type { Record as Kept, ReplayedReport } from './record.ts';

/** Units: times. Fields of `--json`. */
export interface FlakeReport {
  /** From 1, in the order of the records. */
  readonly record: number;
  readonly replays: number;
  /** How many say what the record says. */
  readonly same: number;
  /** Verdict → how many. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** The first replay that differs, from 1 in the order of their ends; null where none does. */
  readonly first: number | null;
  /** In what that one differs, a line each. */
  readonly differences: readonly string[];
  /** What differs in any (`verdict`, `reward`, `case 3, exit_code` …) → in how many. */
  readonly fields: Readonly<Record<string, number>>;
  /** What got more than one verdict among the replays. */
  readonly flakes: readonly string[];
  /** In what the place of the first replay is another. */
  readonly moved: readonly string[];
}

/** Of fields with counts; a report of thousands of cases may differ in all of them. */
const FIELDS_MAX = 1000;

export class Tally {
  readonly #record: Kept;
  readonly #votes = new Votes();
  readonly #fields = new Map<string, number>();
  #replays = 0;
  #same = 0;
  #first: { readonly at: number; readonly lines: readonly string[] } | null = null;
  #moved: readonly string[] = [];

  constructor(record: Kept) {
    this.#record = record;
  }

  get request(): unknown {
    return this.#record.request;
  }

  add(replay: ReplayedReport): void {
    if (this.#replays === 0) this.#moved = movedPlaces(this.#record.report, replay);
    this.#replays += 1;
    this.#votes.add(replay);
    const found = differences(this.#record.report, replay);
    if (found.length === 0) {
      this.#same += 1;
      return;
    }
    this.#first ??= { at: this.#replays, lines: found.map(({ line }) => line) };
    for (const { field } of found) {
      if (this.#fields.size < FIELDS_MAX || this.#fields.has(field))
        this.#fields.set(field, (this.#fields.get(field) ?? 0) + 1);
    }
  }

  report(record: number): FlakeReport {
    return {
      record,
      replays: this.#replays,
      same: this.#same,
      verdicts: this.#votes.verdicts(),
      first: this.#first?.at ?? null,
      differences: this.#first?.lines ?? [],
      fields: Object.fromEntries(this.#fields),
      flakes: this.#votes.flakes(),
      moved: this.#moved,
    };
  }
}

/** For people: a line, and more where something differs or varies. */
export function describeFlakes(found: FlakeReport): string[] {
  const { record, replays, same, moved, first } = found;
  const many = `${replays} ${replays === 1 ? 'replay' : 'replays'}`;
  const other = replays - same;
  const isSame = other === 0;
  const howMany = other === replays ? many : `${other} of ${many}, first in number ${first}`;
  return [
    `record ${record}: ${isSame ? `the same in ${many}` : `DIFFERS in ${howMany}`}`,
    ...found.differences.map((line) => `  ${line}`),
    ...found.flakes.map((line) => `  varies: ${line}`),
    ...(isSame ? [] : moved.map((line) => `  judged elsewhere: ${line}`)),
  ];
}

/** One line about all of them; none about a single record, which has said it. */
export function describeAll(found: readonly FlakeReport[]): string[] {
  if (found.length === 1) return [];
  const replays = found.reduce((sum, each) => sum + each.replays, 0);
  const other = found.filter((each) => each.same < each.replays).length;
  const faults = found.reduce((sum, each) => sum + (each.verdicts['fault'] ?? 0), 0);
  const what = other === 0 ? 'all the same' : `${other} ${other === 1 ? 'differs' : 'differ'}`;
  const faulty = faults === 0 ? '' : `, ${faults} replays are faults`;
  return [`${found.length} records, ${replays} replays: ${what}${faulty}`];
}
