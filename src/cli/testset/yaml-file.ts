/** YAML of a package as data of a known shape; what is wrong is named with its file and place. */
import { YAMLParseError, parse } from 'yaml';
import type { z } from 'zod';

import type { PackageFolder } from './folder.ts';

/** Such files are written by hand. */
const TEXT_MAX = 256 * 1024;
/** Of one anchor: what grows without end by naming itself is refused. */
const ALIASES_MAX = 32;

/** The file's content; of an empty or missing file what the schema makes of `{}`. Throws UsageError. */
export async function readYaml<Schema extends z.ZodType>(
  folder: PackageFolder,
  file: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = (await folder.text(file)) ?? '';
  if (text.length > TEXT_MAX) throw folder.error(file, `is longer than ${TEXT_MAX} characters`);
  const result = schema.safeParse(parsed(text, (message) => folder.error(file, message)) ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = issue?.path.map(String).join('.') ?? '';
  throw folder.error(file, `${at === '' ? '' : `${at}: `}${issue?.message ?? 'is not valid'}`);
}

function parsed(text: string, toError: (message: string) => Error): unknown {
  try {
    return parse(text, { maxAliasCount: ALIASES_MAX, logLevel: 'error' });
  } catch (cause) {
    if (cause instanceof YAMLParseError) {
      const [place] = cause.linePos ?? [];
      const [line = ''] = cause.message.split('\n');
      throw toError(`is no YAML${place === undefined ? '' : ` (line ${place.line})`}: ${line}`);
    }
    if (cause instanceof ReferenceError) throw toError('is no YAML: too many aliases');
    throw cause;
  }
}
