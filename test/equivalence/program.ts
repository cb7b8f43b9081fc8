/**
 * Programs of a differential suite as data: one file each below `programs/`, the first line optionally `#: {…}` with what
 * the program is run with. That line is not part of the program.
 */
import { globSync } from 'node:fs';
import path from 'node:path';

import { z } from 'zod';

import type { RunRequestBody } from '../support/builders.ts';
import { PROJECT_ROOT, readProjectFile } from '../support/project.ts';

const Header = z.strictObject({
  stdin: z.string().optional(),
  /** Input that is no UTF-8. */
  stdin_base64: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  /** Beside the program, path → text. */
  files: z.record(z.string(), z.string()).optional(),
  limits: z.record(z.string(), z.number()).optional(),
  seed: z.number().optional(),
  /** Files that must come out equal, too. */
  collect: z.array(z.string()).optional(),
  /** How the program must be started where a warm start is allowed. */
  runtime: z.enum(['forked', 'process']).default('forked'),
  /** The output is different in every run, and must be: what it prints is random. */
  differs: z.boolean().default(false),
});

export interface Program {
  readonly name: string;
  readonly request: RunRequestBody;
  readonly runtime: 'forked' | 'process';
  readonly differs: boolean;
}

const MARK = '#: ';

/** All programs of a folder below `test/equivalence`, sorted by name. */
export function programsOf(language: string, extension: string): readonly Program[] {
  const folder = path.join('test', 'equivalence', language, 'programs');
  return globSync(`**/*${extension}`, { cwd: path.join(PROJECT_ROOT, folder) })
    .toSorted()
    .map((file) =>
      parse(file.slice(0, -extension.length), language, readProjectFile(folder, file)),
    );
}

function parse(name: string, language: string, text: string): Program {
  const end = text.startsWith(MARK) ? text.indexOf('\n') : -1;
  const parsed: unknown = end < 0 ? {} : JSON.parse(text.slice(MARK.length, end));
  const { runtime, differs, stdin_base64: base64, stdin, ...rest } = Header.parse(parsed);
  const input = base64 === undefined ? stdin : { base64 };
  const given = Object.fromEntries(Object.entries(rest).filter(([, each]) => each !== undefined));
  return {
    name,
    runtime,
    differs,
    request: {
      language,
      code: text.slice(end + 1),
      ...(input === undefined ? {} : { stdin: input }),
      ...given,
    },
  };
}
