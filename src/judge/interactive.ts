/**
 * Interactive problems on their jails: the program and the interactor are compiled and staged once each, and talk anew on
 * every case. Whatever the interactor does but judge is a fault of the problem, unless it comes of what the program did.
 */
import { Fault } from '../domain/errors.ts';
import type { Limits } from '../domain/limits.ts';
import type { Outcome, RawExit } from '../domain/outcome.ts';
import type { Interactor, JudgeSubmission, StdioCase } from '../domain/submission.ts';
import type { CaseReport } from '../domain/verdict.ts';
import { classify, type ClassifyLimits } from '../runner/classify.ts';
import type { CheckerAnswer } from '../verify/checker/answer.ts';
import { readAnswer } from '../verify/checker/answer.ts';
import { blameOf, callInteractor, OUTCOME, TRANSCRIPT } from '../verify/interactor.ts';
import { caseReport, failureOf, type OutputJudge } from './case-verdict.ts';
import { judgeEach } from './judge-each.ts';
import { putCheckerToWork } from './checker.ts';
import { converse, Heard, type Spoken } from './conversation.ts';
import { converseWithMany } from './crowd/crowd.ts';
import { stageProgram } from './compile.ts';
import {
  type JudgedPrograms,
  type JudgeResult,
  prepare,
  runOutcome,
  runSpec,
  type Timings,
} from './execute.ts';
import { type JudgePlace, type Place, requireCertain, toOutcome } from './place.ts';
import type { Program } from './program.ts';
import type { RunSpec } from '../runner/pending-run.ts';
import { type PreparedProgram, problemSpec, stagePrepared } from './problem-program.ts';

/** An interactor with all that is needed to start it. */
export interface PreparedInteractor {
  readonly interactor: Interactor;
  readonly prepared: PreparedProgram;
}

/** How long an interactor may outlive the program whose end it has to judge. */
const OUTLIVES_MS = 10_000;
/**
 * How long an interactor is left alone, to see whether it fails by itself; what share of that one works at most that waits;
 * and what share others may have its core before nobody can tell.
 */
const ALONE = { wallMs: 2000, workingShare: 0.2, othersShare: 0.1 } as const;
/** What becomes of an interactor with nobody there; `unclear`: it waits, or the host let it do no more. */
type Alone = 'fails' | 'waits' | 'unclear';
/** What its frames make of the shortest messages (crowd/frames.ts). */
const FRAMING = 8;

interface Table {
  readonly place: JudgePlace;
  readonly programs: JudgedPrograms;
  readonly submission: JudgeSubmission;
  readonly asker: PreparedInteractor;
  readonly companion: Place;
  /** Where the program runs: its own jail first. */
  readonly places: readonly Place[];
  /** Judges what the interactor wrote down; null where its own word is the last. */
  readonly checker: OutputJudge | null;
}

/** Compiles where needed and plays all cases, one after the other. */
export async function executeInteractive(
  place: JudgePlace,
  programs: JudgedPrograms & { readonly interactor: PreparedInteractor },
  submission: JudgeSubmission,
  tests: readonly StdioCase[],
): Promise<JudgeResult> {
  const timings: Timings = { compileMs: 0, runMs: 0, verifyMs: 0 };
  const compile = await prepare(place, programs.program, submission, timings);
  if (compile !== null && !compile.ok) return { compile, cases: [], timings };
  const since = place.clock.now();
  const { interactor: asker, checker } = programs;
  const companion = await place.companions.open(asker.prepared.environment);
  const { limits, processes } = asker.interactor;
  const places = [
    place,
    ...(await placesBeside(place, programs.program, submission, processes - 1)),
  ];
  await stagePrepared(companion, asker.prepared, { limits, code: 'interactor_failed' });
  timings.verifyMs = place.clock.now() - since;
  // What it judges is what the interactor wrote down, which no case knows.
  const checking =
    checker === null ? null : putCheckerToWork(place, checker, { judgesAnswers: false });
  const judge: OutputJudge | null =
    checking && ((test, outcome, position) => checking.check(test, outcome, position));
  const table: Table = { place, programs, submission, asker, companion, places, checker: judge };
  const cases = await judgeEach(submission, tests, (test, position) => play(table, test, position));
  timings.runMs = place.clock.now() - since - timings.verifyMs;
  return { compile, cases, timings };
}

