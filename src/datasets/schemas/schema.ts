/** What a schema is: how a row of it is recognised and read. One module per data set, or per family that shares a shape. */
import type { Row } from '../fields.ts';
import type { Problem, StdioCase } from '../problem.ts';
import { idOf, statementOf } from '../fields.ts';
import { RowError } from '../row-error.ts';

export interface Schema {
  readonly name: string;
  /** The fields by which it is recognised, in words. */
  readonly looksFor: string;
  readonly matches: (row: Row) => boolean;
  /** Throws RowError. */
  readonly read: (row: Row) => Problem;
}

/** A problem with what most rows do not have left out. Throws RowError where its tests tell nothing. */
export function toProblemOf(
  schema: string,
  row: Row,
  given: Pick<Problem, 'tests' | 'language'> & Partial<Problem>,
): Problem {
  const { tests, compare = null } = given;
  // An empty program would pass them all; rows whose outputs were lost look like that.
  if (tests.kind === 'stdio' && compare === null && !tests.cases.some(expectsOutput)) {
    throw new RowError('no_tests', 'tests', 'expect no output at all: every silent program passes');
  }
  return {
    schema,
    id: idOf(row),
    compare: null,
    scoring: null,
    limits: { cpuMs: null, memoryBytes: null },
    prompt: statementOf(row),
    entry: tests.kind === 'function' || tests.kind === 'check' ? tests.entry : null,
    reference: null,
    build: { kind: 'as_is' },
    grader: null,
    notes: [],
    ...given,
  };
}

function expectsOutput({ expectedStdout }: StdioCase): boolean {
  return expectedStdout.trim() !== '';
}

/** A reference in a language, if there is one. */
export function referenceOf(language: string, code: string | null): Problem['reference'] {
  return code === null ? null : { language, code };
}
