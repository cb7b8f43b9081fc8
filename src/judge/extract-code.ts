/** The code of a completion for adapters that must see it before they know what to judge. Pure. */
import type { ExtractOptions } from '../domain/submission.ts';
import { extractCode } from '../verify/extract.ts';
import type { LanguageInfo } from './door.ts';

/** What a judgement would extract; null where it would find none. */
export function codeOf(
  text: string,
  language: LanguageInfo,
  options: ExtractOptions,
): string | null {
  const { id, environments, fenceTags } = language;
  const aliases = [...language.aliases, ...environments.flatMap((each) => each.aliases)];
  return extractCode(text, { language: { id, aliases, fenceTags }, options }).code;
}
