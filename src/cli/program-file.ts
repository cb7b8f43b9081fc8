/** Reads a program for `assay run` and `assay judge` and finds its language by the file's extension. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { z } from 'zod';

import { expectSuccess, type Api } from './api.ts';
import { UsageError } from './exit-codes.ts';

const Languages = z.looseObject({
  languages: z.array(
    z.looseObject({ id: z.string(), source_file: z.string(), aliases: z.array(z.string()) }),
  ),
});

export interface ProgramFields {
  readonly language: string;
  readonly code: string;
}

/** `language` and `code` of a submission. Throws UsageError when the file or its language is unknown. */
export async function readProgram(
  api: Api,
  file: string,
  language: string | undefined,
): Promise<ProgramFields> {
  const code = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`${file} cannot be read`, { cause });
  });
  if (language !== undefined) return { language, code };
  const extension = path.extname(file).slice(1);
  const { languages } = Languages.parse(expectSuccess(await api.get('/v1/languages')));
  const found = languages.find(
    ({ source_file: source, aliases }) =>
      path.extname(source) === `.${extension}` || aliases.includes(extension),
  );
  if (found === undefined) {
    throw new UsageError(`${file}: the language is not clear from the name; say --language`);
  }
  return { language: found.id, code };
}
