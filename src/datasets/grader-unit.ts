/**
 * A program with the graders of an IOI task as one translation unit, since a C++ submission has one main file. The
 * graders' names live in a namespace of their own, so that the program may use the same; what is compiled and called is
 * what the task's own build would link.
 */
import type { Build } from './problem.ts';
import { RowError } from './row-error.ts';

const MAIN = /\bint\s+main\s*\(([^()]{0,100})\)/;
const ENTRY = 'assay_main.cpp';

/** `id` is the task's name in lower case: the program is `graders/<id>.cpp`. */
export function unitOf(id: string, files: Readonly<Record<string, string>>): Build {
  if (!/^[a-z0-9_]+$/.test(id))
    throw new RowError('invalid', 'id', 'is a name of letters and digits');
  const graders = Object.entries(files).filter(([path]) => path.startsWith('graders/'));
  const sources = graders.filter(([path]) => /^graders\/(?:grader|stub)\.cpp$/.test(path));
  const path = `graders/${id}.cpp`;
  const [source] = sources;
  // Without a grader the program has a main of its own.
  if (source === undefined) return { kind: 'as_is' };
  const [sourcePath, text] = source;
  const found = MAIN.exec(text);
  // A main that falls off its end returns 0, which no other function may do.
  if (sources.length > 1 || found === null || !/\breturn\b/.test(text.slice(found.index)))
    throw new RowError('unsupported', 'grader_files', 'the grader has no main that can be called');
  const headers = graders.filter(([each]) => each.endsWith('.h'));
  const hasArguments = !/^\s*(?:void)?\s*$/.test(found[1] ?? '');
  return {
    kind: 'files',
    path,
    entry: ENTRY,
    files: {
      ...Object.fromEntries(graders),
      // A header that is included twice would declare the program's functions within the namespace.
      ...Object.fromEntries(headers.map(([each, header]) => [each, `#pragma once\n${header}`])),
      [ENTRY]: [
        '#include <bits/stdc++.h>',
        // What the library declares must not come to be declared within the namespace.
        ...new Set(text.match(/^[ \t]*#[ \t]*include[ \t]*<[\w./+]+>/gm)),
        ...headers.map(([each]) => `#include "${each}"`),
        'namespace assay_grader {',
        `#include "${sourcePath}"`,
        '}',
        'int main(int argc, char **argv) {',
        `  ${hasArguments ? '' : '(void)argc, (void)argv; '}return assay_grader::main(${hasArguments ? 'argc, argv' : ''});`,
        '}',
        `#include "${path}"`,
        '',
      ].join('\n'),
    },
  };
}
