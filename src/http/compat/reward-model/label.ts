/**
 * What a trainer's label says of a problem. A remote reward model is given a prompt, an answer and a label and nothing
 * else, so the label holds the tests: a row of a data set, a list of tests, or a problem in the words of `/v1/judge`. Pure.
 */
import { Rejection } from '../../../domain/errors.ts';
import { keepExactNumbers } from '../../../lib/exact-numbers.ts';

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

function parse(text: string): object | null {
  try {
    const value = keepExactNumbers(JSON.parse(text), text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    // Not JSON: a Python literal perhaps, which the reader of rows knows.
    return null;
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
