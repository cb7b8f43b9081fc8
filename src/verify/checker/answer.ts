/**
 * What a checker's end means, convention by convention. Pure. Whatever is not exactly an answer of the convention has
 * `failed`: never a pass. Whether the checker or the program is to blame for that is not said here (`failure.ts`).
 */
import type { Outcome } from '../../domain/outcome.ts';
import type { Checker } from '../../domain/submission.ts';
import { excerpt } from '../bytes.ts';
import { JUDGE_MESSAGE, RESULT, SCORE } from './call.ts';

/** `score` is 0 … 1, and 1 exactly when accepted. `message` is the checker's own word; it may show the answer. */
export type CheckerAnswer =
  | {
      readonly kind: 'judged';
      readonly accepted: boolean;
      readonly score: number;
      readonly message: string;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/** What of a checker, or of an interactor, says how it answers. */
type Answering = Pick<Checker, 'convention' | 'bridged' | 'pointsMax'>;

interface Facts {
  readonly checker: Answering;
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** Points of the case where the convention says no maximum of its own. */
  readonly weight: number;
}

/** Reads the end of a checker's run. */
export function readAnswer(
  checker: Answering,
  outcome: Outcome,
  { weight }: { readonly weight: number },
): CheckerAnswer {
  const { kind, exitCode } = outcome;
  if (kind !== 'exited' || exitCode === null) return failed(howItEnded(outcome));
  const facts = { checker, outcome, exitCode, weight };
  if (hasCrashed(facts)) return failed('it ended with an uncaught exception');
  switch (checker.convention) {
    case 'testlib':
      return ofTestlib(facts);
    case 'cms':
      return ofCms(facts);
    case 'kattis':
      return ofKattis(facts);
    case 'dmoj':
      return ofDmoj(facts);
    case 'dmoj_bridged':
      return ofBridged(facts);
    case 'python_file':
      return ofPythonFile(facts);
  }
}

function howItEnded({ kind, limit, signal }: Outcome): string {
  if (kind === 'signalled') return `it was ended by signal ${signal}`;
  return limit === null ? `it ended as ${kind}` : `it reached its ${limit} limit`;
}

function failed(reason: string): CheckerAnswer {
  return { kind: 'failed', reason };
}

function unexpected({ exitCode, outcome }: Facts): CheckerAnswer {
  const said = firstLine(outcome.stderr);
  return failed(`exit code ${exitCode}${said === '' ? '' : `: ${said}`}`);
}

/**
 * An uncaught exception of Python's ends with exit code 1 too, which refuses in some conventions. It shows by what comes
 * first on stderr, before anything that could quote a program's output.
 */
function hasCrashed({ exitCode, outcome }: Facts): boolean {
  return exitCode === 1 && textLine(outcome.stderr) === 'Traceback (most recent call last):';
}

function judged(score: number, message: string): CheckerAnswer {
  return { kind: 'judged', accepted: score === 1, score, message };
}

/** Points as a share of their maximum; beyond it, or no number at all, is a mistake of the checker's. */
function points(text: string | undefined, max: number, message: string): CheckerAnswer {
  const value = text === undefined ? null : toNumber(text);
  if (value === null) return failed('its points are no decimal number');
  if (value < 0 || value > max) return failed(`its points, ${value}, are not within 0 … ${max}`);
  return judged(value === max ? 1 : Math.min(value / max, 1 - Number.EPSILON), message);
}

/** Strictly a decimal: none of what `Number` takes besides (blanks, hex, `Infinity`). */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function toNumber(text: string): number | null {
  if (!DECIMAL.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** 0 accepts, 1 and 2 refuse, 7 gives points, 3 is `_fail`; 4 is dirt and 8 an early end, in builds that keep them apart. */
function ofTestlib(facts: Facts): CheckerAnswer {
  const { exitCode, outcome, checker } = facts;
  const message = firstLine(outcome.stderr);
  switch (exitCode) {
    case 0:
      return judged(1, message);
    case 1:
    case 2:
    case 4:
    case 8:
      return judged(0, message);
    case 7: {
      // `quitp` writes nothing before it: a line further down may quote the program's output.
      const found = /^points (\S+)/.exec(textLine(outcome.stderr));
      return points(found?.[1], checker.pointsMax ?? 1, message);
    }
    default:
      return unexpected(facts);
  }
}

/** The outcome, 0 … 1, is the first line of stdout; the message is the first line of stderr. */
function ofCms(facts: Facts): CheckerAnswer {
  const { exitCode, outcome } = facts;
  if (exitCode !== 0) return unexpected(facts);
  return points(textLine(outcome.stdout).trim(), 1, CMS_WORDS(firstLine(outcome.stderr)));
}

/** `translate:success` and its like stand for words of CMS's own. */
const CMS_WORDS = (message: string): string => message.replace(/^translate:/, '');

/** 42 accepts, 43 refuses; a score counts only with custom scoring, which `points_max` declares. */
function ofKattis(facts: Facts): CheckerAnswer {
  const { exitCode, outcome, checker } = facts;
  const message = firstLine(collected(outcome, JUDGE_MESSAGE) ?? new Uint8Array(0));
  const written = collected(outcome, SCORE);
  if (exitCode === 43) {
    return written === null ? judged(0, message) : failed('it wrote a score and refused');
  }
  if (exitCode !== 42) return unexpected(facts);
  const { pointsMax } = checker;
  if (written === null) {
    return pointsMax === null ? judged(1, message) : failed('it accepted and wrote no score');
  }
  if (pointsMax === null) return failed('it wrote a score, and there is no points_max');
  return points(latin1(written).trim(), pointsMax, message);
}

/** What our wrapper around `check` wrote (runners/checkers/dmoj.py). */
function ofDmoj(facts: Facts): CheckerAnswer {
  const { exitCode, outcome, checker, weight } = facts;
  const written = collected(outcome, RESULT);
  if (exitCode !== 0) return unexpected(facts);
  const result = written === null ? null : parseResult(latin1(written));
  if (result === null) return failed('it left no result');
  if (result.passed === null) return failed(result.message);
  const answer =
    result.points === null
      ? judged(result.passed ? 1 : 0, result.message)
      : points(result.points, checker.pointsMax ?? weight, result.message);
  const isAll = answer.kind === 'judged' && answer.accepted && !result.passed;
  return isAll ? failed('it refused and gave all points') : answer;
}

interface DmojResult {
  /** Null where `check` failed. */
  readonly passed: boolean | null;
  readonly points: string | null;
  readonly message: string;
}

/** Written as ASCII by code that shares its process with the author's: of the right shape, or nothing. */
function parseResult(text: string): DmojResult | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: no result.
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (!('passed' in value && 'points' in value && 'message' in value)) return null;
  const { passed, points: given, message } = value;
  if (passed !== null && typeof passed !== 'boolean') return null;
  if (given !== null && typeof given !== 'string') return null;
  if (typeof message !== 'string') return null;
  return { passed, points: given, message: firstLine(Buffer.from(message)) };
}

/** DMOJ's contributed kinds: exit codes of testlib's, and points that each says in its own way. */
function ofBridged(facts: Facts): CheckerAnswer {
  const { checker, exitCode, outcome, weight } = facts;
  const message = firstLine(outcome.stdout);
  const kind = checker.bridged;
  if (kind === 'peg') return ofPeg(facts, message);
  if (exitCode === 0) return judged(1, message);
  if (exitCode === 1) return judged(0, message);
  if (kind === 'default') return unexpected(facts);
  if (exitCode === 2) return judged(0, message === '' ? 'Presentation Error' : message);
  if (exitCode !== 7) return unexpected(facts);
  const lines = latin1(outcome.stderr).split('\n');
  if (kind === 'testlib') {
    const found = lines.flatMap((line) => /^points (\d+)$/.exec(line)?.[1] ?? []);
    if (found.length > 1) return failed('it gave points more than once');
    return points(found[0], checker.pointsMax ?? weight, message);
  }
  const found = lines.flatMap((line) => {
    const [, won, all] = /^partial (\d+)\/(\d*[1-9]\d*)$/.exec(line) ?? [];
    return won === undefined || all === undefined ? [] : [{ won, all }];
  });
  if (found.length > 1) return failed('it gave points more than once');
  return points(found[0]?.won, Number(found[0]?.all ?? 0), message);
}

/** PEG says a ratio in two lines that follow each other, whether it accepts or not. */
function ofPeg(facts: Facts, message: string): CheckerAnswer {
  const { exitCode, outcome } = facts;
  if (exitCode !== 0 && exitCode !== 1) return unexpected(facts);
  const lines = latin1(outcome.stdout).split('\n');
  for (const [i, line] of lines.entries()) {
    const won = toNumber(line.trim());
    const all = toNumber((lines[i + 1] ?? '').trim());
    if (won === null || all === null || all === 0) continue;
    const ratio = won / all;
    if (ratio > 0) return points(String(ratio), 1, '');
  }
  return judged(exitCode === 0 ? 1 : 0, message);
}

/** Everything on stdout, without blanks, is `1` or `100`, or the output is refused. */
function ofPythonFile(facts: Facts): CheckerAnswer {
  const { exitCode, outcome } = facts;
  if (exitCode !== 0) return unexpected(facts);
  if (outcome.stdout.length > ANSWER_BYTES_MAX) return judged(0, 'its output is no answer');
  const said = latin1(outcome.stdout).replace(/\s+/g, '');
  return judged(said === '1' || said === '100' ? 1 : 0, firstLine(outcome.stderr));
}

function collected(outcome: Outcome, path: string): Uint8Array | null {
  const file = outcome.collected.find((each) => each.path === path);
  return file?.status === 'ok' ? file.content : null;
}

/** Of a stream, what is looked at for an answer: none is this long, and megabytes would hold everybody up. */
const ANSWER_BYTES_MAX = 64 * 1024;

/** The bytes of answers are ASCII or wrong, so nothing is lost. */
function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const length = Math.min(byteLength, ANSWER_BYTES_MAX);
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

function textLine(bytes: Uint8Array): string {
  const end = bytes.indexOf(0x0a);
  return latin1(end === -1 ? bytes : bytes.subarray(0, end)).replace(/\r$/, '');
}

/** The first line as printable ASCII, cut where it is long: it may quote anything. */
function firstLine(bytes: Uint8Array): string {
  const end = bytes.indexOf(0x0a);
  return excerpt(bytes, { start: 0, end: end === -1 ? bytes.length : end }, MESSAGE_BYTES_MAX);
}

const MESSAGE_BYTES_MAX = 256;
