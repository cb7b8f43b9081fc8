/** What the judging packages of Open R1's fork have in common: one test a request, judged here, told in their words. Pure. */
import { constants } from 'node:os';

import { SUBMISSION_BOUNDS, type Limits } from '../../../domain/limits.ts';
import { inForce } from '../../../domain/profile.ts';
import type { JudgeReport } from '../../../domain/report.ts';
import {
  PLAIN,
  type Compare,
  type JudgeSubmission,
  type SourceFile,
  type StdioCase,
} from '../../../domain/submission.ts';
import type { CaseReport } from '../../../domain/verdict.ts';
import { PistonError, type PistonFile, type Stage } from './schema.ts';
import { toCompileStage } from './stage.ts';

/** Files by name; of two with the same name the last, as it is written last. */
export function byName(files: readonly PistonFile[]): ReadonlyMap<string, PistonFile> {
  return new Map(files.map((file) => [file.name, file]));
}

/** A file's text, or null where there is none. */
export function textOf(files: ReadonlyMap<string, PistonFile>, name: string): string | null {
  const file = files.get(name);
  return file === undefined ? null : Buffer.from(file.content).toString('utf8');
}

/** The file's bytes. Throws PistonError where there is none. */
export function needBytes(files: ReadonlyMap<string, PistonFile>, name: string): Uint8Array {
  const file = files.get(name);
  if (file !== undefined) return file.content;
  throw new PistonError(`files must include ${name}`);
}

const CARRIAGE_RETURN = 0x0d;

/** Without carriage returns, which test data of other systems hold. */
export function withoutReturns(bytes: Uint8Array): Uint8Array {
  return bytes.includes(CARRIAGE_RETURN) ? bytes.filter((byte) => byte !== CARRIAGE_RETURN) : bytes;
}

type OneTest = Pick<StdioCase, 'stdin' | 'expectedStdout' | 'limits' | 'files'> &
  Partial<Pick<StdioCase, 'outputFile'>>;

/** The part of a submission that judges one test. */
export function judgeOne(
  test: OneTest,
  compare: Compare,
): Omit<JudgeSubmission, 'id' | 'language' | 'environment' | 'program'> {
  const { limits } = test;
  return {
    ...PLAIN,
    limits,
    clamped: [],
    testset: null,
    graders: [],
    tests: { kind: 'stdio', cases: [{ id: '1', weight: 1, group: null, args: [], ...test }] },
    compare,
    profile: inForce('strict'),
    scoring: 'all',
    rewardRange: [0, 1],
    stop: 'first_failure',
    detail: 'summary',
  };
}

/** What a package's run script says and exits with. */
export interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** A run stage that looks like the script's, with the program's own figures. */
export function saidStage({ stdout, stderr, code }: Said, { outcome }: CaseReport): Stage {
  return {
    stdout,
    stderr,
    output: stdout + stderr,
    code,
    signal: null,
    message: code === 0 ? null : `Exited with error status ${code}`,
    status: code === 0 ? null : 'RE',
    memory: outcome?.memoryBytes ?? null,
    cpu_time: Math.round(outcome?.cpuMs ?? 0),
    wall_time: Math.round(outcome?.wallMs ?? 0),
  };
}

/** The compile stage; for a language without a compile step the words of a script that has nothing to do. */
export function compiledStage({ compile }: JudgeReport, skipped: string): Stage {
  if (compile !== null) return toCompileStage(compile);
  return {
    stdout: skipped,
    stderr: '',
    output: skipped,
    code: 0,
    signal: null,
    message: null,
    status: null,
    memory: null,
    cpu_time: 0,
    wall_time: 0,
  };
}

/** As a shell shows the end of a program that failed. */
export function shellCode({ outcome }: CaseReport): number {
  if (outcome?.exitCode !== null && outcome?.exitCode !== undefined) return outcome.exitCode;
  return SHELL_SIGNAL_BASE + (outcome?.signal ?? constants.signals.SIGKILL);
}

const SHELL_SIGNAL_BASE = 128;

/** The program's main file with a macro defined that the package's compiler gets as an option; lines count as before. */
export function withMacro(file: SourceFile, macro: string | null): SourceFile {
  if (macro === null) return file;
  const content = Buffer.from(file.content);
  const name = JSON.stringify(file.path);
  const body = content.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? content.subarray(BYTE_ORDER_MARK.length)
    : content;
  const head = Buffer.from(`#define ${macro} 1\n#line 1 ${name}\n`);
  return { ...file, content: Buffer.concat([head, body]) };
}

/** A compiler skips it at the beginning of a file only. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** What a checker reads fits the jail it runs in, however much the program prints. Throws PistonError. */
export function checkBytes(dataBytes: number, { outputBytes }: Pick<Limits, 'outputBytes'>): void {
  const most = SUBMISSION_BOUNDS.checkedBytes - outputBytes;
  if (dataBytes <= most) return;
  throw new PistonError(`input and expected output must be at most ${most} bytes together`);
}
