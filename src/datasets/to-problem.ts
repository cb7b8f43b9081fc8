/** The door of this folder: a row as a trainer holds it, to a problem or to the reason why it is none. Pure. */
import { DATASET_BOUNDS } from '../domain/limits.ts';
import { isDeeperThan, isObject } from './decode/value.ts';
import type { Row } from './fields.ts';
import type { Problem, SingleTests } from './problem.ts';
import { RowError, type RowErrorCode } from './row-error.ts';
import { SCHEMAS } from './schemas/all.ts';
import type { Schema } from './schemas/schema.ts';
import { testsElsewhere } from './test-list.ts';
import { checkIds } from './test-text.ts';

export type RowResult =
  | { readonly kind: 'problem'; readonly problem: Problem }
  | {
      /** This row only: its reward is null, the other rows of a batch are judged. */
      readonly kind: 'rejection';
      readonly code: RowErrorCode;
      /** In the row, e.g. `input_output.outputs`; "" for all of it. Never holds test data, nor does the message. */
      readonly path: string;
      readonly message: string;
    };

export type Detection =
  | { readonly kind: 'schema'; readonly name: string }
  /** `looked` says which fields each schema has. */
  | { readonly kind: 'unknown'; readonly looked: string };

/** Which data set a row is of, by its fields. */
export function detect(row: unknown): Detection {
  const schema = isObject(row) ? SCHEMAS.find((each) => each.matches(row)) : undefined;
  if (schema !== undefined) return { kind: 'schema', name: schema.name };
  const looked = SCHEMAS.map((each) => `${each.name}: ${each.looksFor}`).join('; ');
  return { kind: 'unknown', looked };
}

/** The names that `toProblem` takes, in the order of detection. */
export function schemaNames(): readonly string[] {
  return SCHEMAS.map(({ name }) => name);
}

/**
 * The problem of a row. `schema` is a name of `schemaNames()`, or `auto` to look at the fields. Rows are best parsed with
 * `parseExactJSON`, for a plain `JSON.parse` makes 1.0 to 1 before anybody can tell. Linear in the row, up to a second
 * for the largest that is accepted: a service calls it off its main thread.
 */
export function toProblem(row: unknown, schema = 'auto'): RowResult {
  try {
    return { kind: 'problem', problem: read(row, schema) };
  } catch (cause) {
    if (!(cause instanceof RowError)) throw cause;
    return { kind: 'rejection', code: cause.code, path: cause.path, message: cause.message };
  }
}

function read(row: unknown, name: string): Problem {
  if (!isObject(row)) throw new RowError('invalid', '', 'a row is an object');
  if (isDeeperThan(row, DATASET_BOUNDS.depth))
    throw new RowError('invalid', '', `is nested more than ${DATASET_BOUNDS.depth} deep`);
  const problem = readWith(row, name);
  const { tests } = problem;
  checkIds(
    (tests.kind === 'mixed' ? tests.parts.map((part) => part.tests) : [tests]).flatMap(idsIn),
  );
  return problem;
}

/** Of a row without tests that names a test set, that is told. */
function readWith(row: Row, name: string): Problem {
  try {
    return schemaOf(row, name).read(row);
  } catch (cause) {
    const isWithout = cause instanceof RowError && (cause.code === 'no_tests' || cause.path === '');
    if (isWithout && typeof row['testset'] === 'string') throw testsElsewhere();
    throw cause;
  }
}

function idsIn(tests: SingleTests): readonly string[] {
  const isNamed = tests.kind === 'stdio' || tests.kind === 'function';
  return isNamed ? tests.cases.map(({ id }) => id) : [];
}

function schemaOf(row: Row, name: string): Schema {
  const wanted = name === 'auto' ? detect(row) : { kind: 'schema' as const, name };
  if (wanted.kind === 'unknown')
    throw new RowError('invalid', '', `is of no known data set. Looked for ${wanted.looked}`);
  const schema = SCHEMAS.find((each) => each.name === wanted.name);
  if (schema !== undefined) return schema;
  const names = schemaNames().join(', ');
  throw new RowError('invalid', '', `no such schema; there are auto, ${names}`);
}
