/**
 * Warm runtimes: what the supervisor keeps ready for an environment, and which programs may be forked from it. Pure; all
 * that differs between languages is data of their definitions.
 */
import type { Environment, LanguageDefinition } from '../domain/language.ts';
import type { RawExit } from '../domain/outcome.ts';
import type { SourceFile } from '../domain/submission.ts';
import { projectPath } from '../lib/project.ts';
import { planRun } from './plan.ts';

/**
 * Of tests that are code: what runs beside the candidate, and what runs the tests; what reads tests that are to run beside
 * a candidate, and what runs both.
 */
export type Side = 'candidate' | 'tests' | 'planner' | 'inprocess';

/** A process of the jail from which runs are forked. */
export interface WarmRuntime {
  /** File name in the runners' build folder of what is preloaded into the process. */
  readonly library: string;
  /** The command and the environment of a run as it is most of the time; a run that differs is started the cold way. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly imports: readonly string[];
  /** Of a second process with fewer modules, for programs that need no more; null without one. */
  readonly lightImports: readonly string[] | null;
  /** How long it may take to become ready, ms. */
  readonly startLimitMs: number;
}

/** The warm runtime of an environment, null where its language has none. */
export function warmRuntime(environment: Environment): WarmRuntime | null {
  const { warm, sourceFile } = environment.language;
  if (warm === null) return null;
  const main = { path: sourceFile, content: new Uint8Array(0) };
  const { argv, env } = planRun(environment, { entry: sourceFile, files: [main] });
  return {
    library: warm.library,
    argv,
    env,
    imports: warm.imports,
    lightImports: warm.light?.imports ?? null,
    startLimitMs: warm.startLimitMs,
  };
}

/** A module of ours. */
export interface OwnModule {
  /** Host path. */
  readonly source: string;
  /** Path in jails with a warm runtime. */
  readonly target: string;
}

/** The modules of one side of tests that are code, in the order of their loading; empty where there is none. */
export function verifierModules(
  { language: { verifier } }: Pick<Environment, 'language'>,
  side: Side,
): readonly OwnModule[] {
  if (verifier === null) return [];
  const { extension } = verifier;
  const folder = verifier.folder.split('/');
  return verifier[side].map((name) => ({
    source: projectPath('runners', ...folder, `${name}${extension}`),
    target: `/assay/split/${name}${extension}`,
  }));
}

/** Those that a jail's warm runtime has loaded before it forks. */
export function preloadedModules(environment: Environment, side: Side): readonly OwnModule[] {
  return environment.language.verifier?.start === 'warm' ? verifierModules(environment, side) : [];
}

/** Whether the end of a run leaves open if it was the program's or came of its being forked. */
export function isDoubtful(
  { forked, cause, signal }: Pick<RawExit, 'forked' | 'cause' | 'signal'>,
  { warm }: LanguageDefinition,
): boolean {
  const signals = warm?.doubtfulSignals ?? null;
  if (!forked || signals === null) return false;
  return cause === 'wall' || (cause === 'signalled' && signals.includes(signal ?? 0));
}

/**
 * Whether a program may be forked from its language's warm runtime: none of its source files holds a word of what a fork
 * cannot imitate. A word in a string or a comment counts too: the cold way is always right.
 */
export function mayBeForked(files: readonly SourceFile[], language: LanguageDefinition): boolean {
  return language.warm !== null && !hasWord(files, language, language.warm.coldWords);
}

/**
 * Whether the runtime with fewer modules is enough for a program: it names none of the others. One that imports them all
 * the same pays for it, as a fresh interpreter would.
 */
export function isLight(files: readonly SourceFile[], language: LanguageDefinition): boolean {
  const light = language.warm?.light ?? null;
  return light !== null && !hasWord(files, language, light.unless);
}

function hasWord(
  files: readonly SourceFile[],
  { sourceFile }: LanguageDefinition,
  words: readonly string[],
): boolean {
  const extension = sourceFile.slice(sourceFile.lastIndexOf('.'));
  const sources = files.filter(({ path }) => path.endsWith(extension));
  return sources.some(({ content }) => {
    const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    return words.some((word) => text.includes(word));
  });
}
