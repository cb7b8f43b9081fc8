/**
 * Finds where a text stops being JSON (RFC 8259). Runs only on text that `JSON.parse` has refused, since the
 * engine's own message quotes the text and often lacks the position.
 */

export interface JSONError {
  /** Index of the first character that cannot stand there, from 0, in UTF-16 units. */
  readonly position: number;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly reason: string;
}

type Expecting = 'value' | 'valueOrEnd' | 'nameOrEnd' | 'name' | 'colon' | 'commaOrEnd' | 'nothing';

const REASONS: Record<Expecting, string> = {
  value: 'a value was expected',
  valueOrEnd: 'a value or "]" was expected',
  nameOrEnd: 'a name or "}" was expected',
  name: 'a name was expected',
  colon: '":" was expected',
  commaOrEnd: '"," or the end of the list or object was expected',
  nothing: 'nothing more was expected',
};

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Preconditions: `JSON.parse(text)` throws a SyntaxError. */
export function findJSONError(text: string): JSONError {
  const { position, expecting } = scan(text);
  const { line, start } = lineOf(text, position);
  const column = position - start + 1;
  const reason = position >= text.length ? `the text ends too early: ${expecting}` : expecting;
  return { position, line, column, reason };
}

/** The line of a position, from 1, and where it begins; counted without a list of lines, which could be as many as bytes. */
function lineOf(text: string, position: number): { line: number; start: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, start };
}

function scan(text: string): { position: number; expecting: string } {
  const open: ('{' | '[')[] = [];
  let expecting: Expecting = 'value';
  let at = 0;
  for (;;) {
    at = skip(SPACE, text, at);
    const character = text[at];
    if (character === undefined) return { position: text.length, expecting: REASONS[expecting] };
    const step = next(text, { at, character, expecting, open });
    if (step.failedAt !== null)
      return { position: step.failedAt, expecting: step.reason ?? REASONS[expecting] };
    at = step.at;
    expecting = step.expecting;
  }
}

interface State {
  readonly at: number;
  readonly character: string;
  readonly expecting: Expecting;
  readonly open: ('{' | '[')[];
}

interface Step {
  readonly at: number;
  readonly expecting: Expecting;
  readonly failedAt: number | null;
  readonly reason?: string;
}

function next(text: string, { at, character, expecting, open }: State): Step {
  const fail = (failedAt: number, reason?: string): Step => ({
    at: failedAt,
    expecting,
    failedAt,
    ...(reason === undefined ? {} : { reason }),
  });
  const go = (to: number, then: Expecting): Step => ({ at: to, expecting: then, failedAt: null });
  const after = (): Expecting => (open.length === 0 ? 'nothing' : 'commaOrEnd');
  const inObject = open.at(-1) === '{';
  if (expecting === 'nothing') return fail(at);
  if (expecting === 'colon') return character === ':' ? go(at + 1, 'value') : fail(at);
  const mayEnd =
    expecting === 'valueOrEnd' || expecting === 'nameOrEnd' || expecting === 'commaOrEnd';
  if (mayEnd && character === (inObject ? '}' : ']')) {
    open.pop();
    return go(at + 1, after());
  }
  if (expecting === 'commaOrEnd') {
    return character === ',' ? go(at + 1, inObject ? 'name' : 'value') : fail(at);
  }
  const wantsName = expecting === 'name' || expecting === 'nameOrEnd';
  if (character === '"') {
    const string = scanString(text, at + 1);
    if (string.failed) return fail(string.end, stringReason(text[string.end]));
    return go(string.end, wantsName ? 'colon' : after());
  }
  if (wantsName) return fail(at);
  if (character === '{' || character === '[') {
    open.push(character);
    return go(at + 1, character === '{' ? 'nameOrEnd' : 'valueOrEnd');
  }
  const end = Math.max(skip(NUMBER, text, at), skip(WORD, text, at));
  return end > at ? go(end, after()) : fail(at);
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Why a string cannot go on with this character; undefined is the end of the text. */
function stringReason(character: string | undefined): string {
  if (character === undefined) return 'a string has no closing quote';
  if (character === '\\')
    return 'a string holds a backslash that begins no escape; write it as \\\\';
  const name = Object.hasOwn(ESCAPES, character) ? ESCAPES[character] : undefined;
  return name === undefined
    ? 'a string holds a control character; escape it as \\u00XX'
    : `a string holds a raw control character; escape it as ${name}`;
}

/** From behind the opening quote to behind the closing one, or to the character that may not stand there. */
function scanString(text: string, start: number): { end: number; failed: boolean } {
  let at = start;
  for (;;) {
    at = skip(PLAIN_CHARACTERS, text, at);
    if (text[at] === '"') return { end: at + 1, failed: false };
    const escaped = skip(ESCAPE, text, at);
    if (escaped === at) return { end: at, failed: true };
    at = escaped;
  }
}

/** Where a sticky pattern's match at `at` ends; `at` itself when there is none. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
