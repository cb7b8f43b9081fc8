/**
 * Wrong programs that every problem is tried with: none may be accepted. They are files, `testsets/controls/LANGUAGE`:
 * `stdio` for programs, `raw` and `call` for tests that are code; those of `call` define `hack`, and `bind` puts it where
 * the tests look for the program.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Trial } from './calibrate.ts';

interface LanguageControls {
  readonly stdio: readonly Trial[];
  readonly raw: readonly Trial[];
  readonly call: readonly Trial[];
  /** Joined to those of `call`; null where there are none. */
  readonly bind: string | null;
}

/** The program's side of tests that are code. */
interface Names {
  readonly functions: readonly string[];
  /** Methods by class. */
  readonly classes: Readonly<Record<string, readonly string[]>>;
}

const NO_NAMES: Names = { functions: [], classes: {} };
const STYLES = ['stdio', 'raw', 'call'] as const;
/** `f`, `Class.method`, `Class().method`. */
const ENTRY = /^(\w+)(?:(?:\(\))?\.(\w+))?$/;
/** Names that are called in a piece of test code, and not as methods. */
const CALLED = /(?<![.\w])([A-Za-z_]\w*)\s*\(/g;
/** Blanks of one line at a time: what may run on over lines would be looked at anew from each of them. */
const IMPORTED = /^[ \t]*from[ \t]+\w+[ \t]+import[ \t]+\(?([\w\s,]+)/gm;
/** Says nothing before its input ends, which in a conversation is after the wall limit: nothing comes of it but waiting. */
const LISTENER = 'echoes-its-input';
const NOT_THE_PROGRAMS = new Set(
  'abs all any assert bool bytes dict enumerate eval float frozenset int isinstance len list map max min not print range repr reversed round set sorted str sum tuple type zip and or in is if'.split(
    ' ',
  ),
);

export class Controls {
  readonly #languages: ReadonlyMap<string, LanguageControls>;

  private constructor(languages: ReadonlyMap<string, LanguageControls>) {
    this.#languages = languages;
  }

  /** No wrong programs at all. */
  static none(): Controls {
    return new Controls(new Map());
  }

  /** Reads the folder `testsets/controls` of the project. */
  static async load(folder: string): Promise<Controls> {
    const languages = new Map<string, LanguageControls>();
    for (const language of await readdir(folder))
      languages.set(language, await loadLanguage(join(folder, language), language));
    return new Controls(languages);
  }

  /** For tests as in a judge request. Empty for a language that has none. */
  for(language: string, tests: unknown): readonly Trial[] {
    const controls = this.#languages.get(language);
    if (controls === undefined || typeof tests !== 'object' || tests === null) return [];
    if (!('kind' in tests) || tests.kind === 'stdio' || tests.kind === 'two_step')
      return controls.stdio;
    if (tests.kind === 'interactive') return controls.stdio.filter(({ name }) => name !== LISTENER);
    const { functions, classes } = namesIn(tests);
    const names = `\nNAMES = ${JSON.stringify(functions)}\nCLASSES = ${JSON.stringify(classes)}\n`;
    const bound = controls.call.map((trial) => ({
      ...trial,
      code: `${trial.code}\n${names}${controls.bind ?? ''}`,
    }));
    return [...controls.raw, ...bound];
  }
}

async function loadLanguage(folder: string, language: string): Promise<LanguageControls> {
  const names = await readdir(folder);
  const styles = await Promise.all(
    STYLES.map(async (style) => {
      if (!names.includes(style)) return [];
      const files = (await readdir(join(folder, style))).toSorted();
      return await Promise.all(
        files.map(async (file) => ({
          name: file.replace(/\.\w+$/, ''),
          language,
          code: await readFile(join(folder, style, file), 'utf8'),
        })),
      );
    }),
  );
  const bind = names.find((name) => name.startsWith('bind.'));
  const [stdio = [], raw = [], call = []] = styles;
  return {
    stdio,
    raw,
    call,
    bind: bind === undefined ? null : await readFile(join(folder, bind), 'utf8'),
  };
}

function namesIn(tests: object): Names {
  if ('entry' in tests && typeof tests.entry === 'string') return fromEntry(tests.entry);
  const texts =
    'cases' in tests && Array.isArray(tests.cases)
      ? tests.cases.filter((each) => typeof each === 'string')
      : [];
  const files = 'files' in tests && typeof tests.files === 'object' ? tests.files : {};
  const imports = Object.values(files ?? {})
    .filter((each) => typeof each === 'string')
    .flatMap((text) => [...text.matchAll(IMPORTED)].flatMap(([, list = '']) => list.split(',')))
    .map((name) => name.trim())
    .filter((name) => /^\w+$/.test(name));
  const called = texts.flatMap((text) => [...text.matchAll(CALLED)].map(([, name = '']) => name));
  const functions = new Set([...called, ...imports].filter((name) => !NOT_THE_PROGRAMS.has(name)));
  return { functions: [...functions], classes: {} };
}

function fromEntry(entry: string): Names {
  const [, first, method] = ENTRY.exec(entry) ?? [];
  if (first === undefined) return NO_NAMES;
  return method === undefined
    ? { functions: [first], classes: {} }
    : { functions: [], classes: { [first]: [method] } };
}
