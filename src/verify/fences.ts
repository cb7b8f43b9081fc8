/**
 * Fenced code blocks of Markdown, as CommonMark 0.31 §4.5 has them, with the liberties that models take. One pass over
 * the lines, no backtracking.
 *
 * Where this goes beyond CommonMark, and why:
 * - The end of the text closes an open block (an answer cut at the token limit); so does CommonMark.
 * - Inside a list any indentation may precede a fence, and a closing fence may stand left of its opening one.
 * - A block that is untagged or tagged as Markdown and holds fences itself is a wrapper: its inner blocks count and it
 *   does not. A block tagged as a language is code, fences or not (a docstring may hold them).
 * - In a block of the wanted language, an opening fence of the same kind that repeats the block's tag or has another
 *   name of the language begins a new block: the model forgot the closing fence.
 * - Thinking tags count outside of blocks only; a closing tag outside of blocks makes everything before it thinking.
 *   If the first tag of the text is a closing one, as with chat templates that put the opening tag into the prompt,
 *   everything before it is thinking, fences or not.
 */
import type { LineReader, MarkdownLine, OpeningFence } from './fence-lines.ts';
import { createLineReader, isClosingFence, readOpeningFence, stripColumns } from './fence-lines.ts';
import { beginsThinking, endOfThinking, readThinkingTags } from './thinking.ts';

export interface FencedBlock {
  /** First word of the info string, lower case; null if there is none. */
  readonly tag: string | null;
  readonly code: string;
}

export interface FindBlocksOptions {
  readonly stripThinking: boolean;
  /** Tags of the wanted language, lower case. */
  readonly tags: ReadonlySet<string>;
}

const WRAPPER_TAGS: ReadonlySet<string> = new Set(['markdown', 'md', 'mdx']);

/** Wrappers within wrappers that are looked into. */
const DEPTH_MAX = 4;

/** All fenced blocks outside of thinking sections, in the order of the text. */
export function findBlocks(text: string, options: FindBlocksOptions): FencedBlock[] {
  return findBlocksAt(text, options, 0);
}

function findBlocksAt(text: string, options: FindBlocksOptions, depth: number): FencedBlock[] {
  const tags = readThinkingTags(options.stripThinking ? text : '');
  const first = tags.next(0);
  const lines = createLineReader(text, first?.kind === 'close' ? first.end : 0);
  let blocks: FencedBlock[] = [];
  while (!lines.isDone()) {
    const line = lines.read();
    const fence = readOpeningFence(text, line, lines.inList());
    if (fence !== null) {
      for (const block of readBlock({ text, fence, lines, options, depth })) blocks.push(block);
      continue;
    }
    for (let tag = tags.next(line.start); tag !== null && tag.start < line.end;) {
      if (tag.kind === 'close') {
        blocks = [];
        lines.seek(tag.end);
      } else if (beginsThinking(text, tag)) {
        lines.seek(endOfThinking(text, tags, tag));
        break;
      }
      tag = tags.next(tag.end);
    }
  }
  return blocks;
}

interface BlockRequest {
  readonly text: string;
  readonly fence: OpeningFence;
  readonly lines: LineReader;
  readonly options: FindBlocksOptions;
  readonly depth: number;
}

/** Reads the block behind an opening fence, and those that follow it without a closing fence. */
function readBlock(request: BlockRequest): FencedBlock[] {
  const { text, lines, options, depth } = request;
  const blocks: FencedBlock[] = [];
  let fence: OpeningFence | null = request.fence;
  while (fence !== null) {
    const start = lines.position();
    let end = text.length;
    let following: OpeningFence | null = null;
    while (!lines.isDone()) {
      const line = lines.read();
      if (text.charAt(line.text) !== fence.char) continue;
      following = readRestart({ text, line, fence, tags: options.tags });
      if (following !== null || isClosingFence(text, line, fence)) {
        end = line.start;
        break;
      }
    }
    const code = stripColumns(text.slice(start, end), fence.columns);
    for (const block of unwrap({ tag: fence.tag, code }, options, depth)) blocks.push(block);
    fence = following;
  }
  return blocks;
}

/** The opening fence on a line inside a block of the wanted language, where it begins a new block. */
function readRestart(request: {
  readonly text: string;
  readonly line: MarkdownLine;
  readonly fence: OpeningFence;
  readonly tags: ReadonlySet<string>;
}): OpeningFence | null {
  const { text, line, fence, tags } = request;
  if (fence.tag === null || !tags.has(fence.tag) || line.columns > fence.columns) return null;
  const inner = readOpeningFence(text, line, true);
  if (inner === null || inner.tag === null || inner.length !== fence.length) return null;
  return tags.has(inner.tag) ? inner : null;
}

/** A wrapper's inner blocks instead of the wrapper; any other block as it is. */
function unwrap(block: FencedBlock, options: FindBlocksOptions, depth: number): FencedBlock[] {
  const mayWrap = block.tag === null || WRAPPER_TAGS.has(block.tag);
  const holdsFence = block.code.includes('```') || block.code.includes('~~~');
  if (!mayWrap || !holdsFence || depth >= DEPTH_MAX) return [block];
  const inner = findBlocksAt(block.code, { ...options, stripThinking: false }, depth + 1);
  return inner.length > 0 ? inner : [block];
}
