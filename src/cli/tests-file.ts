/** Reads the tests of `assay judge`: a JSON or JSON-lines file, or a folder of input and answer files. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { UsageError } from './exit-codes.ts';

/** The wire's `File`. */
export type WireFile = string | { readonly base64: string };

async function wireFile(name: string): Promise<WireFile> {
  return toWireFile(await readFile(name));
}

/** A file as text where it is UTF-8, else as base64. */
export function toWireFile(bytes: Buffer): WireFile {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : { base64: bytes.toString('base64') };
}

const ANSWER_SUFFIXES = ['.ans', '.out', '.a'] as const;

/**
 * The wire's `tests` object. A folder holds `NAME.in` with `NAME.ans` or `NAME.out`; a JSON file holds a `tests`
 * object or a list of cases; a `.jsonl` file holds a case a line. Throws UsageError.
 */
export async function readTests(name: string): Promise<unknown> {
  const facts = await stat(name).catch(() => null);
  if (facts === null) throw new UsageError(`${name}: no such file or folder`);
  if (facts.isDirectory()) return { kind: 'stdio', cases: await folderCases(name) };
  const text = await readFile(name, 'utf8');
  try {
    if (name.endsWith('.jsonl')) {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return { kind: 'stdio', cases: lines.map((line): unknown => JSON.parse(line)) };
    }
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? { kind: 'stdio', cases: parsed } : parsed;
  } catch (cause) {
    throw new UsageError(`${name} is not valid JSON`, { cause });
  }
}

/** 2.in before 10.in. */
export const { compare: byNumber } = new Intl.Collator('en', { numeric: true });

async function folderCases(folder: string): Promise<object[]> {
  const names = new Set(await readdir(folder));
  const inputs = [...names].filter((file) => file.endsWith('.in')).toSorted(byNumber);
  if (inputs.length === 0) throw new UsageError(`${folder} holds no *.in files`);
  return await Promise.all(
    inputs.map(async (input) => {
      const id = input.slice(0, -'.in'.length);
      const answer = ANSWER_SUFFIXES.map((suffix) => id + suffix).find((file) => names.has(file));
      if (answer === undefined) {
        throw new UsageError(`${folder}/${input} has no answer file (${id}.ans or ${id}.out)`);
      }
      return {
        id,
        stdin: await wireFile(path.join(folder, input)),
        expected_stdout: await wireFile(path.join(folder, answer)),
      };
    }),
  );
}
