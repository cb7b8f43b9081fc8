/**
 * Public data sets of Python functions as programs of their own: the reference solution with its asserts behind it. The
 * rows are read as HumanEval, MBPP and LeetCodeDataset publish them; anything else in a file is passed over.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ReferenceProgram {
  readonly name: string;
  readonly code: string;
}

type Row = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Every program of every `*.jsonl` in the folder, in the order of the files. */
export function readReferencePrograms(folder: string): readonly ReferenceProgram[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .flatMap((line) => {
          // A line of a data set is an object; every field is looked at before it is used.
          const row = JSON.parse(line) as Row;
          const code = programOf(row);
          return code === null ? [] : [{ name: `${file} ${String(row['task_id'])}`, code }];
        }),
    );
}

function programOf(row: Row): string | null {
  const { prompt, canonical_solution: solution, completion, test, entry_point: entry } = row;
  if (Array.isArray(row['test_list'])) {
    const asserts = row['test_list'].map(text);
    return [row['code'], row['test_setup_code'], ...asserts, 'print("passed")'].join('\n');
  }
  if (typeof test !== 'string') return null;
  const body =
    solution === undefined
      ? `${text(prompt)}\n${text(completion)}`
      : `${text(prompt)}${text(solution)}`;
  return `${body}\n${test}\ncheck(${text(entry)})\nprint("passed")\n`;
}