/** Jails with the program in them, for its further processes. */
async function placesBeside(
  place: JudgePlace,
  program: Program,
  submission: JudgeSubmission,
  count: number,
): Promise<readonly Place[]> {
  const places = await place.companions.beside(place.environment, count);
  for (const each of places) {
    const compile = await stageProgram(each, program, submission);
    if (compile?.ok === false) throw new Fault('internal', 'a program compiled once and not again');
  }
  return places;
}

async function play(table: Table, test: StdioCase, position: number): Promise<CaseReport> {
  const { place, places, programs, submission, asker, companion } = table;
  const { interactor } = asker;
  const { processes } = interactor;
  const patient = patientLimits(test.limits, interactor.limits, processes);
  const specOf = (number: number): RunSpec => {
    const args = processes === 1 ? test.args : [...test.args, String(number)];
    const candidate = { ...test, args, stdin: new Uint8Array(0), limits: patient.program };
    return runSpec(places[number] ?? place, programs.program, {
      submission,
      test: candidate,
      collect: [],
    });
  };
  const spec = specOf(0);
  const call = callInteractor(interactor, { input: test.stdin, answer: test.expectedStdout });
  const askerSpec = problemSpec(companion, asker.prepared, { ...call, limits: patient.asker });
  const { memoryFailure } = asker.prepared.environment.language.run;
  const read = (raw: RawExit): CheckerAnswer => {
    const ended = toEnd(companion, raw, { ...askerSpec.limits, memoryFailure });
    return readAnswer(interactor, withOutcome(interactor, ended), { weight: test.weight });
  };
  const { startGraceMs } = place.environment.language;
  // Of several processes, all start.
  const cpuMs = spec.limits.cpuMs + startGraceMs * (processes - 1);
  const endOf = (raw: RawExit): Outcome => {
    const limits = { ...spec.limits, cpuMs };
    return isCancelled(place, raw) ? toEnd(place, raw, limits) : runOutcome(place, raw, limits);
  };
  const speaker = { session: companion.session, spec: askerSpec };
  const rules = {
    clock: place.clock,
    signal: place.signal,
    isOpen: (raw: RawExit) => mayStillPass(read(raw)),
    isJudged: (raw: RawExit) => failureOf(endOf(raw)) === null,
  };
  const speakers = places.map(({ session }, number) => ({ session, spec: specOf(number) }));
  const leftAlone = async (): Promise<Alone> => await leaveAlone(companion, askerSpec, read);
  const spoken =
    processes === 1
      ? await converse({ session: place.session, spec }, speaker, rules)
      : await converseWithMany(speakers, speaker, rules);
  // Not before both have ended.
  requireCertain(place, spoken.program);
  requireCertain(companion, spoken.interactor);
  const outcome = endOf(spoken.program);
  const answer = read(spoken.interactor);
  return await judge(table, { test, position, spoken, outcome, answer, leftAlone });
}

/**
 * What an interactor does with nobody there, neither a word nor the end of its input. If it fails, no program has a hand in
 * it; one that can judge the silence waits, too. Throws faults, and the signal's reason.
 */
async function leaveAlone(
  place: Place,
  spec: RunSpec,
  read: (raw: RawExit) => CheckerAnswer,
): Promise<Alone> {
  const wallMs = Math.min(spec.limits.wallMs, ALONE.wallMs);
  const alone = { ...spec, limits: { ...spec.limits, wallMs } };
  const heard = new Heard();
  const onOutput = (stream: 'stdout' | 'stderr', bytes: Uint8Array): undefined => {
    heard.note(stream, bytes);
  };
  const talk = place.session.converse(alone, { onOutput, signal: place.signal });
  const raw = heard.with(await talk.exit);
  requireCertain(place, raw);
  // Time in which others had its core is no time of its waiting.
  const countedUs = raw.wallUs - raw.stalledUs;
  if (raw.cause === 'wall' && raw.cpuUs < countedUs * ALONE.workingShare)
    return raw.stalledUs > raw.wallUs * ALONE.othersShare ? 'unclear' : 'waits';
  return read(raw).kind === 'failed' ? 'fails' : 'waits';
}

