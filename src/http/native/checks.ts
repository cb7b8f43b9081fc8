/** Checks of a submission that no schema can express, each collecting errors with their paths. Pure. */
import type { FieldError } from '../../domain/errors.ts';
import { SUBMISSION_BOUNDS } from '../../domain/limits.ts';
import type { SourceFile } from '../../domain/submission.ts';
import { formatPath } from '../middleware/body/field-path.ts';
import type { File } from './schema/submission.ts';

const B = SUBMISSION_BOUNDS;
/** Of `commandBytes`, what is kept for the language's own command and environment, bytes. */
export const COMMAND_RESERVE_BYTES = 16 * 1024;
/** After so many errors there is no use in looking for more. */
const ERRORS_MAX = 100;

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Names by which loaders, shells and interpreters are made to run other code than the program's. */
const CODE_LOADING_ENV =
  /^(?:LD_.*|GCONV_PATH|GLIBC_TUNABLES|LOCPATH|NLSPATH|PYTHON(?:PATH|HOME|STARTUP|INSPECT|BREAKPOINT|PLATLIBDIR|USERBASE|EXECUTABLE|PYCACHEPREFIX)|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|PERL5(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GCC_EXEC_PREFIX|COMPILER_PATH|LIBRARY_PATH|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|PATH|IFS)$/;

/** The errors found so far; throws nothing itself. */
export interface Errors {
  readonly list: FieldError[];
  add(path: readonly PropertyKey[], message: string): void;
  readonly isFull: boolean;
}

export function createErrors(): Errors {
  const list: FieldError[] = [];
  return {
    list,
    add(path, message) {
      if (list.length < ERRORS_MAX) list.push({ path: formatPath(path), message });
    },
    get isFull() {
      return list.length >= ERRORS_MAX;
    },
  };
}

/** Why a path is not allowed in the work folder; null if it is. */
export function pathProblem(path: string): string | null {
  if (path === '') return 'a path must not be empty';
  if (path.includes('\0')) return 'a path must not hold NUL';
  if (path.startsWith('/')) return 'a path must be relative';
  if (Buffer.byteLength(path) > B.pathBytes)
    return `a path must not be longer than ${B.pathBytes} bytes`;
  const parts = path.split('/');
  if (parts.length > B.pathComponents)
    return `a path must not have more than ${B.pathComponents} parts`;
  if (parts.includes('..')) return 'a path must not leave the work folder (".." is not allowed)';
  if (parts.includes('.') || parts.includes(''))
    return 'a path must be normalised (no ".", no empty part)';
  const isTooLong = parts.some((part) => Buffer.byteLength(part) > B.pathComponentBytes);
  return isTooLong
    ? `a part of a path must not be longer than ${B.pathComponentBytes} bytes`
    : null;
}

/** The bytes of a file; a wrong base64 adds an error and gives an empty file. */
export function toBytes(file: File, at: readonly PropertyKey[], errors: Errors): Uint8Array {
  if (typeof file === 'string') return Buffer.from(file, 'utf8');
  if (file.text !== undefined) return Buffer.from(file.text, 'utf8');
  const bytes = decodeBase64(file.base64 ?? '');
  if (bytes === null) errors.add([...at, 'base64'], 'is not canonical base64 with padding');
  return bytes ?? new Uint8Array(0);
}

/** Strictly canonical base64 (RFC 4648 §4); null for anything else: other alphabets, spaces, missing padding. */
export function decodeBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** Files of a map in its order, each path checked, and no path both a file and a folder. */
export function toFiles(
  files: Readonly<Record<string, File>>,
  at: readonly PropertyKey[],
  errors: Errors,
): SourceFile[] {
  const entries = Object.entries(files);
  if (entries.length > B.files) {
    errors.add(at, `at most ${B.files} files, got ${entries.length}`);
    return [];
  }
  const paths = new Set(entries.map(([path]) => path));
  const inodes = paths.size + countFolders(paths);
  if (inodes > B.filesAndFolders) {
    errors.add(at, `at most ${B.filesAndFolders} files and folders together, got ${inodes}`);
    return [];
  }
  return entries.map(([path, file]) => {
    const problem = pathProblem(path) ?? folderProblem(path, paths);
    if (problem !== null) errors.add([...at, path], problem);
    return { path, content: toBytes(file, [...at, path], errors) };
  });
}

/** Folders that the files of such paths lie in; what is not a path in itself is refused by its own rule. */
function countFolders(paths: ReadonlySet<string>): number {
  const folders = new Set<string>();
  for (const path of paths) {
    if (path.length > B.pathBytes) continue;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      // What is above a folder that is known is known.
      if (folders.has(folder)) break;
      folders.add(folder);
      if (folders.size > B.filesAndFolders) return folders.size;
    }
  }
  return folders.size;
}

function folderProblem(path: string, paths: ReadonlySet<string>): string | null {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    if (paths.has(path.slice(0, at))) return 'a path must not be both a file and a folder';
  }
  return null;
}

/** Args hold no NUL. */
export function checkArgs(
  args: readonly string[],
  at: readonly PropertyKey[],
  errors: Errors,
): void {
  args.forEach((arg, i) => {
    if (arg.includes('\0')) errors.add([...at, i], 'must not hold NUL');
  });
}

/** Names of the environment are identifiers that load no code; values hold no NUL. */
export function checkEnv(env: Readonly<Record<string, string>>, errors: Errors): void {
  const entries = Object.entries(env);
  if (entries.length > B.env)
    errors.add(['env'], `at most ${B.env} variables, got ${entries.length}`);
  for (const [name, value] of entries.slice(0, B.env)) {
    if (!ENV_NAME.test(name)) errors.add(['env', name], 'a name must match [A-Za-z_][A-Za-z0-9_]*');
    else if (CODE_LOADING_ENV.test(name))
      errors.add(['env', name], 'this variable can load other code and is fixed');
    if (value.includes('\0')) errors.add(['env', name], 'must not hold NUL');
  }
}

/** Labels are few and short. */
export function checkLabels(labels: Readonly<Record<string, string>>, errors: Errors): void {
  const entries = Object.entries(labels);
  if (entries.length > B.labels)
    errors.add(['labels'], `at most ${B.labels} labels, got ${entries.length}`);
  for (const [name, value] of entries.slice(0, B.labels)) {
    if (Buffer.byteLength(name) > B.labelBytes || Buffer.byteLength(value) > B.labelBytes) {
      errors.add(
        ['labels', name],
        `a label's name and value are at most ${B.labelBytes} bytes each`,
      );
    }
  }
}

/** Ids are echoed into logs and reports, so they are short. */
export function checkId(id: string | undefined, at: readonly PropertyKey[], errors: Errors): void {
  // A character is at most three bytes a UTF-16 unit, so short ids need no counting.
  if (id === undefined || id.length * 3 <= B.idBytes || Buffer.byteLength(id) <= B.idBytes) return;
  errors.add(at, `at most ${B.idBytes} bytes`);
}

/** Bytes of strings in the command of a run, terminators included. */
export function stringBytes(strings: readonly string[]): number {
  return strings.reduce((sum, each) => sum + Buffer.byteLength(each) + 1, 0);
}
