/**
 * The graders of the APPS family, which try one comparison after another and accept whatever fits: that is what makes them
 * so lenient. Here only to reproduce their rewards. Each takes (expected, printed) as text.
 */
import { isClose, roundedKey, splitLines, strip, toFloat, words } from './python-text.ts';

/** Tokens hold no line ends, so sets of them are told apart by one. */
function setKey(items: Iterable<string>): string {
  return [...new Set(items)].toSorted().join('\n');
}

function sameSets(left: Iterable<string>, right: Iterable<string>): boolean {
  const one = new Set(left);
  const other = new Set(right);
  return one.size === other.size && [...one].every((each) => other.has(each));
}

/** The expected text as the family makes lines of it: those of no characters are left out, the others stripped. */
function expectedLines(expected: string): string[] {
  return expected
    .split('\n')
    .filter((line) => line !== '')
    .map(strip);
}

function equalLists(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((each, index) => each === right[index]);
}

/** numpy's `allclose` over texts; false where one is no number. */
function allClose(got: readonly string[], wanted: readonly string[]): boolean {
  if (got.length !== wanted.length) return false;
  return got.every((text, index) => {
    const left = toFloat(text);
    const right = toFloat(wanted[index] ?? '');
    return left !== null && right !== null && isClose(left, right);
  });
}

/** The set of the rounded numbers of each item; null where one is none. */
function roundedSets(items: readonly (readonly string[])[]): string[] | null {
  const keys: string[] = [];
  for (const item of items) {
    const rounded: string[] = [];
    for (const token of item) {
      const value = toFloat(token);
      const key = value === null ? null : roundedKey(value);
      if (key === null) return null;
      rounded.push(key);
    }
    keys.push(setKey(rounded));
  }
  return keys;
}

/** What all of them accept as text. */
function sameText(lines: readonly string[], expected: string): boolean {
  const wanted = strip(expected);
  return strip(lines.join('\n')) === wanted || strip(lines.map(strip).join('\n')) === wanted;
}

/** The last steps: sets of sets of tokens, then of numbers rounded to 3 places. */
function sameTokenSets(
  got: readonly (readonly string[])[],
  wanted: readonly (readonly string[])[],
): boolean {
  if (sameSets(got.map(setKey), wanted.map(setKey))) return true;
  const [left, right] = [roundedSets(got), roundedSets(wanted)];
  return left !== null && right !== null && sameSets(left, right);
}

/**
 * hendrycks/apps: stripped text, lines, numpy's `allclose` (rel 1e-5) over lines, then the set of each line's token set,
 * and the same of numbers rounded to 3 places: order and repetition of lines and tokens do not matter.
 */
export function appsCascade(expected: string, printed: string): boolean {
  const lines = splitLines(printed);
  if (sameText(lines, expected)) return true;
  const wanted = expectedLines(expected);
  const filled = lines.filter((line) => line !== '');
  if (equalLists(lines, wanted) || equalLists(filled, wanted)) return true;
  if (allClose(filled, wanted)) return true;
  const tokens = filled.map(words).filter((line) => line.length > 0);
  return sameTokenSets(tokens, wanted.map(words));
}

const DIGITS = /^\d+$/;

/** verl's prime_code: as APPS, but `allclose` only where some line is not of digits alone, and nothing after it counts. */
export function primeCascade(expected: string, printed: string): boolean {
  const lines = splitLines(printed);
  if (sameText(lines, expected)) return true;
  const wanted = expectedLines(expected);
  const filled = lines.filter((line) => line !== '');
  if (equalLists(lines, wanted) || equalLists(filled, wanted)) return true;
  const isInteger = (text: string | undefined): boolean => text === undefined || DIGITS.test(text);
  const pairs = Math.min(filled.length, wanted.length);
  const areIntegers = filled
    .slice(0, pairs)
    .every((line, index) => isInteger(line) && isInteger(wanted[index]));
  return !areIntegers && allClose(filled, wanted);
}

/**
 * FlagOpen/TACO: stripped text, then the steps of APPS over a text where they expect lines. So its characters are compared
 * with lines, and the set of each token's characters with the set of each line's tokens: `21` is right for `1 2`.
 */
export function tacoCascade(expected: string, printed: string): boolean {
  if (strip(printed) === strip(expected)) return true;
  const wanted = expectedLines(expected);
  if (printed.length === wanted.length && allClose([...printed], wanted)) return true;
  const characters = [...new Set(words(printed))].map((token) => [...new Set(token)]);
  return sameTokenSets(characters, wanted.map(words));
}

/**
 * rLLM's taco.py: two numbers by `isclose`; else lines and tokens are counted, and only pairs of numbers are compared, so
 * that any word is right for any other; then TACO's steps.
 */
export function rllmCascade(expected: string, printed: string): boolean {
  return samePlaces(strip(expected), strip(printed)) || tacoCascade(expected, printed);
}

function samePlaces(expected: string, printed: string): boolean {
  if (expected === printed) return true;
  const [wanted, got] = [toFloat(expected), toFloat(printed)];
  if (wanted !== null && got !== null) return isClose(got, wanted);
  const [left, right] = [expected, printed].map((text) =>
    text
      .split('\n')
      .map(words)
      .filter((line) => line.length > 0),
  );
  if (left === undefined || right === undefined || left.length !== right.length) return false;
  return left.every((line, index) => {
    const other = right[index] ?? [];
    if (line.length !== other.length) return false;
    return line.every((token, at) => mayStandFor(token, other[at] ?? ''));
  });
}

function mayStandFor(wanted: string, got: string): boolean {
  if (wanted === got) return true;
  const [left, right] = [toFloat(wanted), toFloat(got)];
  return left === null || right === null || isClose(right, left);
}
