/**
 * Tests that are code, judged in two jails: stages both sides, lets them talk, and makes case reports of what the test
 * runner said. Fails closed: a test is passed only by the runner's own word for it, after which it said that it was done.
 */
import { z } from 'zod';

import { planRun } from '../../catalog/plan.ts';
import { Fault } from '../../domain/errors.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Outcome, RawExit } from '../../domain/outcome.ts';
import type { CodeTests, JudgeSubmission } from '../../domain/submission.ts';
import type { CaseReport } from '../../domain/verdict.ts';
import { classify } from '../../runner/classify.ts';
import type { RunSpec } from '../../runner/pending-run.ts';
import type { RunLimits } from '../../runner/protocol.ts';
import type { Session } from '../../runner/session.ts';
import { failureOf } from '../case-verdict.ts';
import type { JudgeResult } from '../execute.ts';
import { createOutputKeeper } from '../kept-output.ts';
import { NO_CPU, toOutcome, type JudgePlace, type Place } from '../place.ts';
import type { Program } from '../program.ts';
import { plannedMemory, runLimits } from '../run-spec.ts';
import { runnerMemory } from '../test-kinds.ts';
import { plainFile, type Bundles } from './bundle.ts';
import type { Message } from './envelope.ts';
import { Relay, type CandidateEnd, type RelayEnd } from './relay.ts';
import { candidateFiles } from './candidate-files.ts';

const MIB = 1024 * 1024;
/** The streams between the two carry calls and answers; what a candidate prints goes another way. */
const STREAM_BYTES = 1024 * MIB;
const RUNNER_CPU_MS = 10_000;
/** It waits for as many candidates in turn as there may be; beyond that the rest of the tests has failed. */
const RUNNER_WALL = { slackMs: 10_000, candidatesMax: 16 } as const;
const RUNNER_PROCESSES = 64;

const Reported = z.strictObject({
  id: z.string(),
  verdict: z.enum(['accepted', 'wrong_answer', 'runtime_error', 'dead']),
  message: z.string(),
  stdout: z.string(),
});
type Reported = z.infer<typeof Reported> & { readonly generation: number };
const Failure = z.tuple([z.string(), z.string()]);

/** Judges a submission whose tests are code. Precondition: the language has a verifier. */
export async function executeSplit(
  place: JudgePlace,
  program: Program,
  { submission, tests, bundles }: SplitJob,
): Promise<JudgeResult> {
  const { session, clock } = place;
  const { session: companion } = await place.companions.open(place.environment);
  const since = clock.now();
  await Promise.all([
    stageCandidate(place, program, bundles),
    stageTests(place, companion, bundles),
  ]);
  const said = new Sayings();
  const candidate = { session, spec: candidateSpec(place, submission) };
  const relay = new Relay({
    candidate,
    tests: { session: companion, spec: runnerSpec(place, companion, submission) },
    document: Buffer.from(documentOf(submission, tests)),
    signal: place.signal,
    onMessage: (message, generation) => {
      said.take(message, generation);
      if (said.isDone) relay.finish();
    },
  });
  const end = await relay.run();
  const judged = new Verdicts(place, candidate.spec.limits, end).judge(said, tests);
  const keeper = createOutputKeeper(submission.detail);
  const cases = judged.map((report) => keeper.keep(report));
  return {
    compile: null,
    cases,
    timings: { compileMs: 0, runMs: clock.now() - since, verifyMs: 0 },
  };
}

export interface SplitJob {
  readonly submission: JudgeSubmission;
  readonly tests: CodeTests;
  readonly bundles: Bundles;
}

async function stageCandidate(place: Place, program: Program, bundles: Bundles): Promise<void> {
  const { environment, session } = place;
  const own = await bundles.files(environment, 'candidate', session);
  const files = candidateFiles(program, environment.language.sourceFile);
  await session.stage([...files.map(({ path, content }) => plainFile(path, content)), ...own]);
}

async function stageTests(place: Place, companion: Session, bundles: Bundles): Promise<void> {
  await companion.stage(await bundles.files(place.environment, 'tests', companion));
}

/** The tests as they came, and what the service adds. */
function documentOf(submission: JudgeSubmission, { document, ids }: CodeTests): string {
  const stop = submission.stop === 'first_failure';
  return `{"stop":${String(stop)},"ids":${JSON.stringify(ids)},"tests":${document}}`;
}

function candidateSpec(place: Place, submission: JudgeSubmission): RunSpec {
  const { limits } = submission;
  const own = runLimits(limits, place.environment.language, place.session.hello.cgroup);
  return spec(place, place.session, { submission, limits: { ...own, outputBytes: STREAM_BYTES } });
}

