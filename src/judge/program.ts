/** From what a caller sent to the files of a program: extraction from a completion, the language's file name. Pure. */
import { type LanguageDefinition, namesOf } from '../domain/language.ts';
import { Fault } from '../domain/errors.ts';
import type { ProgramSource, SourceFile } from '../domain/submission.ts';
import { isLight, mayBeForked } from '../catalog/warm.ts';
import { extractCode } from '../verify/extract.ts';

/** A program as it is staged: its files and the path of the main one. */
export interface Program {
  readonly entry: string;
  readonly files: readonly SourceFile[];
  /** Of `files`, those that are compiled each on its own beside the main one; without a grader there are none. */
  readonly units?: readonly string[];
  /** Whether a warm runtime of its language may fork it. */
  readonly mayBeForked: boolean;
  /** Whether the one with fewer modules is enough; default false. */
  readonly isLight?: boolean;
}

export type ProgramResult =
  | { readonly kind: 'program'; readonly program: Program }
  /** A completion in which no code was found: verdict `no_code`. */
  | { readonly kind: 'no_code'; readonly reason: string }
  /** Code that no file can hold: verdict `compile_error`. */
  | { readonly kind: 'compile_error'; readonly reason: string };

export const NOT_TEXT = 'holds a lone surrogate, which is not Unicode text';

/** The program of a submission in a language. A `single` program lies beside its data files. */
export function toProgram(source: ProgramSource, language: LanguageDefinition): ProgramResult {
  switch (source.kind) {
    case 'files':
      return { kind: 'program', program: toForkable(source, language) };
    case 'single':
      return ofText(source.code, source.files, language);
    case 'completion': {
      const { id, fenceTags } = language;
      const names = { id, aliases: [...namesOf(language).keys()], fenceTags };
      const found = extractCode(source.text, { language: names, options: source.extract });
      if (found.code === null) return { kind: 'no_code', reason: found.reason };
      return ofText(found.code, source.files, language);
    }
    case 'outputs':
      throw new Fault('internal', 'outputs are no program');
  }
}

/** UTF-8 has no bytes for a lone surrogate, and a stand-in for it would be another program. */
function ofText(
  code: string,
  files: readonly SourceFile[],
  language: LanguageDefinition,
): ProgramResult {
  if (!code.isWellFormed()) return { kind: 'compile_error', reason: `the program ${NOT_TEXT}` };
  return { kind: 'program', program: single(code, files, language) };
}

function single(code: string, files: readonly SourceFile[], language: LanguageDefinition): Program {
  const main = { path: language.sourceFile, content: Buffer.from(code, 'utf8') };
  // The program itself wins over a data file of the same name.
  const others = files.filter((file) => file.path !== main.path);
  return toForkable({ entry: main.path, files: [main, ...others] }, language);
}

/** A program of these files, as its language takes it. */
export function toForkable(
  { entry, files }: Pick<Program, 'entry' | 'files'>,
  language: LanguageDefinition,
): Program {
  return {
    entry,
    files,
    mayBeForked: mayBeForked(files, language),
    isLight: isLight(files, language),
  };
}
