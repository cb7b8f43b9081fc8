/**
 * Compares a program's output with the expected one, on bytes. Pure: no verdicts, no limits, no clock. Both sides are
 * walked once with two indices and nothing is split into arrays, so 20 MB of tokens cost no memory.
 */
import type { Grader } from '../domain/profile.ts';
import type { PlainCompare } from '../domain/submission.ts';
import { compareResult } from './compare-json.ts';
import { grade } from './graders/grade.ts';
import type { Line, Span } from './bytes.ts';
import {
  counted,
  countTokens,
  excerpt,
  isSpace,
  lineAt,
  skipSpace,
  skipToken,
  spansEqual,
  trimBlankLines,
} from './bytes.ts';
import { createSpanMultiset } from './multiset.ts';
import { NUMBER_BYTES_MAX, numbersClose } from './number-token.ts';

/** `message` says where and how they differ (places count from 1); "" when equal. It may show expected bytes. */
export interface Comparison {
  readonly equal: boolean;
  readonly message: string;
}

const EQUAL: Comparison = { equal: true, message: '' };

function differs(message: string): Comparison {
  return { equal: false, message };
}

interface Sides {
  readonly expected: Uint8Array;
  readonly actual: Uint8Array;
}

/** Whether two tokens that differ as text are equal all the same. */
type TokenRule = (wanted: Span, got: Span) => boolean;

/**
 * Compares two outputs.
 *
 * - `tokens`: the same whitespace-separated tokens in the same order, each equal as bytes (testlib's wcmp), or but for the
 *   case of ASCII letters.
 * - `answers`: as `tokens`, but `yes` and `no` are equal in whatever case.
 * - `exact`: the same bytes.
 * - `lines`: equal lines after CRLF→LF, without trailing whitespace, without leading and trailing blank lines.
 * - `float`: as `tokens`, but number tokens within a tolerance are equal (rule at `numbersClose`).
 * - `result`: the same JSON value, of which the output's last line is one (rule at `compareResult`).
 * - `grader`: as a named grader does (`graders/`), which may find equal outputs wrong.
 * - `unordered`: the same multiset of tokens, or of lines without trailing whitespace and without blank lines.
 */
export function compareOutput(
  expected: Uint8Array,
  actual: Uint8Array,
  compare: PlainCompare,
): Comparison {
  const sides = { expected, actual };
  if (compare.kind === 'grader') return compareByGrader(sides, compare.grader);
  if (Buffer.compare(expected, actual) === 0) return EQUAL;
  switch (compare.kind) {
    case 'tokens':
      return compareTokens(sides, caseRule(sides, compare));
    case 'answers':
      return compareTokens(sides, (wanted, got) => {
        if (Math.max(wanted.end - wanted.start, got.end - got.start) > ANSWER_BYTES_MAX)
          return false;
        const word = textOf(expected, wanted).toLowerCase();
        return (word === 'yes' || word === 'no') && word === textOf(actual, got).toLowerCase();
      });
    case 'float': {
      const isSame = caseRule(sides, compare);
      return compareTokens(sides, (wanted, got) => {
        if (isSame(wanted, got)) return true;
        if (Math.max(wanted.end - wanted.start, got.end - got.start) > NUMBER_BYTES_MAX) {
          return false;
        }
        return numbersClose(textOf(expected, wanted), textOf(actual, got), compare);
      });
    }
    case 'exact':
      return describeFirstByte(sides);
    case 'lines':
      return compareLines(sides);
    case 'result':
      return compareResult(expected, actual, compare.tolerance);
    case 'unordered':
      return compareUnordered(sides, compare.by === 'lines' ? 'line' : 'token');
  }
}

/** "yes". */
const ANSWER_BYTES_MAX = 3;
function compareByGrader(sides: Sides, grader: Grader): Comparison {
  const reason = grade(grader, sides.expected, sides.actual);
  if (reason === null) return EQUAL;
  const { message } = compareTokens(sides, () => false);
  return differs(message === '' ? `${reason}, though all tokens are` : message);
}

/** Tokens that differ in the case of ASCII letters alone are equal where that is to be ignored. */
function caseRule(
  { expected, actual }: Sides,
  { ignoreCase = false }: { readonly ignoreCase?: boolean },
): TokenRule {
  if (!ignoreCase) return () => false;
  return (wanted, got) => {
    const length = wanted.end - wanted.start;
    if (length !== got.end - got.start) return false;
    for (let at = 0; at < length; at += 1) {
      if (lowered(expected[wanted.start + at]) !== lowered(actual[got.start + at])) return false;
    }
    return true;
  };
}

function lowered(byte = 0): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

function textOf(bytes: Uint8Array, span: Span): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + span.start, span.end - span.start).toString(
    'latin1',
  );
}

