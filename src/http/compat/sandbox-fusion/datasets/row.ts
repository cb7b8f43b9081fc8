/** Columns of a row that a caller provides: texts, and values that may come as JSON text. Throws BadRequest. */
import type { SourceFile } from '../../../../domain/submission.ts';
import { createErrors, toFiles } from '../../../native/checks.ts';
import { BadRequest } from '../errors.ts';
import { isObject, type Row } from './schema.ts';

/** What all of them read. Throws BadRequest with everything that is wrong, not with the first alone. */
export function readAll<Parts extends Readonly<Record<string, unknown>>>(readers: {
  readonly [Name in keyof Parts]: () => Parts[Name];
}): Parts {
  const problems: string[] = [];
  const read = Object.entries<() => unknown>(readers).map(([name, reader]): [string, unknown] => {
    try {
      return [name, reader()];
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      problems.push(error.message);
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new BadRequest(problems.join('; '));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a value for each name, made by its reader
  return Object.fromEntries(read) as Parts;
}

/** A text that has to be there. */
export function textIn(row: Row, ...names: readonly string[]): string {
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'string') return value;
  }
  throw new BadRequest(`provided_data has no text ${names.join(' or ')}`);
}

/** The column's value, decoded where it is JSON text; null if it is not there. */
export function valueIn(row: Row, name: string): unknown {
  const value = row[name] ?? null;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new BadRequest(`provided_data.${name} is no JSON text`);
  }
}

export function objectIn(row: Row, name: string): Row {
  const value = valueIn(row, name);
  if (isObject(value)) return value;
  throw new BadRequest(`provided_data.${name} is not an object`);
}

/** The first that is a text; "" if none is. */
export function firstText(...values: readonly unknown[]): string {
  return values.find((value) => typeof value === 'string') ?? '';
}

/** {} where there is none. */
export function labelsIn(row: Row): Row {
  const value = valueIn(row, 'labels');
  return isObject(value) ? value : {};
}

export function textsIn(row: Row, name: string): readonly string[] {
  const value = valueIn(row, name);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new BadRequest(`provided_data.${name} is not a list of texts`);
}

export function idIn(row: Row, ...names: readonly string[]): number | string {
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'string' || typeof value === 'number') return value;
  }
  throw new BadRequest(`provided_data has no ${names.join(' or ')}`);
}

/** Files beside a program: path → base64, or JSON text of that; nulls are left out. */
export function filesIn(asset: unknown): readonly SourceFile[] {
  const value = valueIn({ asset }, 'asset');
  if (value === null) return [];
  if (!isObject(value)) throw new BadRequest('provided_data.test.asset is not an object');
  const given = Object.entries(value).filter(([, content]) => content !== null);
  const files: Record<string, { base64: string }> = {};
  for (const [path, content] of given) {
    if (typeof content !== 'string')
      throw new BadRequest('provided_data.test.asset holds what is no base64');
    files[path] = { base64: content };
  }
  const errors = createErrors();
  const checked = toFiles(files, ['test', 'asset'], errors);
  const [first] = errors.list;
  if (first !== undefined) throw new BadRequest(`provided_data.${first.path}: ${first.message}`);
  return checked;
}
