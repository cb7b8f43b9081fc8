/**
 * A row as text, to what a judge needs of it, in plain data that crosses threads: requests as JSON text, since numbers
 * as they are written do not survive a copy. Pure.
 */
import { DecodeError } from './decode/value.ts';
import { parseExactJSON } from './decode/exact-json.ts';
import type { Build, FunctionTests, Problem } from './problem.ts';
import { toProblem, type RowResult } from './to-problem.ts';
import { toWire } from './to-wire.ts';

/** One request's worth of a row: the fields of a judge request that are the problem's, as JSON. */
export interface ReadPart {
  readonly body: string;
  /** As `WirePart.positions`. */
  readonly positions: readonly number[] | null;
}

export interface ReadProblem {
  readonly kind: 'problem';
  readonly schema: string;
  /** Null where any language will do. */
  readonly language: string | null;
  readonly build: Build;
  readonly notes: readonly string[];
  /** What tests may call, where the program's own text decides between a function and a class `Solution`. */
  readonly choice: Pick<FunctionTests, 'entry' | 'name'> | null;
  /** The requests for each entry of the choice; under "" where there is none. */
  readonly parts: Readonly<Record<string, readonly ReadPart[]>>;
}

export type RowReading = ReadProblem | Extract<RowResult, { kind: 'rejection' }>;

export interface ReadTask {
  /** The row as JSON. */
  readonly text: string;
  /** A name of `schemaNames()`, or `auto`. */
  readonly schema: string;
}

export function readRow({ text, schema }: ReadTask): RowReading {
  const result = parsed(text, schema);
  if (result.kind === 'rejection') return result;
  const { problem } = result;
  const { language, build, notes } = problem;
  const choice = choiceOf(problem);
  const parts =
    choice === null
      ? { '': textsOf(problem) }
      : Object.fromEntries(
          entriesOf(choice).map((each) => [each.entry, textsOf(problem, each.like)]),
        );
  return { kind: 'problem', schema: problem.schema, language, build, notes, choice, parts };
}

function parsed(text: string, schema: string): RowResult {
  try {
    return toProblem(parseExactJSON(text), schema);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { kind: 'rejection', code: 'invalid', path: '', message: error.message };
  }
}

function choiceOf({ tests }: Problem): ReadProblem['choice'] {
  const all = tests.kind === 'mixed' ? tests.parts.map((part) => part.tests) : [tests];
  const calls = all.find((each) => each.kind === 'function');
  return calls === undefined || calls.name === null
    ? null
    : { entry: calls.entry, name: calls.name };
}

/** The entries there may be, each with the beginning of a program that has it. */
function entriesOf({ entry, name }: NonNullable<ReadProblem['choice']>) {
  const all = [
    { entry, like: '' },
    { entry: `Solution().${name}`, like: 'class Solution:' },
    { entry: name ?? '', like: `def ${name}():` },
  ];
  return all.filter((each, at) => all.findIndex((other) => other.entry === each.entry) === at);
}

function textsOf(problem: Problem, like?: string): ReadPart[] {
  return toWire(problem, like).map(({ body, positions }) => ({
    body: JSON.stringify(body),
    positions,
  }));
}
