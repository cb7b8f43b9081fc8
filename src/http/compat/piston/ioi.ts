/**
 * The package `cms_ioi`: a program with the grader, checker or manager of its task and a test in, and what the package's
 * script would print out: the score on stdout, a feedback on stderr. Checker, manager and expected output are never where
 * the program runs, and nothing that it prints is taken for a score. Pure.
 */
import { resolveLimits, wallFor, type Limits } from '../../../domain/limits.ts';
import type { JudgeReport } from '../../../domain/report.ts';
import {
  PROCESSES_MAX,
  type Compare,
  type Grader,
  type Interactor,
  type JudgeSubmission,
  type SourceFile,
} from '../../../domain/submission.ts';
import type { CaseReport } from '../../../domain/verdict.ts';
import {
  byName,
  checkBytes,
  compiledStage,
  judgeOne,
  needBytes,
  saidStage,
  shellCode,
  textOf,
  withMacro,
} from './judged.ts';
import type { Runtime } from './languages.ts';
import { toProgram, type Resolution } from './plain.ts';
import {
  fieldsOf,
  PistonError,
  type ExecuteRequest,
  type ExecuteResponse,
  type PistonFile,
} from './schema.ts';

const MIB = 1024 * 1024;

const INPUT = 'input.txt';
const EXPECTED = 'correct_output.txt';
const CONFIG = 'graders/grader_config.json';
const CHECKER = 'checker/checker.cpp';
const MANAGER = 'graders/manager.cpp';
/** Either is the main that calls the program. */
const MAINS = ['graders/grader.cpp', 'graders/stub.cpp'];
const SOURCE = /^graders\/.+\.(?:h|hpp|cpp|cc|c)$/;

/** Of checkers and managers, whatever the program's are. */
const JUDGE_LIMITS = { cpuMs: 30_000, memoryBytes: 1024 * MIB } as const;

/** What the script says of a right output and of a wrong one, with a checker and without. */
interface Ioi {
  readonly submission: JudgeSubmission;
  readonly telling: Telling;
}

interface Telling {
  readonly timeLimitS: number;
  /** Behind the words for an output that was compared. */
  readonly how: string;
}

/** Throws PistonError for a request without a test, without limits, or of a kind of task that is not judged here. */
export function toIoi(request: ExecuteRequest, { id, runtime, maxima }: Resolution): Ioi {
  const files = byName(request.files);
  const config = readConfig(textOf(files, CONFIG));
  const stdin = needBytes(files, INPUT);
  const expectedStdout = files.get(EXPECTED)?.content ?? new Uint8Array(0);
  const { limits } = resolveLimits(limitsOf(request, config, maxima), maxima);
  const main = request.files.find(({ isText }) => isText);
  const sources = request.files.filter(
    (file) => file !== main && SOURCE.test(file.name) && file.name !== MANAGER,
  );
  const own = toProgram(main === undefined ? [] : [main], runtime);
  const grader = graderOf(own.entry, sources, runtime);
  const judging = judgingOf(request.files, { config, maxima });
  if (judging.isBounded) checkBytes(stdin.byteLength + expectedStdout.byteLength, limits);
  const judged = judgeOne({ stdin, expectedStdout, limits, files: [] }, judging.compare);
  const { tests } = judged;
  return {
    telling: { timeLimitS: config.timeLimitS, how: judging.how },
    submission: {
      ...judged,
      id,
      language: runtime.id,
      environment: runtime.environment,
      program: { ...own, files: own.files.map((file) => withMacro(file, runtime.macro)) },
      graders: grader === null ? [] : [grader],
      args: judging.args,
      tests:
        judging.interactor === null || !('cases' in tests)
          ? tests
          : { kind: 'interactive', interactor: judging.interactor, cases: tests.cases },
    },
  };
}

function limitsOf({ limits }: ExecuteRequest, config: Config, maxima: Limits) {
  const cpuMs = Math.max(1, Math.ceil(config.timeLimitS * 1000));
  return {
    cpuMs,
    wallMs: Math.min(wallFor(cpuMs), limits.run_timeout ?? Number.POSITIVE_INFINITY),
    memoryBytes: Math.min(config.memoryBytes, limits.run_memory_limit ?? Number.POSITIVE_INFINITY),
    compileCpuMs: limits.compile_cpu_time ?? limits.compile_timeout ?? undefined,
    diskBytes: maxima.diskBytes,
  };
}

/** Null for a task whose programs have a main of their own. */
function graderOf(
  program: string,
  sources: readonly PistonFile[],
  { macro }: Runtime,
): Grader | null {
  const entry = MAINS.find((path) => sources.some(({ name }) => name === path));
  if (entry === undefined) return null;
  const files = sources.map(({ name, content }): SourceFile => {
    const file = { path: name, content };
    return name.endsWith('.h') || name.endsWith('.hpp') ? file : withMacro(file, macro);
  });
  return { language: 'cpp', entry, program, files };
}

