/**
 * Programs of a problem's author (checkers, interactors) as they are staged: their environment, their files, and what
 * their convention brings along. Owns nothing of how they are called.
 */
import { Fault, Rejection } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { ProblemProgram } from '../domain/submission.ts';
import type { Offer } from './offer.ts';
import type { Place } from './place.ts';
import { stageProgram } from './compile.ts';
import { toProgram, type Program } from './program.ts';

/** Files of this house that such programs may need. */
export interface ProblemFiles {
  /** testlib.h, as set-up fetched it; null where it could not. */
  readonly testlib: Uint8Array | null;
  /** Calls a DMOJ checker's `check`. */
  readonly dmoj: Uint8Array;
}

export interface PreparedProgram {
  readonly environment: Environment;
  /** What is staged and started. */
  readonly program: Program;
  /** The author's main file. */
  readonly entry: string;
}

/** Where a wrapper lies beside an author's own files. */
const WRAPPER = 'assay-checker.py';
/** Where an author's only file lies beside a wrapper that is started in its place. */
const WRAPPED = 'checker.py';
const TESTLIB = 'testlib.h';

/**
 * The program in its environment. `at` is its place in the request, for errors. Throws Rejection as `Offer.resolve` does.
 */
export function prepareProgram(
  { language, environment: wanted, program: source }: ProblemProgram,
  how: { readonly offer: Offer; readonly at: string; readonly testlib: Uint8Array | null },
): PreparedProgram {
  const { environment, definition } = resolve({ language, environment: wanted }, how);
  const found = toProgram(source, definition);
  if (found.kind !== 'program') throw new Fault('internal', 'a program of a problem is no text');
  const { entry, files } = found.program;
  const { testlib } = how;
  const brings = testlib !== null && wantsTestlib(found.program);
  const all = brings ? [...files, { path: TESTLIB, content: testlib }] : files;
  return { environment, program: { ...found.program, files: all }, entry };
}

/** The same, started through a wrapper in Python. */
export function wrapped(prepared: PreparedProgram, wrapper: Uint8Array): PreparedProgram {
  const { environment, program, entry } = prepared;
  const { sourceFile } = environment.language;
  const isAlone = program.files.length === 1 && entry === sourceFile;
  // A warm runtime starts nothing but the language's own main file.
  const path = isAlone ? sourceFile : WRAPPER;
  const files = program.files.map((file) => (isAlone ? { ...file, path: WRAPPED } : file));
  return {
    environment,
    program: { ...program, entry: path, files: [...files, { path, content: wrapper }] },
    entry: isAlone ? WRAPPED : entry,
  };
}

function wantsTestlib({ files }: Program): boolean {
  if (files.some(({ path }) => path === TESTLIB)) return false;
  return files.some(({ content }) => Buffer.from(content).includes(TESTLIB));
}

function resolve(
  wanted: Parameters<Offer['resolve']>[0],
  { offer, at }: { readonly offer: Offer; readonly at: string },
): ReturnType<Offer['resolve']> {
  try {
    return offer.resolve(wanted);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { detail, errors = [] } = error.context;
    const placed = errors.map(({ path, message }) => ({ path: `${at}.${path}`, message }));
    throw new Rejection(error.code, {
      ...error.context,
      detail: `${at}: ${detail}`,
      errors: placed,
    });
  }
}

/** Diagnostics told of a program that does not compile. */
const DIAGNOSTICS_MAX = 600;

/** Compiles and stages it in a jail of its own. Throws Fault `checker_failed` where it does not compile. */
export async function stagePrepared(
  place: Place,
  { program }: PreparedProgram,
  { limits, what }: Pick<ProblemProgram, 'limits'> & { readonly what: string },
): Promise<void> {
  const compile = await stageProgram(place, program, { limits });
  if (compile === null || compile.ok) return;
  const { stderr, stdout, limit } = compile.outcome;
  const said = Buffer.from(stderr.byteLength > 0 ? stderr : stdout).toString('utf8');
  const why = limit === null ? said.slice(0, DIAGNOSTICS_MAX) : `the ${limit} limit was reached`;
  throw new Fault('checker_failed', `the ${what} does not compile: ${why}`);
}
