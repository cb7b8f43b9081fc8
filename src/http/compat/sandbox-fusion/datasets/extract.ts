/**
 * The program in a completion, by the original's rules: whole fenced blocks before heuristics before a fence that is
 * never closed, and of those the FIRST in the wanted language, else the first. Linear in the text. Pure.
 */
import type { ExtractedType } from './schema.ts';

export interface Extracted {
  /** "" where there is none. */
  readonly code: string;
  readonly type: ExtractedType;
}

/** What is between two fences, and in which language by the first. */
export interface Block {
  readonly language: string;
  readonly code: string;
}

/** What fences call a language; others stand for themselves, in lower case. */
const TAGS: ReadonlyMap<string, string> = new Map([
  ['py', 'python'],
  ['python3', 'python'],
  ['c++', 'cpp'],
  ['javascript', 'nodejs'],
  ['js', 'nodejs'],
  ['c#', 'csharp'],
  ['sh', 'bash'],
  ['shell', 'bash'],
  ['rs', 'rust'],
  ['ts', 'typescript'],
  ['jl', 'julia'],
]);

/** A name of a language, from a fence, a request or a row, as this module compares them. */
export function languageName(name: string): string {
  const plain = name.trim().toLowerCase();
  return TAGS.get(plain) ?? plain;
}

const FENCE = '```';

/** Blocks from a fence with a line end to the next fence that begins a line; the rest of the text if none does. */
function blocksOf(text: string): { readonly whole: Block[]; readonly open: Block | null } {
  const whole: Block[] = [];
  let at = text.indexOf(FENCE);
  while (at !== -1) {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd === -1) break;
    const language = languageName(text.slice(at + FENCE.length, lineEnd));
    const end = closingFence(text, lineEnd);
    if (end === null) return { whole, open: { language, code: text.slice(lineEnd + 1) } };
    whole.push({ language, code: text.slice(lineEnd + 1, Math.max(lineEnd + 1, end.codeEnd)) });
    at = text.indexOf(FENCE, end.fence + FENCE.length);
  }
  return { whole, open: null };
}

/** The next fence with nothing but white space before it in its line, from the end of the opening line. */
function closingFence(text: string, from: number): { codeEnd: number; fence: number } | null {
  for (let fence = text.indexOf(FENCE, from); fence !== -1;) {
    const lineStart = text.lastIndexOf('\n', fence) + 1;
    if (lineStart > from && text.slice(lineStart, fence).trim() === '')
      return { codeEnd: lineStart - 1, fence };
    // What stands before it stands before every other one of its line.
    const next = text.indexOf('\n', fence);
    fence = next === -1 ? -1 : text.indexOf(FENCE, next);
  }
  return null;
}

const IMPORT_LINE = /^(?:import|from|#)[^\n]+$/;
const HEAD_LINE = /^(?:def|class) [^\n]+$/;

/** A definition in plain text, with the imports and comments right before it and the indented lines behind it. */
function pythonDefinition(text: string): string | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const head = lines.findIndex(
    (line, at) => HEAD_LINE.test(line) && /^\s/.test(lines[at + 1] ?? ''),
  );
  if (head === -1) return null;
  let start = head;
  while (IMPORT_LINE.test(lines[start - 1] ?? '')) start -= 1;
  let end = head + 1;
  while (/^\s/.test(lines[end] ?? '')) end += 1;
  return `${lines.slice(start, end).join('\n')}\n`;
}

function heuristic(text: string, language: string): string | null {
  if (language === 'python') return pythonDefinition(text);
  if (language !== 'bash') return null;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? null : `${lines.join('\n')}\n`;
}

/** All whole blocks, in order. */
export function blocksIn(completion: string): readonly Block[] {
  return blocksOf(completion).whole;
}

/** `language` as `languageName` has it. */
export function extractCode(completion: string, language: string): Extracted {
  const { whole, open } = blocksOf(completion);
  const block = whole.find((each) => each.language === language) ?? whole[0];
  if (block !== undefined) return { code: block.code, type: 'fenced' };
  if (open !== null) return { code: open.code, type: 'incomplete_fenced' };
  const found = heuristic(completion, language);
  return found === null ? { code: '', type: 'empty' } : { code: found, type: 'heuristic' };
}

/** The text before the first of the marks. */
export function cutAt(text: string, ...marks: readonly string[]): string {
  const places = marks.map((mark) => text.indexOf(mark)).filter((place) => place !== -1);
  return places.length === 0 ? text : text.slice(0, Math.min(...places));
}

export function hasFence(text: string): boolean {
  return text.includes(FENCE);
}
