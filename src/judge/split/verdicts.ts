/**
 * From what the test runner said, and how the two processes ended, to case reports. Fails closed: a test is passed only by
 * the runner's own word for it, after which it said that it was done. Pure but for the place's signal.
 */
import { constants } from 'node:os';

import { z } from 'zod';

import { Fault } from '../../domain/errors.ts';
import type { Outcome, RawExit } from '../../domain/outcome.ts';
import type { CodeTests } from '../../domain/submission.ts';
import type { CaseReport } from '../../domain/verdict.ts';
import { classify } from '../../runner/classify.ts';
import type { RunLimits } from '../../runner/protocol.ts';
import { failureOf } from '../case-verdict.ts';
import { toOutcome, type Place } from '../place.ts';
import type { Message } from './envelope.ts';
import type { CandidateEnd, RelayEnd } from './relay.ts';

/** What a program wrote or raised may hold half of a character. */
const Text = z.string().transform((text) => text.toWellFormed());

const Reported = z.strictObject({
  id: z.string(),
  verdict: z.enum(['accepted', 'wrong_answer', 'runtime_error', 'time_limit', 'dead']),
  message: Text,
  stdout: Text,
  ms: z.number().min(0).nullable().default(null),
});
type Reported = z.infer<typeof Reported> & { readonly generation: number };
const Failure = z.tuple([z.string(), Text]);

/** What the test runner has said so far; nothing counts before it has said that it is done. */
export class Sayings {
  readonly reports: Reported[] = [];
  declared: readonly string[] | null = null;
  /** Why no test could run, the candidate's doing. */
  unloaded: z.infer<typeof Failure> | null = null;
  /** What broke in the tests themselves, and the candidate's hand in it if there was any. */
  broken: { readonly message: string; readonly by: z.infer<typeof Failure> | null } | null = null;
  /** Whether the tests have used anything of the candidate's. */
  isAsked = false;
  isDone = false;

  take({ letter, body }: Message, generation: number): void {
    if (this.isDone) throw new Fault('test_runner_failed', 'it went on after its end');
    if (letter === 'D') this.isDone = true;
    else if (letter === 'A') this.isAsked = true;
    else if (letter === 'R') this.reports.push({ ...Reported.parse(json(body)), generation });
    else if (letter === 'I') this.declared = z.array(z.string()).parse(json(body));
    else if (letter === 'L') this.unloaded = Failure.parse(json(body));
    else if (letter === 'E') {
      const [message, by] = z.tuple([Text, Failure.nullable()]).parse(json(body));
      this.broken = { message, by };
    } else throw new Fault('test_runner_failed', `an unknown message ${letter}`);
  }
}

function json(body: Buffer): unknown {
  return JSON.parse(body.toString('utf8'));
}

/** A test without a word of its own, where the tests are not known by name. */
const WHOLE = 'tests';

/** A test runner that had the processor for less of its time was waiting. */
const WORKING_SHARE = 0.25;

const { SIGKILL } = constants.signals;

/** Of a process, at the end of a test that it survived. */
const STILL_THERE = { kind: 'exited', exitCode: null, signal: null, limit: null } as const;

export class Verdicts {
  readonly #place: Place;
  readonly #limits: RunLimits;
  readonly #end: RelayEnd;
  readonly #outcomes = new Map<number, Outcome>();

  constructor(place: Place, limits: RunLimits, end: RelayEnd) {
    this.#place = place;
    this.#limits = limits;
    this.#end = end;
  }

  judge(said: Sayings, tests: CodeTests): CaseReport[] {
    const last = this.#end.candidates.length;
    const collected = said.declared !== null && said.declared.length > 0 ? said.declared : [WHOLE];
    const ids = tests.ids ?? collected;
    const rest = this.#rest(said);
    const reports = new Map<string, Reported>();
    for (const report of this.#withFloods(said.reports)) {
      if (reports.has(report.id)) throw new Fault('test_runner_failed', 'two results of one test');
      reports.set(report.id, report);
    }
    // What was collected has to be what was declared, where the request declares it.
    const uncollected = this.#uncollected(said, ids);
    // Not known to be true of tests that failed: their use of the program may have been yet to come.
    if (
      !said.isAsked &&
      ids.every((id) => reports.get(id)?.verdict === 'accepted') &&
      uncollected === null
    ) {
      throw new Fault('tests_broken', 'they use nothing of the program, so that any would pass');
    }
    let isFailed = false;
    return ids.map((id) => {
      const found = uncollected ?? reports.get(id);
      const report = found ?? (isFailed ? null : rest);
      isFailed ||= report !== null && report.verdict !== 'accepted';
      if (report === null) {
        return caseOf(id, null, { verdict: 'not_run', message: 'not run: an earlier test failed' });
      }
      return this.#caseOf(id, report, found?.generation ?? last);
    });
  }

