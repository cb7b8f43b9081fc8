/** Rows of data sets as problems of a test set: a JSON-lines file, or a JSON list, as `POST /v1/reward` takes them. */
import { open } from 'node:fs/promises';

import { DecodeError } from '../../datasets/decode/value.ts';
import { parseExactJSON } from '../../datasets/decode/exact-json.ts';
import type { Problem } from '../../datasets/problem.ts';
import { toProblem } from '../../datasets/to-problem.ts';
import { toWire } from '../../datasets/to-wire.ts';
import { UsageError } from '../exit-codes.ts';
import type { PackedProblem } from './package.ts';

/** A file of rows as it is read into memory. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;

export interface RowProblem {
  /** From 1. */
  readonly line: number;
  /** Null where the row is no problem. */
  readonly problem: PackedProblem | null;
  readonly reason: string | null;
}

/** One for each row, in order. Throws UsageError for a file that holds none. */
export async function readRows(
  name: string,
  { schema, language }: { readonly schema: string; readonly language: string | null },
): Promise<readonly RowProblem[]> {
  const texts = rowsIn(await textOf(name), name);
  if (texts.length === 0) throw new UsageError(`${name} holds no rows`);
  const seen = new Map<string, number>();
  return texts.map((text, index) => {
    const line = index + 1;
    const read = readRow(text, { schema, language, line });
    if (read.problem === null) return { line, ...read };
    // Rows of some sets share an id; the second one gets its line.
    const count = seen.get(read.problem.id) ?? 0;
    seen.set(read.problem.id, count + 1);
    const id = count === 0 ? read.problem.id : `${read.problem.id}#${line}`;
    return { line, problem: { ...read.problem, id }, reason: null };
  });
}

async function textOf(name: string): Promise<string> {
  await using file = await open(name);
  const { size } = await file.stat();
  if (size > FILE_BYTES_MAX) throw new UsageError(`${name} is larger than 256 MiB`);
  return (await file.readFile('utf8')).replace(/^\uFEFF/, '');
}

/** A list is written anew row by row; the numbers of a line stay as they are written. */
function rowsIn(text: string, name: string): readonly string[] {
  if (!text.trimStart().startsWith('['))
    return text.split('\n').filter((line) => line.trim() !== '');
  const rows = parsed(text);
  if (!Array.isArray(rows)) throw new UsageError(`${name} is not valid JSON`);
  return rows.map((row) => JSON.stringify(row));
}

function parsed(text: string): unknown {
  try {
    return parseExactJSON(text);
  } catch (error) {
    if (error instanceof DecodeError) return null;
    throw error;
  }
}

interface RowOptions {
  readonly schema: string;
  readonly language: string | null;
  readonly line: number;
}

function readRow(text: string, { schema, language, line }: RowOptions): Omit<RowProblem, 'line'> {
  const row = parsed(text);
  if (row === null) return { problem: null, reason: 'is not valid JSON' };
  const result = toProblem(row, schema);
  if (result.kind === 'rejection') {
    const at = result.path === '' ? '' : `${result.path}: `;
    return { problem: null, reason: `${at}${result.message}` };
  }
  return ofProblem(result.problem, { language, line });
}

function ofProblem(
  problem: Problem,
  { language, line }: Pick<RowOptions, 'language' | 'line'>,
): Omit<RowProblem, 'line'> {
  const [part, other] = toWire(problem, problem.reference?.code);
  if (part === undefined || other !== undefined)
    return { problem: null, reason: 'has tests of several kinds, which one request cannot ask' };
  const of = language ?? problem.language;
  const { reference } = problem;
  return {
    problem: {
      id: problem.id?.replaceAll('@', '_') ?? String(line),
      ...(of === null ? {} : { language: of }),
      ...part.body,
      references: reference === null ? [] : [{ ...reference, language: of ?? reference.language }],
    },
    reason: null,
  };
}
