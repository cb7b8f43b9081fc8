/**
 * Finds the program in a model's answer: leaves out thinking, looks for fenced code blocks, chooses one. Pure and
 * linear in the length of the text. Knows a language only by its names.
 */
import type { ExtractOptions } from '../domain/submission.ts';
import { findBlocks, type FencedBlock } from './fences.ts';

/** The names by which fences may mean the wanted language, in any case. */
interface LanguageNames {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly fenceTags: readonly string[];
}

export interface ExtractRequest {
  readonly language: LanguageNames;
  readonly options: ExtractOptions;
}

export type Extraction =
  | {
      /** The block's content, byte for byte (CRLF kept), without its fences and their indentation. */
      readonly code: string;
      /** The tag of the chosen block, lower case; null if it has none. */
      readonly tag: string | null;
      /** Blocks with content that were found, whatever their tag. */
      readonly blocks: number;
    }
  | { readonly code: null; readonly reason: string };

/** Tags that say "code" and no more. */
const GENERIC_TAGS: ReadonlySet<string> = new Set(['code']);

/** Most tags named in a reason. */
const TAGS_SHOWN_MAX = 5;

/**
 * The program of an answer. With `languageMatch`, candidates are the blocks whose tag is a name of the language; if
 * there are none, the untagged ones; a block that is tagged as something else is never taken. Without it all blocks
 * are candidates. Blocks of whitespace only are no candidates. Text without a block is no program.
 */
export function extractCode(text: string, request: ExtractRequest): Extraction {
  const { language, options } = request;
  const found = findBlocks(text, { stripThinking: options.stripThinking, tags: tagsOf(language) });
  const blocks = found.filter((block) => block.code.trim() !== '');
  if (blocks.length === 0) {
    const reason = found.length === 0 ? 'the answer has no code block' : 'the code block is empty';
    return { code: null, reason };
  }
  const chosen = pick(candidatesOf(blocks, request), options.pick);
  if (chosen === null) {
    const tags = [...new Set(blocks.map(({ tag }) => tag ?? ''))].slice(0, TAGS_SHOWN_MAX);
    const others = tags.map((tag) => tag.slice(0, 20)).join(', ');
    return { code: null, reason: `no code block is tagged ${language.id} (tags found: ${others})` };
  }
  return { code: chosen.code, tag: chosen.tag, blocks: blocks.length };
}

function tagsOf({ id, aliases, fenceTags }: LanguageNames): ReadonlySet<string> {
  return new Set([id, ...aliases, ...fenceTags].map((name) => name.toLowerCase()));
}

function candidatesOf(
  blocks: readonly FencedBlock[],
  { language, options }: ExtractRequest,
): readonly FencedBlock[] {
  if (!options.languageMatch) return blocks;
  const tags = tagsOf(language);
  const fitting = blocks.filter(({ tag }) => tag !== null && tags.has(tag));
  if (fitting.length > 0) return fitting;
  return blocks.filter(({ tag }) => tag === null || GENERIC_TAGS.has(tag));
}

function pick(blocks: readonly FencedBlock[], which: ExtractOptions['pick']): FencedBlock | null {
  if (which === 'first') return blocks[0] ?? null;
  if (which === 'last') return blocks.at(-1) ?? null;
  let longest: FencedBlock | null = null;
  for (const block of blocks) {
    if (longest === null || block.code.length > longest.code.length) longest = block;
  }
  return longest;
}