function runnerSpec(place: Place, companion: Session, submission: JudgeSubmission): RunSpec {
  const { language } = place.environment;
  const { limits } = submission;
  const base: Limits = {
    ...limits,
    cpuMs: Math.max(limits.cpuMs, RUNNER_CPU_MS),
    memoryBytes: runnerMemory(limits),
    processes: Math.max(limits.processes, RUNNER_PROCESSES),
  };
  const own = runLimits(base, language, companion.hello.cgroup);
  const candidates = submission.stop === 'first_failure' ? 1 : RUNNER_WALL.candidatesMax;
  const wallMs = (limits.wallMs + language.startGraceMs) * candidates + RUNNER_WALL.slackMs;
  const runner = { ...submission, args: [], env: {} };
  return spec(place, companion, {
    submission: runner,
    limits: { ...own, wallMs, outputBytes: STREAM_BYTES },
  });
}

function spec(
  place: Place,
  session: Session,
  { submission, limits }: { submission: JudgeSubmission; limits: RunLimits },
): RunSpec {
  const { sourceFile } = place.environment.language;
  const main = { path: sourceFile, content: new Uint8Array(0) };
  const plan = planRun(
    place.environment,
    { entry: sourceFile, files: [main] },
    {
      args: submission.args,
      env: submission.env,
      seed: submission.seed,
      memory: plannedMemory(submission.limits, limits),
    },
  );
  return {
    ...plan,
    limits,
    stdin: new Uint8Array(0),
    files: [],
    cpu: place.cpu ?? NO_CPU,
    warm: submission.warm && session.hello.features.warm,
    collect: [],
  };
}

/** What the test runner has said so far; nothing counts before it has said that it is done. */
class Sayings {
  readonly reports: Reported[] = [];
  declared: readonly string[] | null = null;
  /** Why no test could run, the candidate's doing. */
  unloaded: z.infer<typeof Failure> | null = null;
  /** What broke in the tests themselves, and the candidate's hand in it if there was any. */
  broken: { readonly message: string; readonly by: z.infer<typeof Failure> | null } | null = null;
  isDone = false;

  take({ letter, body }: Message, generation: number): void {
    if (this.isDone) throw new Fault('test_runner_failed', 'it went on after its end');
    if (letter === 'D') this.isDone = true;
    else if (letter === 'R') this.reports.push({ ...Reported.parse(json(body)), generation });
    else if (letter === 'I') this.declared = z.array(z.string()).parse(json(body));
    else if (letter === 'L') this.unloaded = Failure.parse(json(body));
    else if (letter === 'E') {
      const [message, by] = z.tuple([z.string(), Failure.nullable()]).parse(json(body));
      this.broken = { message, by };
    } else throw new Fault('test_runner_failed', `an unknown message ${letter}`);
  }
}

function json(body: Buffer): unknown {
  return JSON.parse(body.toString('utf8'));
}

/** A test without a word of its own, where the tests are not known by name. */
const WHOLE = 'tests';

class Verdicts {
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
    const ids = tests.ids ?? said.declared ?? [WHOLE];
    const rest = this.#rest(said, ids);
    const reports = new Map<string, Reported>();
    for (const report of said.reports) {
      if (reports.has(report.id)) throw new Fault('test_runner_failed', 'two results of one test');
      reports.set(report.id, report);
    }
    // What was collected has to be what was declared, where the request declares it.
    const uncollected = this.#uncollected(said, ids);
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

  /** What becomes of tests that the runner said nothing of. Throws where that is no candidate's doing. */
  #rest(said: Sayings, ids: readonly string[]): Pick<Reported, 'verdict' | 'message'> {
    if (said.unloaded !== null) return toReport(said.unloaded);
    if (said.broken !== null) {
      if (said.broken.by === null) throw new Fault('tests_broken', said.broken.message);
      const { by, message } = said.broken;
      return toReport(by[1] === 'raised' ? [by[0], message] : by);
    }
    if (said.isDone) {
      if (ids.length === 0) throw new Fault('tests_broken', 'there are no tests in them');
      return { verdict: 'wrong_answer', message: 'the test has no result' };
    }
    return this.#cutShort();
  }

  /** The test runner ended without its last word. */
  #cutShort(): Pick<Reported, 'verdict' | 'message'> {
    const raw = this.#end.tests;
    const { kind } = toOutcome(this.#place, raw, { cpuMs: Infinity, memoryBytes: Infinity });
    const isLimit = kind === 'time_limit' || kind === 'memory_limit' || kind === 'output_limit';
    if (!isLimit || !this.#end.isCandidateHeard) {
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
    return { id: '', verdict: 'wrong_answer', message, stdout: '', generation: 1 };
  }

  #caseOf(
    id: string,
    report: Pick<Reported, 'verdict' | 'message'>,
    generation: number,
  ): CaseReport {
    const outcome = this.#outcomeOf(generation);
    const { verdict, message } = report;
    if (outcome !== null && verdict !== 'accepted' && verdict !== 'wrong_answer') {
      const failed = failureOf(outcome);
      if (failed !== null) return caseOf(id, outcome, failed);
    }
    return caseOf(id, outcome, {
      verdict: verdict === 'dead' ? 'runtime_error' : verdict,
      message,
    });
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