/** A CMS manager's standard output is a file: the streams of its run are the channel. */
function withOutcome({ convention }: Interactor, ended: Outcome): Outcome {
  if (convention !== 'cms') return ended;
  const file = ended.collected.find(({ path }) => path === OUTCOME);
  return { ...ended, stdout: file?.content ?? NOTHING };
}

function mayStillPass(answer: CheckerAnswer): boolean {
  return answer.kind === 'judged' && answer.score > 0;
}

interface Played {
  readonly test: StdioCase;
  readonly position: number;
  readonly spoken: Spoken;
  readonly outcome: Outcome;
  readonly answer: CheckerAnswer;
  readonly leftAlone: () => Promise<Alone>;
}

async function judge(
  { checker }: Table,
  { test, position, spoken, outcome, answer, leftAlone }: Played,
): Promise<CaseReport> {
  const failure = outcome.kind === 'cancelled' ? null : failureOf(outcome);
  const isProgramFailed = failure !== null || outcome.kind === 'cancelled';
  const blame = blameOf({ first: spoken.first, isProgramFailed, answer });
  if (blame === 'program' && failure !== null)
    return caseReport(test, outcome, { ...failure, score: 0 });
  if (answer.kind === 'failed') {
    const when = spoken.first === 'program' ? ', after the program had ended' : '';
    const why = `${answer.reason}${when}`;
    const alone = await leftAlone();
    // One that works until its limit, whatever it is told, looks on a busy host like one that waits.
    const isOverworked = spoken.interactor.cause === 'cpu';
    if (alone === 'fails' || (isOverworked && alone === 'unclear'))
      throw new Fault('interactor_failed', `case ${test.id}: ${why}`);
    const message = `the interactor waits for the program, and failed on what that did: ${why}`;
    return caseReport(test, outcome, { verdict: 'wrong_answer', score: 0, message });
  }
  const transcript = spoken.interactor.collected.find(({ path }) => path === TRANSCRIPT);
  const isChecked = checker !== null && answer.accepted;
  const { score, message } = isChecked
    ? await checker(test, { ...outcome, stdout: transcript?.content ?? NOTHING }, position)
    : answer;
  const isAccepted = score === 1;
  return caseReport(test, outcome, {
    verdict: isAccepted ? 'accepted' : 'wrong_answer',
    score,
    message: isAccepted ? '' : message,
  });
}

const NOTHING = new Uint8Array(0);

/**
 * The wall limit of a program counts time in which it waits for the interactor, or for its other processes, which may work
 * as long as their own CPU limits allow; the interactor has to be there when the program ends, whatever ended it.
 */
function patientLimits(
  program: Limits,
  asker: Limits,
  processes: number,
): { program: Limits; asker: Limits } {
  const others = processes - 1;
  const wallMs = program.wallMs + asker.cpuMs + others * program.cpuMs;
  const outputBytes = asker.outputBytes * (others > 0 ? FRAMING : 1);
  return {
    program: { ...program, wallMs },
    asker: { ...asker, outputBytes, wallMs: Math.max(asker.wallMs, wallMs + OUTLIVES_MS) },
  };
}

function isCancelled(place: Place, { cause }: RawExit): boolean {
  if (cause === 'cancelled') place.signal.throwIfAborted();
  return cause === 'cancelled';
}

/** As `toOutcome`, but a run that was cut short because nothing hung on it any more is no fault. */
function toEnd(place: Place, raw: RawExit, limits: ClassifyLimits): Outcome {
  if (!isCancelled(place, raw)) return toOutcome(place, raw, limits);
  const result = classify(raw, limits);
  if (result.kind === 'fault') throw result.fault;
  return result.outcome;
}
