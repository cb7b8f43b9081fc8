/** Programs of `test/hostile/programs/` as submissions: the language follows from the extension. */
import path from 'node:path';

import { readProjectFile } from './project.ts';

const LANGUAGES: Readonly<Record<string, string>> = {
  '.c': 'c',
  '.cpp': 'cpp',
  '.js': 'javascript',
  '.py': 'python',
  '.sh': 'bash',
};

export interface ProgramFields {
  readonly language: string;
  readonly code: string;
}

/** `language` and `code` of the program at `name`, e.g. `streams/cat.py`. */
export function hostileProgram(name: string): ProgramFields {
  const language = LANGUAGES[path.extname(name)];
  if (language === undefined) throw new Error(`${name}: no language for this extension`);
  return { language, code: readProjectFile('test', 'hostile', 'programs', name) };
}
