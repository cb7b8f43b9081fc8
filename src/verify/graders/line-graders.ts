/** Graders that compare lines or words, by one rule each. Each takes (expected, printed) as text. */
import { decimalKey, strip, toFloat, words } from './python-text.ts';

type Same = (wanted: string, got: string) => boolean;

function sameItems(wanted: readonly string[], got: readonly string[], same: Same): boolean {
  return (
    wanted.length === got.length && wanted.every((each, index) => same(each, got[index] ?? ''))
  );
}

const equal: Same = (wanted, got) => wanted === got;

/** Open R1: as many lines as the shorter side has, each stripped; what is missing or too much is not looked at. */
export function zippedLines(expected: string, printed: string): boolean {
  const wanted = expected.split('\n');
  const got = strip(printed).split('\n');
  const count = Math.min(wanted.length, got.length);
  return sameItems(wanted.slice(0, count).map(strip), got.slice(0, count).map(strip), equal);
}

function strippedLinesOf(text: string): string[] {
  return strip(text).split('\n').map(strip);
}

/** LiveCodeBench: stripped lines, each equal as text or token by token as exact decimals. */
export function decimalLines(expected: string, printed: string): boolean {
  return sameItems(strippedLinesOf(expected), strippedLinesOf(printed), (wanted, got) => {
    if (wanted === got) return true;
    return sameItems(words(wanted), words(got), (left, right) => {
      const key = decimalKey(left);
      return key !== null && key !== '' && key === decimalKey(right);
    });
  });
}

/** genesys: stripped lines, equal. */
export function strippedLines(expected: string, printed: string): boolean {
  return sameItems(strippedLinesOf(expected), strippedLinesOf(printed), equal);
}

/** Sandbox Fusion's CommonOJ: stripped lines without regard to case; two numbers may differ by 1e-5 of the expected one. */
export function commonOj(expected: string, printed: string): boolean {
  const lines = (text: string): string[] => strippedLinesOf(text).map((line) => line.toLowerCase());
  return sameItems(lines(expected), lines(printed), (wanted, got) => {
    if (wanted === got) return true;
    const [left, right] = [toFloat(wanted), toFloat(got)];
    if (left === null || right === null) return false;
    return Math.abs(right - left) / Math.max(Math.abs(left), 1e-10) < 1e-5;
  });
}

/** CodeContests: words without regard to the case of ASCII letters; two numbers may differ by 1e-5, also integers. */
export function codeContests(expected: string, printed: string): boolean {
  const lower = (text: string): string[] =>
    words(text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()));
  return sameItems(lower(expected), lower(printed), (wanted, got) => {
    if (wanted === got) return true;
    const [left, right] = [toFloat(wanted), toFloat(got)];
    return left !== null && right !== null && Math.abs(right - left) <= 1e-5;
  });
}

/** The Codeforces package: words, where yes and no are one in any case. */
export function yesNoWords(expected: string, printed: string): boolean {
  const folded = (text: string): string[] =>
    words(text.replaceAll(/\b(?:yes|no)\b/gi, (word) => word.toUpperCase()));
  return sameItems(folded(expected), folded(printed), equal);
}

/** TRL's example: equal lines, else equal words; words alone say as much. */
export function tokenList(expected: string, printed: string): boolean {
  return sameItems(words(expected), words(printed), equal);
}

/** Runs of blanks within a line as one, those at its end as none (C's isspace but for the line end). */
function squeezed(line: string): string {
  return line.replaceAll(/[\t\v\f\r ]+/g, ' ').replace(/ $/, '');
}

/** `diff -b`: the width of blanks within a line, and blanks at its end, do not matter; lines do, blank ones too. */
export function diffB(expected: string, printed: string): boolean {
  const lines = (text: string): string[] => {
    const all = text.split('\n');
    if (all.at(-1) === '') all.pop();
    return all.map(squeezed);
  };
  return sameItems(lines(expected), lines(printed), equal);
}

/** CMS: as `diff -b`, but blanks at the start of a line and blank lines at the end do not matter either. */
export function whiteDiff(expected: string, printed: string): boolean {
  const lines = (text: string): string[] => {
    const all = text.split('\n').map((line) => squeezed(line).replace(/^ /, ''));
    while (all.at(-1) === '') all.pop();
    return all;
  };
  return sameItems(lines(expected), lines(printed), equal);
}

/** Ruby's `rstrip`, which takes NUL too. */
const TRAILING = new Set(['\0', '\t', '\n', '\v', '\f', '\r', ' ']);

function stripTrailing(text: string): string {
  let end = text.length;
  while (end > 0 && TRAILING.has(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/** Judge0: white space at the end of each line, and of the whole, does not matter. */
export function trailingStripped(expected: string, printed: string): boolean {
  const text = (whole: string): string =>
    stripTrailing(whole.split('\n').map(stripTrailing).join('\n'));
  return text(expected) === text(printed);
}

/** What the NeMo-Skills sandbox cuts output to, characters; what is cut gets a mark and is wrong. */
const KEPT_CHARACTERS = 1000;

/** NeMo-Skills: stripped and equal, if the output was not cut. */
export function stripped1000(expected: string, printed: string): boolean {
  // A character outside the basic plane is two units, so this many units suffice to tell.
  if (printed.length > 2 * KEPT_CHARACTERS) return false;
  return [...printed].length <= KEPT_CHARACTERS && strip(expected) === strip(printed);
}
