/**
 * The wire of Open R1's two routers, `/execute_batch`: one shape of item for both their clients, each of which reads only
 * its own keys. Lax where the originals' pydantic is. Pure.
 */
import { resolveLimits, REWARD_BOUNDS, type Limits } from '../../../domain/limits.ts';
import { readInteger } from '../number-text.ts';

export interface BatchRequest {
  readonly scripts: readonly string[];
  /** As many as scripts. */
  readonly languages: readonly string[];
  /** Of each script, seconds, 1 and more. */
  readonly timeoutS: number;
}

export type ParsedBatch =
  | { readonly ok: true; readonly request: BatchRequest }
  /** `count` scripts wait for an answer all the same. */
  | { readonly ok: false; readonly message: string; readonly count: number };

/** Reads a body; the first thing that is wrong is told. */
export function parseBatch(body: unknown): ParsedBatch {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object by now
  const fields = isObject ? (body as Record<string, unknown>) : {};
  const { scripts, languages } = fields;
  const most = REWARD_BOUNDS.items;
  const count = Array.isArray(scripts) && scripts.length <= most ? scripts.length : 0;
  const refuse = (message: string): ParsedBatch => ({ ok: false, message, count });
  if (!isTexts(scripts)) return refuse('scripts: a list of strings is required');
  if (scripts.length > most) return refuse(`scripts: at most ${most} are taken`);
  if (!isTexts(languages)) return refuse('languages: a list of strings is required');
  if (languages.length !== scripts.length)
    return refuse(`languages: ${languages.length} for ${scripts.length} scripts`);
  const timeoutS = integerOf(fields['timeout']);
  if (timeoutS === null || timeoutS < 1)
    return refuse('timeout: a whole number of seconds is required, at least 1');
  if (integerOf(fields['request_timeout']) === null)
    return refuse('request_timeout: a whole number of seconds is required');
  return { ok: true, request: { scripts, languages, timeoutS } };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Whole numbers, also as text. */
function integerOf(value: unknown): number | null {
  if (typeof value === 'string') return readInteger(value);
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}

/** What was shown; the first with `is_main_result` is what a reward is read from. */
export interface Result {
  readonly text?: string;
  readonly html?: string;
  readonly markdown?: string;
  readonly svg?: string;
  readonly png?: string;
  readonly jpeg?: string;
  readonly pdf?: string;
  readonly latex?: string;
  readonly javascript?: string;
  readonly is_main_result: boolean;
}

interface Execution {
  readonly results: readonly Result[];
  readonly logs: { readonly stdout: readonly string[]; readonly stderr: readonly string[] };
  readonly error: {
    readonly name: string;
    readonly value: string;
    readonly traceback: string;
  } | null;
  readonly execution_count: number | null;
}

export interface BatchItem {
  /** Null for a script that did not come to its end: the E2B client then makes no reward. */
  readonly execution: Execution | null;
  /** What the Morph client reads; a null here would cost it the whole batch. */
  readonly text: string;
  readonly exception_str: string | null;
}

/** An item of a script of which nothing can be told but why. A time-out is "". */
export function failedItem(reason: string): BatchItem {
  return { execution: null, text: '', exception_str: reason };
}

const MIB = 1024 * 1024;
/** What a script may use. */
const MEMORY_BYTES = 1024 * MIB;
/** Of one stream of a script, at least and at most, and of one stream of all scripts together. */
const OUTPUT_BYTES = { least: MIB / 16, most: 16 * MIB, all: 512 * MIB } as const;
const PROCESSES = 256;
/** The routers wait this much longer than the script may take. */
const MARGIN_MS = 1000;

/** Limits of one script: the time-out is wall time, as there, and its CPU time with that of all its children. */
export function limitsOf({ scripts, timeoutS }: BatchRequest, maxima: Limits): Limits {
  const ms = Math.min(timeoutS * 1000, maxima.wallMs);
  const share = Math.floor(OUTPUT_BYTES.all / scripts.length);
  const asked = {
    cpuMs: Math.min(ms, maxima.cpuMs),
    wallMs: ms + MARGIN_MS,
    memoryBytes: MEMORY_BYTES,
    processes: PROCESSES,
    outputBytes: Math.min(Math.max(share, OUTPUT_BYTES.least), OUTPUT_BYTES.most),
    diskBytes: maxima.diskBytes,
  };
  return resolveLimits(asked, maxima).limits;
}
