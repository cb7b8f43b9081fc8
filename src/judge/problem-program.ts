/**
 * Programs of a problem's author (checkers, interactors) as they are staged: their environment, their files, and what
 * their convention brings along. Owns nothing of how they are called.
 */
import { planRun } from '../catalog/plan.ts';
import { Fault, Rejection, type FaultCode } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { Limits } from '../domain/limits.ts';
import type { ProblemProgram, SourceFile } from '../domain/submission.ts';
import { cutBytes } from '../lib/cut-bytes.ts';
import type { RunSpec } from '../runner/pending-run.ts';
import { stageProgram } from './compile.ts';
import type { Offer } from './offer.ts';
import { NO_CPU, type Place } from './place.ts';
import { toProgram, type Program } from './program.ts';
import { plannedMemory, runLimits } from './run-spec.ts';

/** Files of this house that such programs may need. */
export interface ProblemFiles {
  /** testlib.h, as set-up fetched it; null where it could not. */
  readonly testlib: Uint8Array | null;
  /** Calls a DMOJ checker's `check`. */
  readonly dmoj: Uint8Array;
  /** Gives a CMS manager its FIFOs. */
  readonly manager: Uint8Array;
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

/** The sources into which another text can be included before anything else. */
const INCLUDES = /\.(?:c|cc|cpp)$/;
/** Paths that are safe between the quotes of an include. */
const PLAIN_PATH = /^[\w./-]+$/;

/** The same behind a header of ours, with macros for it, that is included first. `at` is its place in the request. */
export function behindHeader(
  { environment, program, entry }: PreparedProgram,
  {
    header,
    defines,
    at,
  }: { readonly header: Uint8Array; readonly defines: readonly string[]; readonly at: string },
): PreparedProgram {
  const { sourceFile } = environment.language;
  const message = 'such a program is in C or C++, and its path has no unusual characters';
  if (!INCLUDES.test(sourceFile) || !PLAIN_PATH.test(entry)) {
    const detail = `${at}: ${message}`;
    throw new Rejection('invalid', { detail, errors: [{ path: at, message }] });
  }
  const own = `assay-own-${sourceFile}`;
  const main = `assay-${sourceFile}`;
  const isAlone = entry === sourceFile;
  const included = isAlone ? own : entry;
  const files = program.files.map((file) =>
    isAlone && file.path === entry ? { ...file, path: own } : file,
  );
  const macros = defines.map((each) => `#define ${each}\n`).join('');
  const text = `${macros}#include "assay-manager.h"\n#line 1 "${entry}"\n#include "${included}"\n`;
  const ours = [
    { path: 'assay-manager.h', content: header },
    { path: main, content: Buffer.from(text) },
  ];
  return { environment, program: { ...program, entry: main, files: [...files, ...ours] }, entry };
}

function wantsTestlib({ files }: Program): boolean {
  if (files.some(({ path }) => path === TESTLIB)) return false;
  return files.some(({ content: { buffer, byteOffset, byteLength } }) =>
    Buffer.from(buffer, byteOffset, byteLength).includes(TESTLIB),
  );
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

/** Diagnostics told of a program that does not compile, bytes. */
const DIAGNOSTICS_MAX = 600;

/** Compiles and stages it in a jail of its own. Throws Fault `code` where it does not compile. */
export async function stagePrepared(
  place: Place,
  { program }: PreparedProgram,
  { limits, code }: { readonly limits: Limits; readonly code: FaultCode },
): Promise<void> {
  const compile = await stageProgram(place, program, { limits });
  if (compile === null || compile.ok) return;
  const { stderr, stdout, limit } = compile.outcome;
  const said = cutBytes(stderr.byteLength > 0 ? stderr : stdout, DIAGNOSTICS_MAX);
  const why = limit === null ? Buffer.from(said).toString() : `the ${limit} limit was reached`;
  throw new Fault(code, `it does not compile: ${why}`);
}

/** One run of it, as its convention says. */
export interface ProblemRun {
  readonly args: readonly string[];
  readonly files: readonly SourceFile[];
  readonly collect: readonly string[];
  readonly stdin?: Uint8Array;
  readonly limits: Limits;
}

/** The files of a case are not the program's doing: they come on top of its limits. */
export function problemSpec(
  place: Place,
  { environment, program }: PreparedProgram,
  { args, files, collect, stdin, limits: asked }: ProblemRun,
): RunSpec {
  const caseBytes = diskBytes(files);
  const limits = runLimits(
    {
      ...asked,
      memoryBytes: asked.memoryBytes + caseBytes,
      diskBytes: asked.diskBytes + caseBytes,
    },
    environment.language,
    place.session.hello.cgroup,
  );
  return {
    ...planRun(environment, program, { args, memory: plannedMemory(asked, limits) }),
    limits,
    stdin: stdin ?? new Uint8Array(0),
    files: files.map((file) => ({ ...file, executable: false })),
    cpu: place.cpu ?? NO_CPU,
    warm: program.mayBeForked && place.session.hello.features.warm,
    collect,
  };
}

const PAGE_BYTES = 4096;

function diskBytes(files: readonly SourceFile[]): number {
  const pages = files.map(({ content }) => Math.ceil(content.byteLength / PAGE_BYTES) + 1);
  return pages.reduce((sum, each) => sum + each, 0) * PAGE_BYTES;
}
