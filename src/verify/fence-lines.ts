/**
 * Lines of Markdown as far as fenced code blocks need them: where a line begins and how far it is indented, whether it
 * opens or closes a fence, whether it is inside a list. Terms as in CommonMark 0.31 §4.5 and §5.2.
 */

const TAB_COLUMNS = 4;
const FENCE_LENGTH_MIN = 3;
/** From this indentation on, a line outside of lists is an indented code block. */
const INDENTED_CODE_COLUMNS = 4;

/** A bullet or an ordered marker with at least one space behind it, at the start of a line. */
const LIST_MARKER = /(?:[-+*]|\d{1,9}[.)])[ \t]+/y;

export interface MarkdownLine {
  readonly start: number;
  /** Index of the line feed, or the length of the text. */
  readonly end: number;
  /** Index of the first character that is no space or tab. */
  readonly text: number;
  /** Columns of indentation. */
  readonly columns: number;
}

export interface OpeningFence {
  readonly char: string;
  readonly length: number;
  /** Columns in front of the fence, list markers included: what content lines lose at most. */
  readonly columns: number;
  readonly tag: string | null;
}

export interface LineReader {
  isDone(): boolean;
  /** The next line. */
  read(): MarkdownLine;
  /** Index of the next line. */
  position(): number;
  /** Goes on at `index`: a place in the line just read, or behind it. */
  seek(index: number): void;
  /** Whether the line just read belongs to a list. */
  inList(): boolean;
}

/** Reads the lines of a text from an index on. */
export function createLineReader(text: string, from: number): LineReader {
  let at = from;
  let isInList = false;
  let isAfterBlank = false;
  /** End of the line that was read last, kept so that a very long line is searched for its end only once. */
  let lineEnd = -1;
  return {
    isDone: () => at >= text.length,
    position: () => Math.min(at, text.length),
    inList: () => isInList,
    seek(index) {
      at = index;
    },
    read() {
      const start = at;
      if (start > lineEnd) {
        const found = text.indexOf('\n', start);
        lineEnd = found === -1 ? text.length : found;
      }
      const end = lineEnd;
      at = end + 1;
      let columns = 0;
      let index = start;
      for (; index < end; index += 1) {
        const char = text.charAt(index);
        if (char === ' ') columns += 1;
        else if (char === '\t') columns += TAB_COLUMNS - (columns % TAB_COLUMNS);
        else break;
      }
      const isBlank = index === end || (text.charAt(index) === '\r' && index + 1 === end);
      if (isMarker(text, index)) isInList = true;
      else if (isAfterBlank && columns === 0 && !isBlank) isInList = false;
      isAfterBlank = isBlank;
      return { start, end, text: index, columns };
    },
  };
}

function isMarker(text: string, index: number): boolean {
  LIST_MARKER.lastIndex = index;
  return LIST_MARKER.test(text);
}

/**
 * The fence that a line opens, or null. Outside of lists it may be indented by up to three columns; a list marker may
 * stand in front of it. The info string of a backtick fence has no backtick.
 */
export function readOpeningFence(
  text: string,
  line: MarkdownLine,
  inList: boolean,
): OpeningFence | null {
  if (!inList && line.columns >= INDENTED_CODE_COLUMNS) return null;
  let at = line.text;
  while (at < line.end && isMarker(text, at)) at = Math.min(LIST_MARKER.lastIndex, line.end);
  const char = text.charAt(at);
  if (char !== '`' && char !== '~') return null;
  const length = runLength(text, at, line.end);
  if (length < FENCE_LENGTH_MIN) return null;
  const info = text.slice(at + length, line.end).trim();
  if (char === '`' && info.includes('`')) return null;
  return { char, length, columns: line.columns + (at - line.text), tag: tagOf(info) };
}

/** Whether a line closes a fence: the same character, at least as often, and nothing behind it. */
export function isClosingFence(text: string, line: MarkdownLine, fence: OpeningFence): boolean {
  if (text.charAt(line.text) !== fence.char) return false;
  if (line.columns >= fence.columns + INDENTED_CODE_COLUMNS) return false;
  const length = runLength(text, line.text, line.end);
  return length >= fence.length && text.slice(line.text + length, line.end).trim() === '';
}

function runLength(text: string, from: number, end: number): number {
  const char = text.charAt(from);
  let at = from;
  while (at < end && text.charAt(at) === char) at += 1;
  return at - from;
}

/** Longest tag that is read; a longer word is none that means a language. */
const TAG_LENGTH_MAX = 64;

/**
 * The language of an info string: its first word, lower case, also of `{.python .numberLines}` and `{python}`, without
 * what some renderers attach to it (`python:main.py`, `js{1,3}`).
 */
export function tagOf(info: string): string | null {
  const word = /^\{?\s*\.?([^\s{}:,;=]+)/.exec(info.slice(0, TAG_LENGTH_MAX))?.[1];
  return word === undefined ? null : word.toLowerCase();
}

/** Takes up to `columns` columns of indentation from each line; the rest of a tab that is cut becomes spaces. */
export function stripColumns(code: string, columns: number): string {
  if (columns === 0 || code === '') return code;
  const parts: string[] = [];
  for (let start = 0; start < code.length;) {
    const found = code.indexOf('\n', start);
    const next = found === -1 ? code.length : found + 1;
    let column = 0;
    let at = start;
    while (at < next && column < columns) {
      const char = code.charAt(at);
      if (char === ' ') column += 1;
      else if (char === '\t') column += TAB_COLUMNS - (column % TAB_COLUMNS);
      else break;
      at += 1;
    }
    parts.push(' '.repeat(Math.max(0, column - columns)), code.slice(at, next));
    start = next;
  }
  return parts.join('');
}
