/**
 * What a trainer's label says of a problem. A remote reward model is given a prompt, an answer and a label and nothing
 * else, so the label holds the tests: a row of a data set, a list of tests, or a problem in the words of `/v1/judge`. Pure.
 */
import { Rejection } from '../../../domain/errors.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';

export type Label =
  /** A row as JSON, for the reader of data sets. */
  | { readonly kind: 'row'; readonly text: string }
  /** Fields of a judge request. */
  | { readonly kind: 'problem'; readonly fields: Readonly<Record<string, unknown>> };

/**
 * Throws Rejection `invalid` at `path`. A label that is no text has its numbers as they were written (`parseExactNumbers`).
 * Text that is no JSON object is a list of tests in one of the encodings of rows.
 */
export function readLabel(label: unknown, path: string): Label {
  return below(path, () => read(label, path));
}

/** Says of what is wrong with a part of a label where the label is. */
export function below<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Rejection) || error.context.errors === undefined) throw error;
    const errors = error.context.errors.map((each) => ({
      ...each,
      path: each.path.startsWith(path) ? each.path : `${path}.${each.path}`,
    }));
    throw new Rejection(error.code, { ...error.context, errors }, { cause: error });
  }
}

function read(label: unknown, path: string): Label {
  if (typeof label === 'string') return ofText(label, path);
  if (typeof label !== 'object' || label === null) throw noLabel(path);
  if (Array.isArray(label)) return { kind: 'row', text: JSON.stringify({ tests: label }) };
  return ofText(JSON.stringify(label), path);
}

function ofText(text: string, path: string): Label {
  if (text.trim() === '') throw noLabel(path);
  const parsed = /^\s*\{/.test(text) ? parse(text) : null;
  if (parsed === null) return { kind: 'row', text: JSON.stringify({ tests: text }) };
  return ofObject(parsed, text);
}

/** Null for what is no JSON: a Python literal perhaps, which the reader of rows knows. Other faults are thrown. */
function parse(text: string): object | null {
  try {
    const value = parseJSON(Buffer.from(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch (error) {
    if (error instanceof Rejection && error.code === 'malformed_json') return null;
    throw error;
  }
}

function ofObject(fields: object, text: string): Label {
  const isProblem =
    ('testset' in fields && typeof fields.testset === 'string') ||
    ('tests' in fields &&
      typeof fields.tests === 'object' &&
      fields.tests !== null &&
      'kind' in fields.tests);
  return isProblem ? { kind: 'problem', fields: { ...fields } } : { kind: 'row', text };
}

function noLabel(path: string): Rejection {
  const message = 'holds the tests: a row of a data set, a list of tests, or {"testset": …}';
  return new Rejection('invalid', { detail: `${path}: ${message}`, errors: [{ path, message }] });
}