  /**
   * A process that printed too much fails one test: the one in which it died of that, or the last that it answered, when
   * that was heard first.
   */
  #withFloods(reports: readonly Reported[]): Reported[] {
    return reports.map((report, at) => {
      const { generation, verdict } = report;
      const isLast = reports[at + 1]?.generation !== generation;
      const isFlood = this.#end.candidates[generation - 1]?.raw.cause === 'output';
      return isLast && isFlood && verdict === 'accepted' ? { ...report, verdict: 'dead' } : report;
    });
  }

  /** What becomes of tests that the runner said nothing of. Throws where that is no candidate's doing. */
  #rest(said: Sayings): Pick<Reported, 'verdict' | 'message'> {
    if (said.unloaded !== null) return toReport(said.unloaded);
    if (said.broken !== null) {
      if (said.broken.by === null) throw new Fault('tests_broken', said.broken.message);
      const { by, message } = said.broken;
      return toReport(by[1] === 'raised' ? [by[0], message] : by);
    }
    if (said.isDone) {
      if (said.declared?.length === 0)
        throw new Fault('tests_broken', 'there are no tests in them');
      return { verdict: 'wrong_answer', message: 'the test has no result' };
    }
    return this.#cutShort(said);
  }

  /** The test runner ended without its last word. */
  #cutShort({ isAsked }: Sayings): Pick<Reported, 'verdict' | 'message'> {
    const raw = this.#end.tests;
    const bounds = { cpuMs: Infinity, memoryBytes: Infinity };
    const { kind, limit, cpuMs, wallMs } = toOutcome(this.#place, raw, bounds);
    // Tests that end their own process do so on what they were answered; nobody but the host ends another's by SIGKILL.
    const isByItself = kind === 'exited' || (kind === 'signalled' && raw.signal !== SIGKILL);
    if (isByItself && isAsked)
      return {
        verdict: 'wrong_answer',
        message: 'the test runner ended on what the program answered',
      };
    const isLimit = kind === 'time_limit' || kind === 'memory_limit' || kind === 'output_limit';
    // Tests may keep what they were answered, and work on it later; time in which nothing worked is no work.
    const { ever, lately } = this.#end.heard;
    const isIdle = limit === 'wall' && cpuMs < wallMs * WORKING_SHARE;
    const isCandidates = isIdle ? lately : ever;
    if (!isLimit || !isCandidates) {
      const detail = `${raw.cause}, exit code ${raw.exitCode}, signal ${raw.signal}`;
      throw new Fault('test_runner_failed', detail);
    }
    const message = `the test runner met its ${kind.replace('_', ' ')} on what the program answered`;
    return { verdict: 'wrong_answer', message };
  }

  #uncollected(said: Sayings, ids: readonly string[]): (Reported & { generation: number }) | null {
    const { declared } = said;
    if (declared === null || declared === ids) return null;
    const isSame =
      declared.length === ids.length && new Set([...ids, ...declared]).size === ids.length;
    if (isSame) return null;
    const message = `${declared.length} tests were collected, not the ${ids.length} that were declared`;
    return { id: '', verdict: 'wrong_answer', message, stdout: '', ms: null, generation: 1 };
  }

  #caseOf(
    id: string,
    report: Pick<Reported, 'verdict' | 'message'> & Partial<Pick<Reported, 'stdout' | 'ms'>>,
    generation: number,
  ): CaseReport {
    const ended = this.#outcomeOf(generation);
    const { verdict, message, stdout = '', ms: testMs = null } = report;
    const printed = Buffer.from(stdout);
    const said = { stdout: printed, stdoutBytes: printed.length, stdoutTruncated: false };
    if (verdict === 'dead') {
      const outcome = ended && { ...ended, ...said };
      const failed = outcome && failureOf(outcome);
      return caseOf(id, outcome, failed ?? { verdict: 'runtime_error', message });
    }
    // How the process ended is what a later test met.
    const outcome = ended && { ...ended, ...said, ...STILL_THERE };
    return { ...caseOf(id, outcome, { verdict, message }), testMs };
  }

  /** How that process of the candidate's ended; one that was dismissed did nothing wrong until then. */
  #outcomeOf(generation: number): Outcome | null {
    const known = this.#outcomes.get(generation);
    if (known !== undefined) return known;
    const end = this.#end.candidates[generation - 1];
    if (end === undefined) return null;
    const outcome = outcomeOf(this.#place, end, this.#limits);
    this.#outcomes.set(generation, outcome);
    return outcome;
  }
}

function outcomeOf(
  place: Place,
  { raw, stderr, isDismissed }: CandidateEnd,
  limits: RunLimits,
): Outcome {
  const exit: RawExit = { ...raw, stderr, stderrBytes: raw.stderrBytes };
  if (!isDismissed || raw.cause !== 'cancelled') return toOutcome(place, exit, limits);
  const ended: RawExit = { ...exit, cause: 'exited', exitCode: 0, signal: null };
  const result = classify(ended, limits);
  if (result.kind === 'fault') throw result.fault;
  // What it had used when it was dismissed is told; only a limit met before that would have ended it.
  return { ...result.outcome, kind: 'exited', limit: null };
}

function toReport([verdict, message]: z.infer<typeof Failure>): Pick<
  Reported,
  'verdict' | 'message'
> {
  const known = Reported.shape.verdict.safeParse(verdict);
  return {
    verdict: known.success && known.data !== 'accepted' ? known.data : 'wrong_answer',
    message,
  };
}

function caseOf(
  id: string,
  outcome: Outcome | null,
  judged: Pick<CaseReport, 'verdict' | 'message'>,
): CaseReport {
  const score = judged.verdict === 'accepted' ? 1 : 0;
  return { id, weight: 1, group: null, score, limit: outcome?.limit ?? null, outcome, ...judged };
}
