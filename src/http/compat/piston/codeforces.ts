/**
 * The languages of the package `codeforces`: a program, a test and perhaps a checker in, and what the package's script
 * would print out. The verdict is the service's: expected output, checker and configuration are never where the program
 * runs, and nothing that it prints or writes is taken for a verdict. Pure.
 */
import { resolveLimits, wallFor, type Limits } from '../../../domain/limits.ts';
import type { JudgeReport } from '../../../domain/report.ts';
import type { Compare, JudgeSubmission } from '../../../domain/submission.ts';
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
  withoutReturns,
  type Said,
} from './judged.ts';
import type { Runtime } from './languages.ts';
import { toProgram, type Resolution } from './plain.ts';
import { PistonError, type ExecuteRequest, type ExecuteResponse } from './schema.ts';

const MIB = 1024 * 1024;

const CHECKER = 'checker.py';
const INPUT = 'input.txt';
const EXPECTED = 'correct_output.txt';
const OUTPUT = 'output.txt';
const CONFIG = 'grader_config';
/** None of them is the program's to see; but for the input, where it is read from a file. */
const SECRET = new Set([CHECKER, INPUT, EXPECTED, CONFIG]);

/** Their script gives a checker 10 s, and the submission's memory, which is not its matter. */
const CHECKER_LIMITS = { cpuMs: 10_000, memoryBytes: 512 * MIB } as const;

interface Codeforces {
  readonly submission: JudgeSubmission;
  /** As it is told of a program that was too slow. */
  readonly timeLimitS: number;
}

/** Throws PistonError for a request without a test or without limits. */
export function toCodeforces(
  request: ExecuteRequest,
  { id, runtime, maxima }: Resolution,
): Codeforces {
  const files = byName(request.files);
  const config = readConfig(textOf(files, CONFIG));
  const checker = textOf(files, CHECKER);
  const input = withoutReturns(needBytes(files, INPUT));
  const expectedStdout = withoutReturns(
    checker === null ? needBytes(files, EXPECTED) : (files.get(EXPECTED)?.content ?? EMPTY),
  );
  const cpuMs = Math.max(1, Math.ceil(config.timeLimitS * 1000));
  const { limits } = resolveLimits(
    {
      cpuMs,
      wallMs: Math.min(wallFor(cpuMs), request.limits.run_timeout ?? Number.POSITIVE_INFINITY),
      memoryBytes: config.memoryLimitMb * MIB,
      compileCpuMs: request.limits.compile_cpu_time ?? request.limits.compile_timeout ?? undefined,
      diskBytes: maxima.diskBytes,
    },
    maxima,
  );
  if (checker !== null) checkBytes(input.byteLength + expectedStdout.byteLength, limits);
  const test = config.readsFile
    ? { stdin: EMPTY, files: [{ path: INPUT, content: input }], outputFile: OUTPUT }
    : { stdin: input, files: [] };
  const own = request.files.filter(({ name }) => !SECRET.has(name));
  const { entry, files: ownFiles } = toProgram(own, runtime);
  const program = {
    kind: 'files',
    entry,
    files: ownFiles.map((file) => (file.path === entry ? withMacro(file, runtime.macro) : file)),
  } as const;
  return {
    timeLimitS: config.timeLimitS,
    submission: {
      ...judgeOne({ ...test, expectedStdout, limits }, compareOf(checker, maxima)),
      id,
      language: runtime.id,
      environment: runtime.environment,
      program,
    },
  };
}

const EMPTY = new Uint8Array(0);

interface Config {
  readonly timeLimitS: number;
  readonly memoryLimitMb: number;
  readonly readsFile: boolean;
}

/** Lines of `NAME=value`, as a shell would read them. */
function readConfig(text: string | null): Config {
  if (text === null) throw new PistonError(`files must include ${CONFIG}`);
  const values = new Map(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^\s*([A-Z_]{1,32})=(.{0,64}?)\s*$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, unquoted(value)] as const];
    }),
  );
  const number = (name: string): number => {
    const value = Number(values.get(name) ?? '');
    if (value > 0 && Number.isFinite(value)) return value;
    throw new PistonError(`${CONFIG} must give ${name} as a number above 0`);
  };
  const mode = values.get('INPUT_MODE') ?? 'stdio';
  if (mode !== 'stdio' && mode !== 'file')
    throw new PistonError(`INPUT_MODE of ${CONFIG} must be stdio or file`);
  return {
    timeLimitS: number('TIME_LIMIT'),
    memoryLimitMb: number('MEMORY_LIMIT'),
    readsFile: mode === 'file',
  };
}

function unquoted(value: string): string {
  return /^"[^"]*"$|^'[^']*'$/.test(value) ? value.slice(1, -1) : value;
}

/** Without a checker: the same tokens, and "yes" and "no" in whatever case, as Codeforces has it. */
function compareOf(checker: string | null, maxima: Limits): Compare {
  if (checker === null) return { kind: 'answers' };
  return {
    kind: 'checker',
    checker: {
      language: 'python',
      environment: null,
      program: { kind: 'single', code: checker, files: [] },
      args: [],
      limits: resolveLimits(CHECKER_LIMITS, maxima).limits,
      convention: 'python_file',
      bridged: 'default',
      pointsMax: null,
    },
  };
}

/** The package's stages, or why there is none: without them the client gives no reward, which is true of a fault of ours. */
export function toCodeforcesResponse(
  report: JudgeReport,
  { runtime, timeLimitS }: { readonly runtime: Runtime; readonly timeLimitS: number },
): ExecuteResponse | { readonly message: string } {
  const { language, version } = runtime;
  const [judged] = report.cases;
  const compile = compiledStage(report, `Skipping compile - ${language}\n`);
  if (report.verdict === 'compile_error') return { run: compile, compile, language, version };
  if (report.fault !== null || judged === undefined)
    return { message: report.fault?.message ?? 'nothing was judged' };
  return { run: saidStage(saidOf(judged, timeLimitS), judged), compile, language, version };
}

/** What the package's script prints, line by line, and how it exits. */
function saidOf(judged: CaseReport, timeLimitS: number): Said {
  const failed = (code: number, why: string): Said => ({
    stdout: '0\n',
    stderr: `${why}\n`,
    code,
  });
  switch (judged.verdict) {
    case 'accepted':
      return { stdout: '1\n', stderr: '', code: 0 };
    case 'wrong_answer':
      return failed(0, "Output isn't correct");
    case 'time_limit':
      return failed(124, `Time limit exceeded (${timeLimitS}s)`);
    case 'memory_limit':
      return failed(134, 'Memory limit exceeded');
    case 'output_limit':
      return failed(153, 'Output limit exceeded');
    case 'runtime_error':
    case 'not_run': {
      const code = shellCode(judged) || 1;
      return failed(code, `Runtime error with exit code ${code}`);
    }
  }
}
