/**
 * Whether the files that a caller sends along leave room for the program and leave it as it is. What does not is the
 * caller's mistake and refused as such; a program would otherwise be failed for it. Pure.
 */
import { planCompile } from '../catalog/plan.ts';
import { Rejection, type FieldError } from '../domain/errors.ts';
import type { Environment } from '../domain/language.ts';
import type { JudgeSubmission, RunSubmission, SourceFile } from '../domain/submission.ts';
import type { Program } from './program.ts';

const MIB = 1024 * 1024;
/** What a file takes of a tmpfs: whole pages. */
const PAGE_BYTES = 4096;
/** Errors told at once. */
const ERRORS_MAX = 20;

/**
 * Throws Rejection `invalid` where data files alone exceed the disk limit of a run, or where a file of a case would
 * take the place of the program's main file or of a compiled one, or be a folder where the other is a file.
 */
export function checkFiles(
  submission: RunSubmission | JudgeSubmission,
  program: Program,
  environment: Environment,
): void {
  const errors: FieldError[] = [];
  const data = program.files.filter(({ path }) => path !== program.entry);
  const dataBytes = diskBytes(data);
  if (dataBytes > submission.limits.diskBytes) {
    errors.push({ path: 'files', message: tooLarge(dataBytes, submission.limits.diskBytes) });
  }
  const cases = 'tests' in submission && 'cases' in submission.tests ? submission.tests.cases : [];
  const withFiles = cases.flatMap((each, i) => (each.files.length === 0 ? [] : [{ each, i }]));
  const fixed = withFiles.length === 0 ? [] : [program.entry, ...artefacts(program, environment)];
  const places = withFiles.length === 0 ? null : placesOf(program.files, fixed);
  for (const { each, i } of withFiles) {
    if (errors.length >= ERRORS_MAX) break;
    const path = `tests.cases[${i}].files`;
    const bytes = dataBytes + diskBytes(each.files);
    if (bytes > each.limits.diskBytes)
      errors.push({ path, message: tooLarge(bytes, each.limits.diskBytes) });
    const problem = places?.problemOf(each.files) ?? null;
    if (problem !== null) errors.push({ path, message: problem });
  }
  const [first] = errors;
  if (first === undefined) return;
  throw new Rejection('invalid', { detail: `${first.path}: ${first.message}`, errors });
}

function artefacts(program: Program, environment: Environment): readonly string[] {
  return environment.language.compile === null ? [] : planCompile(environment, program).collect;
}

function diskBytes(files: readonly SourceFile[]): number {
  return files.reduce(
    (sum, { content }) => sum + Math.ceil(content.byteLength / PAGE_BYTES) * PAGE_BYTES,
    0,
  );
}

function tooLarge(bytes: number, limitBytes: number): string {
  return `the data files of a run take ${Math.ceil(bytes / MIB)} MiB, the disk limit (disk_mb) is ${limitBytes / MIB}`;
}

export interface Places {
  /** Why files cannot lie where they are to; null if they can. */
  problemOf(files: readonly SourceFile[]): string | null;
}

/** The places that a program's files take. `fixed`: those that no other file may replace. */
export function placesOf(files: readonly SourceFile[], fixed: readonly string[]): Places {
  const taken = new Set([...files.map(({ path }) => path), ...fixed]);
  const folders = new Set([...taken].flatMap(foldersOf));
  const own = new Set(fixed);
  return {
    problemOf(given) {
      for (const { path } of given) {
        if (own.has(path)) return `${shown(path)} is the program's own file`;
        const isBoth = folders.has(path) || foldersOf(path).some((folder) => taken.has(folder));
        if (isBoth) return `${shown(path)} would be both a file and a folder`;
      }
      return null;
    },
  };
}

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    folders.push(path.slice(0, at));
  return folders;
}

/** Paths are the caller's text: shown, but not at any length. */
function shown(path: string): string {
  return JSON.stringify(path.length > 64 ? `${path.slice(0, 64)}…` : path);
}
