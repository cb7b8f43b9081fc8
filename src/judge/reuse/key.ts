/** What makes two submissions equal: with one key, a program would get the same report but for its figures. */
import { createHash } from 'node:crypto';

import type {
  JudgeSubmission,
  ProgramSource,
  RunSubmission,
  SourceFile,
} from '../../domain/submission.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { LanguageInfo } from '../door.ts';
import { codeOf } from '../extract-code.ts';
import { digestTests } from '../tests-digest.ts';

/** Another layout of what is kept gets another version. */
const VERSION = 1;

export interface KeyContext {
  /** Nothing is shared between tenants. */
  readonly tenant: string;
  readonly language: LanguageInfo;
  /** Versions of the service, its runner and its verifier. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * 64 hex digits over code, language, environments with their fingerprints, tests, comparison, rules, limits and profile;
 * of a completion over the code in it. Null where there is no code, or none that has bytes. What is left out is told anew in
 * each report: id, labels, which limits were clamped, detail.
 */
export async function reuseKey(
  submission: RunSubmission | JudgeSubmission,
  { tenant, language, versions }: KeyContext,
): Promise<string | null> {
  const { program } = submission;
  const code = codeIn(program, language);
  if (code?.isWellFormed() !== true) return null;
  const hash = createHash('sha256');
  const add = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hash.update(`${bytes.byteLength}:`).update(bytes);
  };
  const { id: _id, labels: _labels, clamped: _clamped, program: _program, ...plain } = submission;
  const environments = language.environments.map(({ id, fingerprint }) => [id, fingerprint]);
  add(canonicalJson({ VERSION, tenant, versions, environments, ...plainOf(plain) }));
  add(code);
  add(program.kind === 'files' ? program.entry : '');
  addFiles(program.files, add);
  if ('tests' in submission) add(await digestTests(submission));
  else add(submission.stdin);
  return hash.digest('hex');
}

function codeIn(program: ProgramSource, language: LanguageInfo): string | null {
  if (program.kind === 'completion') return codeOf(program.text, language, program.extract);
  return program.kind === 'single' ? program.code : '';
}

type Plain<Submission> = Omit<Submission, 'id' | 'labels' | 'clamped' | 'program'>;

/** Without what is digested on its own, and what only says how a report is shown. */
function plainOf(plain: Plain<RunSubmission> | Plain<JudgeSubmission>): object {
  if (!('tests' in plain)) {
    const { stdin: _stdin, ...rest } = plain;
    return rest;
  }
  const { tests, graders: _graders, compare: _compare, detail: _detail, ...rest } = plain;
  return { ...rest, kind: tests.kind, mode: 'mode' in tests ? tests.mode : null };
}

function addFiles(files: readonly SourceFile[], add: (part: string | Uint8Array) => void): void {
  for (const { path, content } of files) {
    add(path);
    add(content);
  }
}