function compareTokens({ expected, actual }: Sides, rule: TokenRule): Comparison {
  let index = 0;
  let left = skipSpace(expected, 0);
  let right = skipSpace(actual, 0);
  while (left < expected.length && right < actual.length) {
    const wantedStart = left;
    const gotStart = right;
    while (left < expected.length && expected[left] === actual[right] && !isSpace(expected[left])) {
      left += 1;
      right += 1;
    }
    index += 1;
    if (!isEndOfToken(expected, left) || !isEndOfToken(actual, right)) {
      const wanted = { start: wantedStart, end: skipToken(expected, left) };
      const got = { start: gotStart, end: skipToken(actual, right) };
      if (!rule(wanted, got)) {
        const shown = `expected ${excerpt(expected, wanted)}, got ${excerpt(actual, got)}`;
        return differs(`token ${index}: ${shown}`);
      }
      left = wanted.end;
      right = got.end;
    }
    left = skipSpace(expected, left);
    right = skipSpace(actual, right);
  }
  if (left < expected.length)
    return outputEnds('token', index, index + countTokens(expected, left));
  if (right < actual.length) return extraOutput('token', index);
  return EQUAL;
}

function isEndOfToken(bytes: Uint8Array, at: number): boolean {
  return at >= bytes.length || isSpace(bytes[at]);
}

function outputEnds(unit: string, got: number, wanted: number): Comparison {
  if (got === 0) return differs(`output is empty, ${counted(wanted, unit)} expected`);
  return differs(`output ends after ${counted(got, unit)}, ${wanted} expected`);
}

function extraOutput(unit: string, count: number): Comparison {
  return differs(
    count === 0 ? 'output where none is expected' : `extra output after ${unit} ${count}`,
  );
}

function describeFirstByte({ expected, actual }: Sides): Comparison {
  const common = Math.min(expected.length, actual.length);
  let at = 0;
  let line = 1;
  while (at < common && expected[at] === actual[at]) {
    if (expected[at] === 0x0a) line += 1;
    at += 1;
  }
  const place = `byte ${at + 1} (line ${line})`;
  if (at === actual.length) {
    return differs(`output ends after ${counted(at, 'byte')}, ${expected.length} expected`);
  }
  if (at === expected.length) return differs(`extra output after byte ${at}`);
  const rest = (bytes: Uint8Array): string =>
    excerpt(bytes, { start: at, end: Math.min(bytes.length, at + 16) });
  return differs(`${place}: expected ${rest(expected)}, got ${rest(actual)}`);
}

function compareLines({ expected, actual }: Sides): Comparison {
  const left = trimBlankLines(expected);
  const right = trimBlankLines(actual);
  let index = 0;
  let leftAt = left.start;
  let rightAt = right.start;
  while (leftAt < left.end && rightAt < right.end) {
    const wanted = lineAt(expected, leftAt, left.end);
    const got = lineAt(actual, rightAt, right.end);
    index += 1;
    if (!spansEqual({ bytes: expected, ...wanted }, { bytes: actual, ...got })) {
      const shown = `expected "${excerpt(expected, wanted)}", got "${excerpt(actual, got)}"`;
      return differs(`line ${index}: ${shown}`);
    }
    leftAt = wanted.next;
    rightAt = got.next;
  }
  if (leftAt < left.end) {
    let total = index;
    forEachLine(expected, { start: leftAt, end: left.end }, () => {
      total += 1;
      return true;
    });
    return outputEnds('line', index, total);
  }
  return rightAt < right.end ? extraOutput('line', index) : EQUAL;
}

/** Calls back for each line of a span until it answers false. */
function forEachLine(bytes: Uint8Array, span: Span, visit: (line: Line) => boolean): void {
  for (let at = span.start; at < span.end;) {
    const line = lineAt(bytes, at, span.end);
    if (!visit(line)) return;
    at = line.next;
  }
}

/** Calls back for each token, or each line that is not blank, until it answers false. */
function forEachItem(
  bytes: Uint8Array,
  unit: 'line' | 'token',
  visit: (item: Span) => boolean,
): void {
  if (unit === 'line') {
    const whole = { start: 0, end: bytes.length };
    forEachLine(bytes, whole, (line) => line.end === line.start || visit(line));
    return;
  }
  for (let at = skipSpace(bytes, 0); at < bytes.length;) {
    const end = skipToken(bytes, at);
    if (!visit({ start: at, end })) return;
    at = skipSpace(bytes, end);
  }
}

function compareUnordered({ expected, actual }: Sides, unit: 'line' | 'token'): Comparison {
  let wanted = 0;
  forEachItem(expected, unit, () => {
    wanted += 1;
    return true;
  });
  const items = createSpanMultiset(expected, wanted);
  forEachItem(expected, unit, (item) => {
    items.add(item);
    return true;
  });
  let got = 0;
  let surplus: Span | null = null;
  forEachItem(actual, unit, (item) => {
    if (!items.remove(actual, item)) surplus = item;
    else got += 1;
    return surplus === null;
  });
  if (surplus !== null) {
    if (wanted === 0) return extraOutput(unit, 0);
    return differs(`${unit} ${got + 1}: unexpected ${excerpt(actual, surplus)}`);
  }
  const missing = items.remaining();
  if (missing === null) return EQUAL;
  if (got === 0) return outputEnds(unit, 0, wanted);
  const shown = excerpt(expected, missing);
  return differs(`output has ${counted(got, unit)}, ${wanted} expected; missing ${shown}`);
}
