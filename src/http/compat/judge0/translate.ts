/** From Judge0's request to a judge request, or to its errors. Pure. */
import { Rejection } from '../../../domain/errors.ts';
import type { Limits } from '../../../domain/limits.ts';
import type { JudgeSubmission } from '../../../domain/submission.ts';
import type { LanguageInfo } from '../../../judge/door.ts';
import { NOT_TEXT } from '../../../judge/program.ts';
import { decodeBase64 } from '../../native/checks.ts';
import { parseJudgeRequest, toJudgeSubmission } from '../../native/to-judge-submission.ts';
import { LANGUAGES, SubmissionRequest } from './schema.ts';

/** What is wrong, by field, a sentence each. */
export type FieldErrorMap = Readonly<Record<string, readonly string[]>>;

export type Translated =
  | {
      readonly ok: true;
      readonly submission: JudgeSubmission;
      readonly languageId: number;
      readonly isCompared: boolean;
    }
  | { readonly ok: false; readonly errors: FieldErrorMap };

interface Resolution {
  readonly id: string;
  readonly maxima: Limits;
  readonly isBase64: boolean;
  readonly lookUp: (name: string) => LanguageInfo | null;
}

/** The languages of this service that have an id there. */
export function servedLanguages(
  lookUp: Resolution['lookUp'],
): readonly { readonly id: number; readonly name: string }[] {
  return Object.entries(LANGUAGES).flatMap(([id, name]) => {
    const language = lookUp(name);
    if (language === null || !language.available) return [];
    return [{ id: Number(id), name: `${language.title} (${language.version ?? ''})` }];
  });
}

export function toSubmission(body: unknown, resolution: Resolution): Translated {
  const parsed = SubmissionRequest.safeParse(body);
  if (!parsed.success) {
    const errors: Record<string, string[]> = {};
    for (const { path, message } of parsed.error.issues) {
      const field = String(path[0] ?? 'error').slice(0, 100);
      (errors[field] ??= []).push(message.replace(/^Invalid input: /, ''));
    }
    return { ok: false, errors };
  }
  const wire = parsed.data;
  const { language_id: languageId } = wire;
  const name = Object.hasOwn(LANGUAGES, languageId) ? LANGUAGES[languageId] : undefined;
  const language = name === undefined ? null : resolution.lookUp(name);
  if (language === null || !language.available) {
    return {
      ok: false,
      errors: { language_id: [`language with id ${languageId} doesn't exist`] },
    };
  }
  const decoded = textsOf(wire, resolution.isBase64);
  if (!decoded.ok) return decoded;
  const tooMuch = beyond(wire, resolution.maxima);
  if (Object.keys(tooMuch).length > 0) return { ok: false, errors: tooMuch };
  const { code, stdin, expected } = decoded;
  const request = {
    language: language.id,
    code: code.toString('utf8'),
    args: (wire.command_line_arguments ?? '').split(/\s+/).filter((each) => each !== ''),
    tests: {
      kind: 'stdio',
      cases: [{ stdin: inBase64(stdin), expected_stdout: inBase64(expected ?? EMPTY) }],
    },
    profile: 'judge0',
    detail: 'full',
    limits: limitsOf(wire),
  };
  return built(request, {
    languageId,
    isCompared: expected !== null,
    resolution,
  });
}

const EMPTY = Buffer.alloc(0);

function inBase64(bytes: Buffer): { readonly base64: string } {
  return { base64: bytes.toString('base64') };
}

interface Facts {
  readonly languageId: number;
  readonly isCompared: boolean;
  readonly resolution: Resolution;
}

/** What the native API refuses is told in this wire's shape. */
function built(request: object, { languageId, isCompared, resolution }: Facts): Translated {
  try {
    const { maxima, id } = resolution;
    const submission = toJudgeSubmission(parseJudgeRequest(request), { maxima, id });
    return { ok: true, submission, languageId, isCompared };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { ok: false, errors: { error: [error.context.detail] } };
  }
}

type Texts =
  | {
      readonly ok: true;
      readonly code: Buffer;
      readonly stdin: Buffer;
      /** Null where any output will do. */
      readonly expected: Buffer | null;
    }
  | { readonly ok: false; readonly errors: FieldErrorMap };

function textsOf(wire: SubmissionRequest, isBase64: boolean): Texts {
  const errors: Record<string, string[]> = {};
  const read = (name: string, text: string): Buffer => {
    if (!text.isWellFormed()) errors[name] = [NOT_TEXT];
    if (!isBase64) return Buffer.from(text, 'utf8');
    // Clients break lines as MIME does.
    const bytes = decodeBase64(text.replaceAll(/\s+/g, ''));
    if (bytes === null) errors[name] = ['is not valid base64'];
    return Buffer.from(bytes ?? EMPTY);
  };
  const { expected_output: wanted } = wire;
  const code = read('source_code', wire.source_code);
  const stdin = read('stdin', wire.stdin ?? '');
  const expected = wanted === null || wanted === undefined ? null : read('expected_output', wanted);
  if (wire.command_line_arguments?.isWellFormed() === false)
    errors['command_line_arguments'] = [NOT_TEXT];
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, code, stdin, expected };
}

/** Limits above the operator's, as Judge0 refuses those above its own. */
function beyond(wire: SubmissionRequest, maxima: Limits): Record<string, string[]> {
  const bounds: readonly (readonly [string, number])[] = [
    ['cpu_time_limit', maxima.cpuMs / 1000],
    ['wall_time_limit', maxima.wallMs / 1000],
    ['memory_limit', maxima.memoryBytes / 1024],
    ['max_processes_and_or_threads', maxima.processes],
    ['max_file_size', maxima.outputBytes / 1024],
  ];
  return Object.fromEntries(
    bounds
      .filter(([name, most]) => Number(wire[name]) > most)
      .map(([name, most]) => [name, [`must be less than or equal to ${most}`]]),
  );
}

function limitsOf(wire: SubmissionRequest) {
  return {
    cpu_ms: Math.max(1, Math.round(wire.cpu_time_limit * 1000)),
    wall_ms: Math.max(1, Math.round(wire.wall_time_limit * 1000)),
    memory_mb: Math.max(8, Math.ceil(wire.memory_limit / 1024)),
    processes: wire.max_processes_and_or_threads,
    output_kb: wire.max_file_size,
  };
}
