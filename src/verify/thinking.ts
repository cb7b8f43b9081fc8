/**
 * Thinking sections of a model's answer (`<think>`, `<thinking>`, `<reasoning>`), found in one pass over the text.
 * Knows nothing of fences: the caller says from where on a tag counts.
 */

const TAG = /<(\/?)(think|thinking|reasoning)>/gi;

/** Before an opening tag these say that prose speaks about the tag. */
const QUOTES: ReadonlySet<string> = new Set(['`', '"', "'"]);

export interface ThinkingTag {
  readonly kind: 'open' | 'close';
  /** Lower case, without brackets. */
  readonly name: string;
  readonly start: number;
  /** Just behind the tag. */
  readonly end: number;
}

export interface ThinkingTags {
  /** The first tag that starts at or after `from`, which never falls; null if there is none. */
  next(from: number): ThinkingTag | null;
}

/** A forward reader over the tags of a text. */
export function readThinkingTags(text: string): ThinkingTags {
  const pattern = new RegExp(TAG);
  let current: ThinkingTag | null = null;
  let isDone = false;
  const advance = (): void => {
    const match = pattern.exec(text);
    if (match === null) {
      current = null;
      isDone = true;
      return;
    }
    const [whole, slash = '', name = ''] = match;
    const kind = slash === '' ? 'open' : 'close';
    const end = match.index + whole.length;
    current = { kind, name: name.toLowerCase(), start: match.index, end };
  };
  return {
    next(from) {
      while (!isDone && (current === null || current.start < from)) {
        pattern.lastIndex = Math.max(pattern.lastIndex, from);
        advance();
      }
      return current;
    },
  };
}

/** Whether an opening tag begins a section, and is not quoted by prose. */
export function beginsThinking(text: string, tag: ThinkingTag): boolean {
  return tag.kind === 'open' && !QUOTES.has(text.charAt(tag.start - 1));
}

/** Where the section opened by `tag` ends: behind its closing tag, or at the end of the text. */
export function endOfThinking(text: string, tags: ThinkingTags, tag: ThinkingTag): number {
  for (let inner = tags.next(tag.end); inner !== null; inner = tags.next(inner.end)) {
    if (inner.kind === 'close' && inner.name === tag.name) return inner.end;
  }
  return text.length;
}
