/**
 * From an environment and a program to what a jail executes: argv, environment, files and artefacts of the compile step
 * and of a run. Pure. Knows no language by name; everything comes from its definition.
 */
import { Fault } from '../domain/errors.ts';
import type { Environment, LanguageDefinition } from '../domain/language.ts';
import type { SourceFile } from '../domain/submission.ts';

/** A program: its files, paths relative to the work folder and already checked, and the path of the main one. */
export interface PlannedProgram {
  readonly entry: string;
  readonly files: readonly SourceFile[];
}

export interface CompilePlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Paths that the step must leave behind: the artefacts, in the definition's order. */
  readonly collect: readonly string[];
}

export interface RunPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface RunPlanOptions {
  /** Added to the command. */
  readonly args?: readonly string[];
  /** Added to the fixed environment, names already checked; a fixed name keeps its fixed value. */
  readonly env?: Readonly<Record<string, string>>;
  /** An integer for the language's hash function; null for the default, 0. */
  readonly seed?: number | null;
}

/** What every compile step and run finds in its environment, whatever the language. */
export const COMMON_ENV: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/work',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  OMP_NUM_THREADS: '1',
  OPENBLAS_NUM_THREADS: '1',
  MKL_NUM_THREADS: '1',
};

const DEFAULT_SEED = 0;
/** Hash seeds are 32 bits wide (PYTHONHASHSEED: 0 … 4294967295); others are taken modulo that. */
const SEEDS = 2 ** 32;

/** The compile step. Throws `Fault('internal')` for a language without one, or an entry that is no file of the program. */
export function planCompile(environment: Environment, program: PlannedProgram): CompilePlan {
  const { compile } = environment.language;
  if (compile === null) throw new Fault('internal', `${environment.id} has no compile step`);
  return {
    argv: fillAll(compile.command, environment, program),
    env: fixedEnv(environment, program, DEFAULT_SEED),
    collect: fillAll(compile.artefacts, environment, program),
  };
}

/** One run. Throws `Fault('internal')` for an entry that is no file of the program. */
export function planRun(
  environment: Environment,
  program: PlannedProgram,
  options: RunPlanOptions = {},
): RunPlan {
  const { args = [], env = {}, seed = null } = options;
  return {
    argv: [...fillAll(environment.language.run.command, environment, program), ...args],
    env: { ...env, ...fixedEnv(environment, program, seed ?? DEFAULT_SEED) },
  };
}

/**
 * The files to stage for runs when the artefacts come from elsewhere (a cache) and the compile step is left out: all of
 * them, or all but the main one where the definition says that a run needs no source.
 */
export function filesOfRun(
  language: LanguageDefinition,
  program: PlannedProgram,
): readonly SourceFile[] {
  if (language.compile === null || language.run.needsSource) return program.files;
  return program.files.filter(({ path }) => path !== program.entry);
}

function fixedEnv(
  environment: Environment,
  program: PlannedProgram,
  seed: number,
): Record<string, string> {
  const { env, seedVariable } = environment.language;
  const own = Object.entries(env).map(([name, value]): [string, string] => [
    name,
    fill(value, environment, program),
  ]);
  const seeded =
    seedVariable === null ? {} : { [seedVariable]: String(((seed % SEEDS) + SEEDS) % SEEDS) };
  return { ...COMMON_ENV, ...Object.fromEntries(own), ...seeded };
}

function fillAll(
  texts: readonly string[],
  environment: Environment,
  program: PlannedProgram,
): string[] {
  return texts.map((text) => fill(text, environment, program));
}

/** The placeholders of a definition; other braces are text. */
export const PLACEHOLDER = /\{(entry|stem|tools\.[^{}\s]+)\}/g;

function fill(text: string, environment: Environment, program: PlannedProgram): string {
  return text.replace(PLACEHOLDER, (_whole, name: string) => {
    if (name === 'entry') return entryArgument(program);
    if (name === 'stem') return withoutExtension(entryArgument(program));
    const tool = environment.toolchain.tools[name.slice('tools.'.length)];
    if (tool === undefined) throw new Fault('internal', `${environment.id} has no ${name}`);
    return tool;
  });
}

/** What begins like this is never taken for an option (`-c`), a response file (`@x`) or anything but a name. */
const PLAIN_START = /^[A-Za-z0-9_]/;

/** The entry as an argument: relative to the work folder, with `./` in front where it could be misread. */
function entryArgument({ entry, files }: PlannedProgram): string {
  if (!files.some(({ path }) => path === entry)) {
    throw new Fault('internal', 'the entry is no file of the program');
  }
  return PLAIN_START.test(entry) ? entry : `./${entry}`;
}

function withoutExtension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? path : path.slice(0, path.length - name.length + dot);
}
