/** Reads a program for `assay run` and `assay judge` and finds its language by the file's extension. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { z } from 'zod';

import { expectSuccess, type Api } from './api.ts';
import { UsageError } from './exit-codes.ts';

const Language = z.looseObject({
  id: z.string(),
  source_file: z.string(),
  aliases: z.array(z.string()),
  fence_tags: z.array(z.string()).default([]),
  available: z.boolean(),
  reason: z.string().nullable(),
  environments: z.array(
    z.looseObject({ id: z.string(), aliases: z.array(z.string()), reason: z.string().nullable() }),
  ),
});
export type Language = z.infer<typeof Language>;
const Languages = z.looseObject({ languages: z.array(Language) });

/** Of the wire: one program under the language's own file name, or under a name whose extension matters. */
export type ProgramFields =
  | { readonly language: string; readonly code: string }
  | {
      readonly language: string;
      readonly files: Readonly<Record<string, string>>;
      readonly entry: string;
    };

/** All that the service knows of. */
export async function readLanguages(api: Api): Promise<readonly Language[]> {
  return Languages.parse(expectSuccess(await api.get('/v1/languages'))).languages;
}

/** The language whose files have this extension (`py`), if there is one. */
export function languageWith(
  extension: string,
  languages: readonly Language[],
): Language | undefined {
  return languages.find(
    ({ source_file: source, aliases, fence_tags: tags }) =>
      path.extname(source) === `.${extension}` || [...aliases, ...tags].includes(extension),
  );
}

/** In place of a file's name: the program comes by standard input. */
export const STANDARD_INPUT = '-';

/**
 * The program of a submission and its language. An extension other than the language's usual one is kept (`main.mjs`),
 * since it may mean something to the runtime. Throws UsageError when the file or its language is unknown.
 */
export async function readProgram(
  api: Api,
  file: string,
  language: string | undefined,
): Promise<ProgramFields> {
  const isPiped = file === STANDARD_INPUT;
  if (isPiped && language === undefined)
    throw new UsageError('a program from standard input needs --language');
  const code = isPiped
    ? await text(process.stdin)
    : await readFile(file, 'utf8').catch((cause: unknown) => {
        throw new UsageError(`${file} cannot be read`, { cause });
      });
  if (language !== undefined) return { language, code };
  const extension = path.extname(file).slice(1);
  const found = languageWith(extension, await readLanguages(api));
  if (found === undefined) {
    throw new UsageError(`${file}: the language is not clear from the name; say --language`);
  }
  if (path.extname(found.source_file) === `.${extension}`) return { language: found.id, code };
  const entry = `main.${extension}`;
  return { language: found.id, files: { [entry]: code }, entry };
}
