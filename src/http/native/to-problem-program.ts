/** From the native wire to programs of a problem. Pure; collects errors with their paths. */
import { resolveLimits, type Limits } from '../../domain/limits.ts';
import {
  CASE_FOLDER,
  type Checker,
  type Grader,
  type Interactor,
  type ProblemProgram,
  type ProgramSource,
} from '../../domain/submission.ts';
import { checkArgs, pathProblem, stringBytes, toFiles, type Errors } from './checks.ts';
import type {
  Checker as CheckerWire,
  Grader as GraderWire,
  Interactor as InteractorWire,
  Manager as ManagerWire,
} from './schema/problem-program.ts';
import { bytesOf, checkCommand, checkProgramBytes, toLimitsRequest } from './to-submission.ts';

interface Place {
  readonly at: readonly PropertyKey[];
  readonly maxima: Limits;
  readonly errors: Errors;
}

type ProgramWire = Omit<CheckerWire, 'convention' | 'bridged' | 'points_max'>;

/** The checker of a way of comparison. */
export function toChecker(wire: CheckerWire | ManagerWire, place: Place): Checker {
  return {
    ...toProblemProgram(wire, place),
    ...answersOf(wire, place),
    convention: wire.convention,
  };
}

/** The interactor of interactive tests. */
export function toInteractor(wire: InteractorWire, place: Place): Interactor {
  if (wire.processes > 1 && wire.convention !== 'cms')
    place.errors.add([...place.at, 'processes'], 'only managers of CMS talk with several');
  return {
    processes: wire.processes,
    ...toProblemProgram(wire, place),
    ...answersOf(wire, place),
    convention: wire.convention,
  };
}

const GRADERS_MAX = 32;

/** The graders of a problem; each fits a jail beside the candidate's program. */
export function toGraders(
  wire: Readonly<Record<string, GraderWire>>,
  { program, errors }: { readonly program: ProgramSource; readonly errors: Errors },
): Grader[] {
  const entries = Object.entries(wire);
  if (entries.length > GRADERS_MAX) errors.add(['graders'], `at most ${GRADERS_MAX} languages`);
  return entries.slice(0, GRADERS_MAX).map(([language, { entry, program: path, files }]) => {
    const at = ['graders', language];
    const checked = toFiles({ ...files, [path]: '' }, [...at, 'files'], errors);
    const own = checked.filter((file) => file.path !== path);
    if (Object.hasOwn(files, path)) errors.add([...at, 'program'], 'is one of the files');
    if (!own.some((file) => file.path === entry))
      errors.add([...at, 'entry'], 'is not among `files`');
    checkProgramBytes(bytesOf(own) + bytesOf(program.files) + textBytes(program), errors);
    return { language, entry, program: path, files: own };
  });
}

function textBytes(program: ProgramSource): number {
  if (program.kind === 'files') return 0;
  return Buffer.byteLength(program.kind === 'single' ? program.code : program.text);
}

function answersOf(
  wire: CheckerWire | InteractorWire | ManagerWire,
  { at, errors }: Place,
): Pick<Checker, 'bridged' | 'pointsMax'> {
  if (!('bridged' in wire || 'points_max' in wire)) return { bridged: 'default', pointsMax: null };
  if (wire.bridged !== undefined && wire.convention !== 'dmoj_bridged')
    errors.add([...at, 'bridged'], 'only convention dmoj_bridged has such kinds');
  return { bridged: wire.bridged ?? 'default', pointsMax: wire.points_max ?? null };
}

function toProblemProgram(wire: ProgramWire, { at, maxima, errors }: Place): ProblemProgram {
  checkArgs(wire.args, [...at, 'args'], errors);
  checkCommand(stringBytes(wire.args), [...at, 'args'], errors);
  return {
    language: wire.language,
    environment: wire.environment ?? null,
    program: toSource(wire, at, errors),
    args: wire.args,
    limits: resolveLimits(toLimitsRequest(wire.limits), maxima).limits,
  };
}

function toSource(
  { code, files: given, entry }: ProgramWire,
  at: readonly PropertyKey[],
  errors: Errors,
): ProblemProgram['program'] {
  const files = toFiles(given ?? {}, [...at, 'files'], errors);
  checkProgramBytes(Buffer.byteLength(code ?? '') + bytesOf(files), errors);
  for (const { path } of files) {
    if (path === CASE_FOLDER || path.startsWith(`${CASE_FOLDER}/`))
      errors.add([...at, 'files', path], `${CASE_FOLDER}/ is where the files of a case lie`);
  }
  if ((code === undefined) === (entry === undefined))
    errors.add(at, 'give exactly one of `code`, or `files` with `entry`');
  if (entry === undefined) return { kind: 'single', code: code ?? '', files };
  const problem = pathProblem(entry);
  if (problem !== null) errors.add([...at, 'entry'], problem);
  else if (!files.some(({ path }) => path === entry))
    errors.add([...at, 'entry'], 'is not among `files`');
  return { kind: 'files', entry, files };
}
