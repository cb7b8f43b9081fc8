/**
 * From an environment and a program to what a jail executes: argv, environment, files and artefacts of the compile step
 * and of a run. Pure. Knows no language by name; everything comes from its definition.
 */
import { Fault } from '../domain/errors.ts';
import type { Environment, LanguageDefinition } from '../domain/language.ts';
import { DEFAULT_LIMITS } from '../domain/limits.ts';
import type { SourceFile } from '../domain/submission.ts';

/** A program: its files, paths relative to the work folder and already checked, and the path of the main one. */
export interface PlannedProgram {
  readonly entry: string;
  readonly files: readonly SourceFile[];
  /** Paths of further source files that are compiled each on its own and linked with the main one. */
  readonly units?: readonly string[];
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

/** What a runtime may use that sizes its heap and stack itself, MiB. */
export interface PlannedMemory {
  readonly memoryMb: number;
  readonly stackMb: number;
}

export interface RunPlanOptions {
  /** Added to the command. */
  readonly args?: readonly string[];
  /** Added to the fixed environment, names already checked; a fixed name keeps its fixed value. */
  readonly env?: Readonly<Record<string, string>>;
  /** An integer for the language's hash function; null for the default, 0. */
  readonly seed?: number | null;
  /** At which the wall clock stands, ms since 1970; null for one that goes. Precondition: the language can hold it. */
  readonly clock?: number | null;
  /** From the limits of the run; by default what the default limits give. */
  readonly memory?: PlannedMemory;
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

const DEFAULT_MEMORY: PlannedMemory = {
  memoryMb: DEFAULT_LIMITS.memoryBytes / 1024 ** 2,
  stackMb: 16,
};
/** The stack of a compile step, MiB. */
const COMPILE_STACK_MB = 64;
const DEFAULT_SEED = 0;
/** Hash seeds are 32 bits wide (PYTHONHASHSEED: 0 … 4294967295); others are taken modulo that. */
const SEEDS = 2 ** 32;
/** Where jails have what stops a program's clock (`runners/clock`). */
export const CLOCK_LIBRARY = '/assay/clock.so';

/** The compile step. Throws `Fault('internal')` for a language without one, or an entry that is no file of the program. */
export function planCompile(environment: Environment, program: PlannedProgram): CompilePlan {
  const { compile } = environment.language;
  if (compile === null) throw new Fault('internal', `${environment.id} has no compile step`);
  const memory = { memoryMb: compile.memoryMb, stackMb: COMPILE_STACK_MB };
  const subject = { environment, program, memory };
  return {
    argv: fillAll(compile.command, subject),
    env: fixedEnv(subject, DEFAULT_SEED),
    collect: fillAll(compile.artefacts, subject),
  };
}

/** The quicker compile step, or null where the language has none, this program has no use for it, or a tool is missing. */
export function planQuickCompile(
  environment: Environment,
  program: PlannedProgram,
): CompilePlan | null {
  const quick = environment.language.compile?.quick ?? null;
  if (quick === null || !entryHas(program, quick.ifEntryHas)) return null;
  const { tools } = environment.toolchain;
  const needed = quick.args.flatMap((text) => [...text.matchAll(/\{tools\.([^{}\s]+)\}/g)]);
  if (needed.some(([, name = '']) => tools[name] === undefined)) return null;
  const plan = planCompile(environment, program);
  const [first = '', ...others] = plan.argv;
  const memory = DEFAULT_MEMORY;
  const args = fillAll(quick.args, { environment, program, memory });
  return { ...plan, argv: [first, ...args, ...others] };
}

/** Whether a file that is compiled on its own has one of the texts. */
function entryHas({ entry, files, units }: PlannedProgram, texts: readonly string[]): boolean {
  const compiled = files.filter(({ path }) => path === entry || units?.includes(path) === true);
  return compiled.some(({ content }) => {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    return texts.some((text) => bytes.includes(text));
  });
}

/** One run. Throws `Fault('internal')` for an entry that is no file of the program. */
export function planRun(
  environment: Environment,
  program: PlannedProgram,
  options: RunPlanOptions = {},
): RunPlan {
  const { args = [], env = {}, seed = null, clock = null, memory = DEFAULT_MEMORY } = options;
  const subject = { environment, program, memory };
  const { run, seedArgs } = environment.language;
  const [first = '', ...rest] = fillAll(run.command, subject);
  const seeded =
    seed === null ? [] : seedArgs.map((text) => text.replace('{seed}', String(toSeed(seed))));
  return {
    argv: [first, ...seeded, ...rest, ...args],
    env: {
      ...env,
      ...fixedEnv(subject, seed ?? DEFAULT_SEED),
      ...(clock === null ? {} : { LD_PRELOAD: CLOCK_LIBRARY, ASSAY_CLOCK_MS: String(clock) }),
    },
  };
}

/** What a harness does (`LanguageDefinition.harness`): asks its planner, builds, runs what was built. */
export function planHarness(
  environment: Environment,
  command: readonly string[],
  options: Omit<RunPlanOptions, 'seed' | 'clock'> = {},
): RunPlan {
  const { args = [], env = {}, memory = DEFAULT_MEMORY } = options;
  const subject = { environment, program: { entry: '', files: [] }, memory };
  return {
    argv: [...fillAll(command, subject), ...args],
    env: { ...env, ...fixedEnv(subject, DEFAULT_SEED) },
  };
}

/**
 * The files to stage for runs when the artefacts come from elsewhere (a cache) and the compile step is left out: all of
 * them, or all but those that are compiled where the definition says that a run needs no source.
 */
export function filesOfRun(
  language: LanguageDefinition,
  program: PlannedProgram,
): readonly SourceFile[] {
  if (language.compile === null || language.run.needsSource) return program.files;
  const { entry, units, files } = program;
  return files.filter(({ path }) => path !== entry && units?.includes(path) !== true);
}

/** What the placeholders stand for. */
interface Subject {
  readonly environment: Environment;
  readonly program: PlannedProgram;
  readonly memory: PlannedMemory;
}

function fixedEnv(subject: Subject, seed: number): Record<string, string> {
  const { env, seedVariable } = subject.environment.language;
  const own = Object.entries(env).map(([name, value]): [string, string] => [
    name,
    fill(value, subject),
  ]);
  const seeded = seedVariable === null ? {} : { [seedVariable]: String(toSeed(seed)) };
  return { ...COMMON_ENV, ...Object.fromEntries(own), ...seeded };
}

function toSeed(seed: number): number {
  return ((seed % SEEDS) + SEEDS) % SEEDS;
}

function fillAll(texts: readonly string[], subject: Subject): string[] {
  return texts.flatMap((text) =>
    text === UNITS ? (subject.program.units ?? []).map(toArgument) : fill(text, subject),
  );
}

const UNITS = '{units}';
/** The placeholders of a definition within texts; other braces are text. */
export const PLACEHOLDER = /\{(entry|stem|memory_mb|stack_mb|tools\.[^{}\s]+)\}/g;

function fill(text: string, { environment, program, memory }: Subject): string {
  return text.replace(PLACEHOLDER, (_whole, name: string) => {
    if (name === 'entry') return entryArgument(program);
    if (name === 'stem') return withoutExtension(entryArgument(program));
    if (name === 'memory_mb') return String(memory.memoryMb);
    if (name === 'stack_mb') return String(memory.stackMb);
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
  return toArgument(entry);
}

function toArgument(path: string): string {
  return PLAIN_START.test(path) ? path : `./${path}`;
}

function withoutExtension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? path : path.slice(0, path.length - name.length + dot);
}