interface Config {
  readonly timeLimitS: number;
  readonly memoryBytes: number;
  readonly isCommunication: boolean;
  readonly processes: number;
  readonly hasFifos: boolean;
}

function readConfig(text: string | null): Config {
  if (text === null) throw new PistonError(`files must include ${CONFIG}`);
  const fields = fieldsOf(parsed(text));
  const number = (name: string): number => {
    const value = fields[name];
    if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
    throw new PistonError(`${CONFIG} must give ${name} as a number above 0`);
  };
  const processes = fields['task_type_parameters_Communication_num_processes'] ?? 1;
  return {
    timeLimitS: number('time_limit'),
    memoryBytes: number('memory_limit'),
    isCommunication: fields['task_type'] === 'Communication',
    processes: typeof processes === 'number' ? processes : Number(processes),
    hasFifos: fields['task_type_parameters_Communication_user_io'] === 'fifo_io',
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message quotes the text.
    throw new PistonError(`${CONFIG} is not valid JSON`);
  }
}

interface Judging {
  readonly compare: Compare;
  /** Null where outputs are judged. */
  readonly interactor: Interactor | null;
  readonly args: readonly string[];
  readonly how: string;
  /** Whether a program of the task's reads the test. */
  readonly isBounded: boolean;
}

/** Who judges: a manager, a checker, or else the service compares. */
function judgingOf(
  files: readonly PistonFile[],
  { config, maxima }: { readonly config: Config; readonly maxima: Limits },
): Judging {
  const byAuthor = (folder: string, entry: string) => ({
    language: 'cpp',
    environment: null,
    program: {
      kind: 'files',
      entry,
      files: files
        .filter(({ name }) => name === entry || (name.startsWith(folder) && name.endsWith('.h')))
        .map(({ name, content }) => ({ path: name, content })),
    } as const,
    args: [],
    limits: resolveLimits(JUDGE_LIMITS, maxima).limits,
    convention: 'cms' as const,
    bridged: 'default' as const,
    pointsMax: null,
  });
  const has = (path: string): boolean => files.some(({ name }) => name === path);
  const plain = { interactor: null, args: [], how: '', isBounded: true };
  if (config.isCommunication || has(MANAGER)) {
    if (!has(MANAGER)) throw new PistonError(`files must include ${MANAGER}`);
    const { processes } = config;
    if (!Number.isInteger(processes) || processes < 1 || processes > PROCESSES_MAX)
      throw new PistonError(`tasks have 1 to ${PROCESSES_MAX} processes`);
    // A stub that opens the FIFOs it is told of gets its own streams.
    const args = config.hasFifos ? ['/dev/stdin', '/dev/stdout'] : [];
    const interactor = { ...byAuthor('graders/', MANAGER), processes };
    return { ...plain, compare: { kind: 'tokens' }, interactor, args };
  }
  if (!has(CHECKER))
    return { ...plain, compare: { kind: 'tokens' }, how: ' (diff)', isBounded: false };
  return { ...plain, compare: { kind: 'checker', checker: byAuthor('checker/', CHECKER) } };
}

/** The package's stages; null where the client should ask again; a message where that would not help. */
export function toIoiResponse(
  report: JudgeReport,
  { runtime, telling }: { readonly runtime: Runtime; readonly telling: Telling },
): ExecuteResponse | { readonly message: string } | null {
  const { fault, verdict, cases } = report;
  if (fault !== null) return fault.retryable ? null : { message: fault.message };
  const { language, version } = runtime;
  const compile = compiledStage(report, '');
  if (verdict === 'compile_error') return { run: compile, compile, language, version };
  const [judged] = cases;
  if (judged === undefined) return null;
  const [score, feedback] = scoreOf(judged, telling);
  // Whatever happened, their script ends well.
  const said = { stdout: `${score}\n`, stderr: `${feedback}\n`, code: 0 };
  return { run: saidStage(said, judged), compile, language, version };
}

function scoreOf(judged: CaseReport, { timeLimitS, how }: Telling): readonly [number, string] {
  switch (judged.verdict) {
    case 'accepted':
      return [1, `Output is correct${how}`];
    case 'wrong_answer':
      return [judged.score, feedbackOf(judged, how)];
    case 'time_limit':
      return [0, `Time limit exceeded (${timeLimitS}s)`];
    case 'memory_limit':
      return [0, 'Memory limit exceeded'];
    case 'output_limit':
    case 'runtime_error':
    case 'not_run':
      return [0, `Runtime error with exit code ${shellCode(judged) || 1}`];
  }
}

/** Texts from which the client concludes something else; a checker may quote the program. */
const MISLEADING =
  /Resource temporarily unavailable|Compilation error|Memory limit exceeded|Time limit exceeded/;

function feedbackOf({ score, message }: CaseReport, how: string): string {
  const said = score > 0 ? 'Output is partially correct' : `Output isn't correct${how}`;
  const isShown = how === '' && message !== '' && !MISLEADING.test(message);
  return isShown ? `${said}: ${message}` : said;
}
