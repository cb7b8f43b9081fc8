/**
 * Wrong programs that every problem is tried with: none may be accepted. They are files, `testsets/controls/LANGUAGE`:
 * `stdio` for programs, `raw` and `call` for tests that are code; those of `call` define `hack`, and `bind` puts it where
 * the tests look for the program.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

import { OUTPUT_LANGUAGE } from '../../domain/submission.ts';
import type { Trial } from './calibrate.ts';

/** A wrong program. */
interface Control {
  readonly name: string;
  readonly code: string;
}

interface LanguageControls {
  readonly stdio: readonly Control[];
  readonly raw: readonly Control[];
  readonly call: readonly Control[];
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
/** Names that a file in JavaScript takes of a module; what is in braces holds none, so that no blank is looked at twice. */
const TAKEN = /\{([^{}]*)\}\s*(?:=\s*(?:await\s+import|require)\s*\(|from)\s*['"]([^'"\n]*)['"]/g;
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
      languages.set(language, await loadLanguage(join(folder, language)));
    return new Controls(languages);
  }

  /** For tests as in a judge request. Empty for a language that has none. */
  for(language: string, tests: unknown): readonly Trial[] {
    if (typeof tests !== 'object' || tests === null) return [];
    if ('kind' in tests && tests.kind === 'output_only') return wrongOutputs(tests);
    const toTrial = ({ name, code }: Control): Trial => ({ name, language, source: { code } });
    return this.#programs(language, tests).map(toTrial);
  }

  #programs(language: string, tests: object): readonly Control[] {
    const controls = this.#languages.get(language);
    if (controls === undefined) return [];
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

async function loadLanguage(folder: string): Promise<LanguageControls> {
  const names = await readdir(folder);
  const styles = await Promise.all(
    STYLES.map(async (style) => {
      if (!names.includes(style)) return [];
      const files = (await readdir(join(folder, style))).toSorted();
      return await Promise.all(
        files.map(async (file) => ({
          name: file.replace(/\.\w+$/, ''),
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

/** Of every case nothing, and its input. */
function wrongOutputs(tests: object): readonly Trial[] {
  const cases: unknown[] = 'cases' in tests && Array.isArray(tests.cases) ? tests.cases : [];
  const outputs = (of: (test: object) => unknown): Trial['source'] => ({
    outputs: Object.fromEntries(
      cases.flatMap((test, index) => {
        if (typeof test !== 'object' || test === null) return [];
        const id = 'id' in test ? String(test.id) : String(index + 1);
        return [[id, of(test)]];
      }),
    ),
  });
  const language = OUTPUT_LANGUAGE;
  const inputOf = (test: object): unknown => ('stdin' in test ? test.stdin : '');
  return [
    { name: 'hands-in-nothing', language, source: outputs(() => '') },
    { name: 'echoes-its-input', language, source: outputs(inputOf) },
  ];
}

function namesIn(tests: object): Names {
  if ('kind' in tests && tests.kind === 'jest')
    return { functions: takenNames(tests), classes: {} };
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

/** What test files in JavaScript take of the program by name. */
function takenNames(tests: object): readonly string[] {
  const files = 'files' in tests && typeof tests.files === 'object' ? tests.files : {};
  const modules: unknown[] =
    'modules' in tests && Array.isArray(tests.modules) ? tests.modules : ['solution'];
  const texts = Object.values(files ?? {}).filter((each) => typeof each === 'string');
  const lists = texts.flatMap((text) =>
    [...text.matchAll(TAKEN)].flatMap(([, list = '', from = '']) =>
      modules.includes(posix.basename(from, posix.extname(from))) ? list.split(',') : [],
    ),
  );
  const names = lists.map((each) => /^\s*(?:type\s+)?(\w+)/.exec(each)?.[1] ?? '');
  return [...new Set(names)].filter((name) => name !== '');
}

function fromEntry(entry: string): Names {
  const [, first, method] = ENTRY.exec(entry) ?? [];
  if (first === undefined) return NO_NAMES;
  return method === undefined
    ? { functions: [first], classes: {} }
    : { functions: [], classes: { [first]: [method] } };
}
