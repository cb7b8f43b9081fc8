/**
 * Tests that lie in one process with the program they test can be made to pass by a program that ends the process, equals
 * everything or reads the result. The same tests with one expected value altered must fail with an honest program; one
 * that passes them too does not pass by its answers. Knows how assertions are written, no language. Pure.
 */
import { alterDigits, type Draw } from './altered-digits.ts';

/** How a line says what it expects: texts that it has, and the mark before the expected value, which ends at a comma. */
const EXPECTATIONS: readonly { readonly has: readonly string[]; readonly mark: string }[] = [
  { has: ['expected:'], mark: 'expected:' },
  { has: ['assert', '.equals('], mark: '.equals(' },
  { has: ['assert', '=='], mark: '==' },
  { has: ['[[', ' = '], mark: ' = ' },
  ...['assert_eq!(', '.equal(', '.deepEqual(', '.strictEqual(', '.deepStrictEqual('].map(
    (call) => ({ has: ['assert', call], mark: ',' }),
  ),
];
/** Prints and goes on: the program ends well whatever it finds. */
const TOOTHLESS = 'console.assert';
const TRUTH: ReadonlySet<string> = new Set(['true', 'false', 'True', 'False']);
/** An exponent and its sign are part of a number. */
const WORD = /\d[\d_.]*[eE][+-]\d+\w*|[\w.]+/y;
/** A decimal one, whole or with a point, and what languages put behind it to say its type. */
const NUMBER = /^(0|[1-9]\d*|\d+\.\d+)(?:[fFdDlLuU]{1,3}|[iuf](?:8|16|32|64|128|size))?$/;
/** Longer tests, and longer lines, are looked at no further. */
const TESTS_CHARS_MAX = 4 * 1024 * 1024;
const LINE_CHARS_MAX = 20_000;
/** Longer numbers are left as they are. */
const NUMBER_CHARS_MAX = 40;
/** Of 127 the first digit has no other within its type. */
const TRIES = 12;

/**
 * Every way to alter one expected value: the tests, each with one literal changed, as `draw` has it. Empty where none is
 * known.
 */
export function alterations(tests: string, draw: Draw): readonly (() => string)[] {
  const ways: (() => string)[] = [];
  let start = 0;
  if (tests.length > TESTS_CHARS_MAX) return ways;
  for (const line of tests.split('\n')) {
    const at = start;
    start += line.length + 1;
    const found = line.length > LINE_CHARS_MAX ? null : lastLiteral(line);
    if (found === null) continue;
    const from = at + found.index;
    ways.push(
      () =>
        tests.slice(0, from) + altered(found.text, draw) + tests.slice(from + found.text.length),
    );
  }
  return ways;
}

interface Literal {
  readonly index: number;
  readonly text: string;
}

/** The last literal of what the line expects. */
function lastLiteral(line: string): Literal | null {
  const rule = EXPECTATIONS.find(({ has }) => has.every((text) => line.includes(text)));
  if (rule === undefined || line.includes(TOOTHLESS)) return null;
  const { from, to } = expectedIn(line, rule.mark);
  return literalsIn(line, from, to).at(-1) ?? null;
}

function literalsIn(line: string, from: number, to: number): readonly Literal[] {
  const found: Literal[] = [];
  let at = from;
  while (at < to) {
    if (line[at] === '"') {
      const end = textEnd(line, at, to);
      if (end === null) break;
      found.push({ index: at, text: line.slice(at, end) });
      at = end;
      continue;
    }
    WORD.lastIndex = at;
    const word = WORD.exec(line)?.[0] ?? '';
    const number = word.length > NUMBER_CHARS_MAX ? undefined : NUMBER.exec(word)?.[1];
    if (TRUTH.has(word)) found.push({ index: at, text: word });
    else if (number !== undefined) found.push({ index: at, text: number });
    at += Math.max(1, word.length);
  }
  return found;
}

/** Behind the quote that closes the text; null if none does. */
function textEnd(line: string, from: number, to: number): number | null {
  for (let at = from + 1; at < to; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === '"') return at + 1;
  }
  return null;
}

/**
 * Behind the last mark that is in no text, to the comma that separates it from what follows. A mark that is a comma itself
 * is the first one between the arguments of the assertion.
 */
function expectedIn(line: string, mark: string): { readonly from: number; readonly to: number } {
  let from: number | null = null;
  let to = line.length;
  let outer = 0;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (isText && character === '\\') {
      at += 1;
      continue;
    }
    if (character === '"') isText = !isText;
    if (isText) continue;
    const isMark = line.startsWith(mark, at) && (mark !== ',' || (depth === 1 && from === null));
    if (isMark) {
      from = at + mark.length;
      outer = depth + (mark.endsWith('(') ? 1 : 0);
      to = line.length;
    } else if (from !== null && to === line.length && character === ',' && depth <= outer) to = at;
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
  }
  return { from: from ?? line.length, to };
}

const OPPOSITE: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
};

function altered(literal: string, draw: Draw): string {
  const opposite = OPPOSITE[literal];
  if (opposite !== undefined) return opposite;
  if (literal.startsWith('"')) return `${literal.slice(0, -1)}~"`;
  for (let n = 0; n < TRIES; n += 1) {
    const other = alterDigits(literal, draw, { mayLead: literal.includes('.'), isFirst: false });
    if (other !== null) return other;
  }
  return `1${literal}`;
}
