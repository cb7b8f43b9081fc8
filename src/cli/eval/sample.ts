/** What a line of a file of samples says: the forms of human-eval and evalplus, or a whole judge request. Pure. */
import { z } from 'zod';

import { sha256 } from './digest.ts';

/** A program for a problem that others describe. */
export interface TaskSample {
  readonly kind: 'task';
  readonly taskId: string;
  /** `answer`: what a model said or went on with (`completion`); `program`: all of it (`solution`, `code`). */
  readonly form: 'answer' | 'program';
  readonly text: string;
  readonly language: string | null;
}

/** A body of `/v1/judge`, sent as it is written. */
interface NativeSample {
  readonly kind: 'native';
  /** The problem it is counted under. */
  readonly taskId: string;
  readonly text: string;
  readonly code: string;
}

export type Sample =
  | TaskSample
  | NativeSample
  | { readonly kind: 'unreadable'; readonly reason: string };

const Named = z.union([z.string(), z.number().transform(String)]);
const FormFields = z.looseObject({
  completion: z.string().optional(),
  solution: z.string().optional(),
  code: z.string().optional(),
  language: z.string().optional(),
});
/** Names of the field that says whose sample it is, as data sets have them; the first that is there counts. */
const ID_FIELDS = ['task_id', 'problem_id', 'question_id', 'hash_id', 'id', 'name'];

/** Reads one line. What is wrong with it is said without quoting it. */
export function parseSample(line: string): Sample {
  const value = parsed(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'unreadable', reason: 'the line is no JSON object' };
  if ('tests' in value || 'testset' in value) return native(value, line);
  const fields = FormFields.safeParse(value);
  if (!fields.success)
    return {
      kind: 'unreadable',
      reason: '`completion`, `solution`, `code` and `language` are texts',
    };
  const taskId = taskOf(value);
  if (taskId === null) return { kind: 'unreadable', reason: 'the line has no `task_id`' };
  const { completion, solution, code, language = null } = fields.data;
  const program = solution ?? code;
  if ((program === undefined) === (completion === undefined))
    return {
      kind: 'unreadable',
      reason: 'the line has to have one of `completion` and `solution` (or `code`)',
    };
  return program === undefined
    ? { kind: 'task', taskId, form: 'answer', text: completion ?? '', language }
    : { kind: 'task', taskId, form: 'program', text: program, language };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function taskOf(value: object): string | null {
  const entries = new Map<string, unknown>(Object.entries(value));
  for (const name of ID_FIELDS) {
    const id = Named.safeParse(entries.get(name));
    if (id.success && id.data !== '') return id.data;
  }
  return null;
}

const Native = z.looseObject({
  testset: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  code: z.string().optional(),
  completion: z.string().optional(),
});

/** The service says what is wrong with it; here only the name of its problem is looked for. */
function native(value: object, text: string): Sample {
  const read = Native.safeParse(value);
  const { testset, labels, code, completion } = read.success
    ? read.data
    : { testset: undefined, labels: {}, code: undefined, completion: undefined };
  const named = labels['task_id'] ?? labels['problem'] ?? testset?.replace(/@.*$/, '');
  const tests = 'tests' in value ? value.tests : null;
  const taskId = named ?? `tests ${sha256(JSON.stringify(tests) ?? '').slice(0, 12)}`;
  return { kind: 'native', taskId, text, code: code ?? completion ?? '' };
}
