/** Programs of `test/hostile/programs/` as submissions: the language follows from the extension. */
import path from 'node:path';

import { readProjectFile } from './project.ts';

const LANGUAGES: Readonly<Record<string, string>> = {
  '.c': 'c',
  '.cpp': 'cpp',
  '.go': 'go',
  '.java': 'java',
  '.js': 'javascript',
  '.py': 'python',
  '.rs': 'rust',
  '.sh': 'bash',
};

export interface ProgramFields {
  readonly language: string;
  readonly code: string;
}

/** By the extension of a file's name. */
export function languageOf(name: string): string {
  const language = LANGUAGES[path.extname(name)];
  if (language === undefined) throw new Error(`${name}: no language for this extension`);
  return language;
}

/** `language` and `code` of the program at `name`, e.g. `streams/cat.py`. */
export function hostileProgram(name: string): ProgramFields {
  return { language: languageOf(name), code: readProjectFile('test', 'hostile', 'programs', name) };
}

/** What `kernel/denied-calls.c` printed: `errno NAME`, `signal N` or what was granted, by the name of the call. */
export function answersByCall(stdout: string): ReadonlyMap<string, string> {
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => /^(\S+) (.*)$/.exec(line));
  return new Map(rows.map((row) => [row?.[1] ?? '', row?.[2] ?? '']));
}
