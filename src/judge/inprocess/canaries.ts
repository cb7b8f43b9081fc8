/**
 * Canaries: copies of tests with some literals altered, in which exactly the altered tests must fail. Chooses what is
 * altered and in which order the copies and the real tests run, and makes the copies. Pure; all chance comes from a seed
 * that no run can know.
 */
import { createHmac } from 'node:crypto';

import { Fault } from '../../domain/errors.ts';
import type { AlterableTests, Site, Splice, Unit } from './plan.ts';

/** What is put in the place of a literal of a test. */
interface Alteration {
  readonly unit: Unit;
  readonly site: Site;
  readonly text: string;
}

/** One run, and what is altered in it: nothing in the real one. */
export interface Variant {
  readonly altered: readonly Alteration[];
}

/** Numbers from a seed, each below a bound. */
class Draw {
  readonly #seed: Uint8Array;
  #count = 0;

  constructor(seed: Uint8Array) {
    this.#seed = seed;
  }

  below(bound: number): number {
    this.#count += 1;
    const digest = createHmac('sha256', this.#seed).update(String(this.#count)).digest();
    // 48 bits against bounds of thousands: no bias that matters.
    return digest.readUIntBE(0, 6) % bound;
  }

  one<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Fault('internal', 'a choice among nothing');
    return item;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    return items.map(() => {
      const at = this.below(left.length);
      const item = left[at];
      const last = left.pop();
      if (item === undefined || last === undefined)
        throw new Fault('internal', 'a choice among nothing');
      if (at < left.length) left[at] = last;
      return item;
    });
  }
}

/**
 * The runs in their order; what is run again is the same variant. One half of all assertions is altered in one, the other
 * half in another, so that each must fail once, whichever a program chooses to cheat on; and a single one in a third: who
 * looks at how much disagrees with what he knows sees there what he sees in the real run. Precondition: there is a site.
 */
export function chooseVariants(units: readonly Unit[], seed: Uint8Array): readonly Variant[] {
  const draw = new Draw(seed);
  const targets = draw.shuffled(units.flatMap(targetsOf));
  const values = targets.filter(({ sites }) => sites.some(({ kind }) => kind !== 'truth'));
  const half = Math.ceil(targets.length / 2);
  const halves = [targets.slice(0, half), targets.slice(half)];
  // Not one that is altered alone already, where there are others.
  const others = values.filter((each) =>
    halves.every((part) => part.length > 1 || part[0] !== each),
  );
  const chosen = [...halves, [draw.one(others.length > 0 ? others : values)]];
  const canaries = chosen
    .filter((each, index) => each.length > 0 && (index < 2 || targets.length > 1))
    .map((each) => ({ altered: each.map((target) => alterationOf(target, draw)) }));
  return draw.shuffled(beyondLuck([{ altered: [] }, ...canaries]));
}

/** Whether these are the tests as they are. */
export function isReal({ altered }: Variant): boolean {
  return altered.length === 0;
}

/** What has to be run yet of a program that earns nothing: the tests as they are, once, for the verdict. */
export function forVerdict(left: readonly Variant[], ran: readonly Variant[]): readonly Variant[] {
  return ran.some(isReal) ? [] : left.filter(isReal).slice(0, 1);
}

/** A program that says by chance in each run which assertions hold is believed once in so many times at most. */
const LUCK_MAX = 1 / 256;

/**
 * As many further runs of the same as it takes. Who cannot tell the runs apart does best to guess each outcome as often as
 * it comes; where a test has few assertions, that would be right too often.
 */
function beyondLuck(variants: readonly Variant[]): readonly Variant[] {
  const byOutcome = [...Map.groupBy(variants, outcomeOf).values()];
  const luck = (): number => {
    const all = byOutcome.reduce((sum, { length }) => sum + length, 0);
    return byOutcome.reduce((product, { length }) => product * (length / all) ** length, 1);
  };
  while (luck() > LUCK_MAX) {
    const rarest = byOutcome.reduce((one, other) => (other.length < one.length ? other : one));
    rarest.push(...rarest.slice(0, 1));
  }
  return byOutcome.flat();
}

/** Equal for variants that are judged alike: by how often each assertion fails in each row, not by which cells do it. */
function outcomeOf({ altered }: Variant): string {
  const places = altered.map(({ unit, site: { at, row } }) => JSON.stringify([unit.id, at, row]));
  return JSON.stringify(places.toSorted());
}

/** One assertion, in one row of a parametrized test or in all of them, and how it can be altered. */
interface Target {
  readonly unit: Unit;
  readonly sites: readonly Site[];
}

function targetsOf(unit: Unit): Target[] {
  const byAssertion = Map.groupBy(unit.sites, ({ at }) => at).values();
  return [...byAssertion].flatMap((sites) => {
    const byRow = Map.groupBy(sites, ({ row, cell = null }) =>
      cell === null ? row : `${row}/${cell}`,
    );
    // What fails in all rows would leave nothing to see in one.
    if (byRow.size > 1) byRow.delete(null);
    return [...byRow.values()].map((each) => ({ unit, sites: each }));
  });
}

function alterationOf({ unit, sites }: Target, draw: Draw): Alteration {
  const site = draw.one(sites);
  return { unit, site, text: draw.one(site.texts) };
}

/**
 * The tests with the literals of a run, and with what every run has put into them. Throws Fault for places outside of the
 * texts.
 */
export function withAlterations(
  tests: AlterableTests,
  { altered }: Variant,
  always: readonly Splice[] = [],
): AlterableTests {
  const splices = altered.map(({ unit: { piece }, site: { start, end }, text }) => ({
    ...{ piece, start, end },
    text,
  }));
  const byPiece = Map.groupBy([...always, ...splices], ({ piece }) => piece);
  const spliced = (piece: string, text: string): string => splice(text, byPiece.get(piece) ?? []);
  const { cases, code, files } = tests;
  return {
    ...tests,
    ...(cases && { cases: cases.map((text, index) => spliced(`cases/${index}`, text)) }),
    ...(code !== undefined && { code: spliced('code', code) }),
    ...(files && {
      files: Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path, spliced(`files/${path}`, text)]),
      ),
    }),
  };
}

function splice(text: string, splices: readonly Splice[]): string {
  if (splices.length === 0) return text;
  const bytes = Buffer.from(text);
  const ordered = splices.toSorted((a, b) => a.start - b.start);
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of ordered) {
    if (start < at || end < start || end > bytes.length)
      throw new Fault('test_runner_failed', 'the planner names a place that is not there');
    parts.push(bytes.subarray(at, start), Buffer.from(replacement));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]).toString('utf8');
}
