/**
 * The original's Python has numpy, pandas and others; here they are an environment of their own. A program that says no
 * environment gets the first that has what it imports. Pure.
 */
import type { SourceFile } from '../../../domain/submission.ts';
import type { LanguageInfo } from '../../../judge/door.ts';

/** Modules at the beginning of lines: `import a.b as c, d`, `from a import b`. */
const IMPORTS = /^[ \t]*(?:import|from)[ \t]+([A-Za-z_][\w., \t]*)/gm;
/** Looked at of each source; imports come first. */
const LOOKED_AT_CHARS = 256 * 1024;

interface Sources {
  readonly code: string;
  readonly files: readonly SourceFile[];
}

/** An environment id; null for the one that the language's name means. */
export function environmentFor(
  language: LanguageInfo,
  name: string,
  { code, files }: Sources,
): string | null {
  const [first, ...others] = language.environments;
  const named = [language.id, ...language.aliases];
  if (first === undefined || !named.includes(name.toLowerCase())) return null;
  const wanted = others.filter(
    ({ available, packages }) => available && Object.keys(packages).length > 0,
  );
  if (wanted.length === 0) return null;
  const extension = language.sourceFile.slice(language.sourceFile.lastIndexOf('.'));
  const texts = files
    .filter(({ path }) => path.endsWith(extension))
    .map(({ content }) => Buffer.from(content).toString('utf8', 0, LOOKED_AT_CHARS));
  const modules = new Set([code, ...texts].flatMap(modulesIn));
  const has = (packages: object): boolean =>
    Object.keys(packages).some((each) => modules.has(each.toLowerCase()));
  return wanted.find(({ packages }) => has(packages))?.id ?? null;
}

function modulesIn(text: string): readonly string[] {
  const imports = text.slice(0, LOOKED_AT_CHARS).matchAll(IMPORTS);
  return Array.from(imports, ([, list = '']) => list.split(','))
    .flat()
    .flatMap((each) => /[A-Za-z_]\w*/.exec(each)?.[0] ?? []);
}
