/**
 * Precompiled headers of C++: which ones, for which flags, and what they are made from. They only save time: the
 * compiler itself checks that one fits its own binary, flags and macros (gcc.gnu.org, "Precompiled Headers"), and the
 * key here holds everything that it does not check, above all the headers' own files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { findCompiler, partOf } from './gcc-toolchain.ts';
import { output } from './host.ts';
import { type Preparation, signatureOf } from './prepared.ts';

/** Where jails see the folder. */
export const HEADERS_TARGET = '/opt/assay/cpp';

/** The headers of one environment. */
export interface HeaderSet {
  /** The environment's id, and the name of its folder. */
  readonly environment: string;
  readonly flags: readonly string[];
  /** As programs include them. */
  readonly headers: readonly string[];
}

export interface HeaderToolchain {
  readonly compiler: string;
  readonly sets: readonly HeaderSet[];
  /** All files that are compiled into the headers. */
  readonly files: readonly string[];
  readonly preparation: Preparation;
}

/** Flags beside an environment's own that change what a header means (language.json: `-pthread` defines a macro). */
const COMMON_FLAGS = ['-pthread'] as const;

/** Throws `Unavailable` where there is no compiler, or it does not have the headers. */
export function findHeaders(): HeaderToolchain {
  const { path: compiler } = findCompiler('g++');
  const sets = readSets();
  const files = filesOf(compiler, sets);
  const programs = [compiler, partOf(compiler, 'cc1plus')];
  const key = [...programs, ...files].map(signatureOf);
  return {
    compiler,
    sets,
    files,
    preparation: { language: 'cpp', key: [JSON.stringify(sets), ...key] },
  };
}

const Words = z.array(z.string());

/** What of the language's definition matters here. */
const LanguageData = z.looseObject({
  environments: z.array(
    z.looseObject({ id: z.string(), vars: z.looseObject({ FLAGS: Words, HEADERS: Words }) }),
  ),
});

/** From the language's own data: `vars.FLAGS` and `vars.HEADERS` of its environments. */
function readSets(): HeaderSet[] {
  const file = join(import.meta.dirname, '../cpp/language.json');
  return LanguageData.parse(JSON.parse(readFileSync(file, 'utf8')))
    .environments.map(({ id, vars }) => ({
      environment: id,
      flags: [...vars.FLAGS, ...COMMON_FLAGS],
      headers: vars.HEADERS,
    }))
    .filter(({ headers }) => headers.length > 0);
}

/** The files that the headers include, under any of the flags. */
function filesOf(compiler: string, sets: readonly HeaderSet[]): string[] {
  const lists = sets.map(({ flags, headers }) => {
    const input = headers.map((header) => `#include <${header}>\n`).join('');
    const rule = output(compiler, [...flags, '-x', 'c++', '-M', '-'], { input });
    return rule.split(/[\s\\]+/).filter((word) => word.startsWith('/'));
  });
  return [...new Set(lists.flat())].toSorted();
}
