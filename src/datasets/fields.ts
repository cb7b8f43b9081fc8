/** Reading fields of a row whose types are not known: texts, lists, objects, ids, limits. Throws RowError. */
import { isList, isObject, toNumber, type Value, type ValueObject } from './decode/value.ts';
import type { ProblemLimits } from './problem.ts';
import { below, RowError } from './row-error.ts';
import { toMemoryLimitBytes, toTimeLimitMs, type Limit } from './units.ts';

export type Row = ValueObject;

/** Whether the field is there and not null. */
export function has(row: Row, name: string): boolean {
  return Object.hasOwn(row, name) && row[name] !== null && row[name] !== undefined;
}

/** The first of the fields that is a text which is not blank. */
export function textOf(row: Row, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return null;
}

/** A text that has to be there. */
export function needText(row: Row, name: string, path = ''): string {
  const text = textOf(row, name);
  if (text !== null) return text;
  throw new RowError('invalid', below(path, name), 'is a text that is not empty');
}

/** A list of texts; empty if the field is missing. */
export function textsOf(row: Row, name: string, path = ''): readonly string[] {
  const value = row[name] ?? null;
  if (value === null || value === '') return [];
  if (!isList(value)) throw new RowError('invalid', below(path, name), 'is a list of texts');
  return value.map((item, index) => {
    if (typeof item === 'string') return item;
    throw new RowError('invalid', below(below(path, name), index), 'is a text');
  });
}

/** An object; empty for what is none, since no row is refused for a field that only helps. */
export function objectOf(value: Value | undefined): ValueObject {
  return isObject(value) ? value : {};
}

const IDS = [
  'task_id',
  'problem_id',
  'question_id',
  'hash_id',
  'id',
  'uid',
  'conversation_id',
  'name',
];

/** What the row calls itself. */
export function idOf(row: Row): string | null {
  for (const name of IDS) {
    const value = row[name];
    if (typeof value === 'string' && value !== '') return value;
    const number = toNumber(value);
    if (number !== null) return String(number);
  }
  return null;
}

const STATEMENTS = [
  'prompt',
  'problem_statement',
  'problem',
  'question',
  'question_content',
  'description',
  'text',
  'statement',
  'instruction',
];

/** The text for the model: a text, or the last message of a conversation. */
export function statementOf(row: Row): string | null {
  const text = textOf(row, ...STATEMENTS);
  if (text !== null) return text;
  for (const name of ['prompt', 'messages', 'context_messages']) {
    const messages = row[name];
    if (!isList(messages)) continue;
    const last = messages.map(objectOf).findLast((message) => message['role'] === 'user');
    if (last !== undefined && typeof last['content'] === 'string') return last['content'];
  }
  return null;
}

export interface GivenLimits {
  readonly time?: Value | undefined;
  readonly memory?: Value | undefined;
  /** Of a memory limit that names none. */
  readonly memoryUnit?: 'bytes' | 'kb' | 'mb';
}

/** Limits, and a note for each that cannot be understood. */
export function limitsOf(given: GivenLimits): { limits: ProblemLimits; notes: readonly string[] } {
  const cpuMs = toTimeLimitMs(given.time);
  const memoryBytes = toMemoryLimitBytes(given.memory, given.memoryUnit ?? 'mb');
  const notes: string[] = [];
  if (cpuMs === 'unreadable') notes.push('the time limit was not understood: the default is used');
  if (memoryBytes === 'unreadable')
    notes.push('the memory limit was not understood: the default is used');
  return { limits: { cpuMs: known(cpuMs), memoryBytes: known(memoryBytes) }, notes };
}

function known(limit: Limit): number | null {
  return limit === 'unreadable' ? null : limit;
}

const FENCE = '```';

/** Code without the fence that encloses all of it. */
export function unfenced(code: string): string {
  const text = code.trim();
  const start = text.indexOf('\n') + 1;
  const end = text.length - FENCE.length;
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || start === 0 || end < start) return code;
  return text.slice(start, end).replace(/\n$/, '');
}
