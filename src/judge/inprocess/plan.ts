/** What is known of tests before they share a process with a program: the planner's answer (runners/python/split/planner.py). */
import { z } from 'zod';

/** Where a literal can be altered, and what then fails. */
const Site = z.strictObject({
  /** The assertion, by number; numbers go through all texts. */
  at: z.int(),
  /** A value compared with, a class of exceptions expected, or something that must be true. */
  kind: z.enum(['value', 'error', 'truth']),
  /** Bytes of the piece. */
  start: z.int().min(0),
  end: z.int().min(0),
  texts: z.array(z.string()).min(1),
  /** Of a parametrized test, the only row that fails; null: all of it. */
  row: z.int().nullable(),
  /** Of an assertion that is reached for many literals, the only time that fails; null: each time. */
  cell: z.int().nullish(),
});
export type Site = z.infer<typeof Site>;

const Unit = z.strictObject({
  /** Of the test; results of rows add `[…]` to it. */
  id: z.string(),
  /** The text in which it is: `cases/0`, `code`, `files/test_x.py`. */
  piece: z.string(),
  has_rows: z.boolean(),
  /** How many results it has; null where only running tells. */
  rows: z.int().nullable(),
  /** Whether all that could be altered is an example of the prompt. */
  shown: z.boolean(),
  /** Numbers of the assertions that a passed test has reached. */
  sure: z.array(z.int()),
  sites: z.array(Site),
});
export type Unit = z.infer<typeof Unit>;

export const Planned = z.union([
  z.strictObject({ units: z.array(Unit).min(1) }),
  /** Why these tests cannot be judged in this way. */
  z.strictObject({ problem: z.string() }),
  /** Why they are no tests. */
  z.strictObject({ broken: z.string() }),
]);
export type Planned = z.infer<typeof Planned>;

/** What of the tests' wire holds text that can be altered. */
export const AlterableTests = z.looseObject({
  cases: z.array(z.string()).optional(),
  code: z.string().optional(),
  files: z.record(z.string(), z.string()).optional(),
});
export type AlterableTests = z.infer<typeof AlterableTests>;

/** Text that takes the place of bytes of a piece. */
const Splice = z.strictObject({
  piece: z.string(),
  start: z.int().min(0),
  end: z.int().min(0),
  text: z.string(),
});
export type Splice = z.infer<typeof Splice>;

/** What a literal is, by which it can be altered (`literals.ts`). */
const LiteralKind = z.enum(['integer', 'float', 'bool', 'char', 'string', 'text']);
export type LiteralKind = z.infer<typeof LiteralKind>;

/** A tolerance of a comparison: what is nearer counts as equal. */
const Near = z.strictObject({ abs: z.number().min(0) });
export type Near = z.infer<typeof Near>;

/** What the planner of a harness answers: literals and not what they become, and what every run's tests have in them. */
export const HarnessPlan = z.union([
  z.strictObject({
    units: z
      .array(
        Unit.extend({
          sites: z.array(
            Site.extend({
              texts: z.array(z.string()),
              literal: LiteralKind.or(z.literal('')),
              near: Near.nullable(),
              /** Texts that must not take its place: a set refuses two of the same. */
              avoided: z.array(z.string()).default([]),
            }),
          ),
        }),
      )
      .min(1),
    /** Of equal places the earlier one comes first. */
    splices: z.array(Splice),
    /** Arguments of each run. */
    args: z.array(z.string()),
  }),
  z.strictObject({ problem: z.string() }),
  z.strictObject({ broken: z.string() }),
]);
export type HarnessPlan = z.infer<typeof HarnessPlan>;
