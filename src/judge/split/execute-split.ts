/**
 * Tests that are code, judged in two jails: stages both sides with their limits, lets them talk, and has case reports made
 * of what the test runner said.
 */
import { planRun } from '../../catalog/plan.ts';
import type { Limits } from '../../domain/limits.ts';
import type { CodeTests, JudgeSubmission } from '../../domain/submission.ts';
import type { RunSpec } from '../../runner/pending-run.ts';
import type { RunLimits } from '../../runner/protocol.ts';
import type { Session } from '../../runner/session.ts';
import type { JudgeResult } from '../execute.ts';
import { createOutputKeeper } from '../kept-output.ts';
import { NO_CPU, type JudgePlace, type Place } from '../place.ts';
import type { Program } from '../program.ts';
import { plannedMemory, runLimits } from '../run-spec.ts';
import { runnerMemory } from '../test-kinds.ts';
import { plainFile, type Bundles } from './bundle.ts';
import { Relay } from './relay.ts';
import { Sayings, Verdicts } from './verdicts.ts';
import { candidateFiles } from './candidate-files.ts';

const MIB = 1024 * 1024;
/** The streams between the two carry calls and answers; what a candidate prints goes another way. */
const STREAM_BYTES = 1024 * MIB;
const RUNNER_CPU_MS = 10_000;
/** It waits for as many candidates in turn as there may be; beyond that the rest of the tests has failed. */
const RUNNER_WALL = { slackMs: 10_000, candidatesMax: 16 } as const;
const RUNNER_PROCESSES = 64;

/** Judges a submission whose tests are code. Precondition: the language has a verifier. */
export async function executeSplit(
  place: JudgePlace,
  program: Program,
  job: SplitJob,
): Promise<JudgeResult> {
  const { submission, tests } = job;
  const { session, clock } = place;
  const { session: companion } = await place.companions.open(place.environment);
  const since = clock.now();
  await Promise.all([stageCandidate(place, program, job), stageTests(place, companion, job)]);
  const said = new Sayings();
  const candidate = { session, spec: candidateSpec(place, submission) };
  const relay = new Relay({
    candidate,
    tests: { session: companion, spec: runnerSpec(place, companion, submission) },
    printedBytes: submission.limits.outputBytes,
    document: Buffer.from(documentOf(place, submission, tests)),
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

async function stageCandidate(
  place: Place,
  program: Program,
  { submission, bundles }: SplitJob,
): Promise<void> {
  const { environment, session } = place;
  const { sourceFile } = environment.language;
  // Other files may have names of modules, and then the program is started anew.
  const isAlone = program.files.length === 1 && program.entry === sourceFile;
  const isForked = isAlone && willFork(submission, session);
  const own = await bundles.files({ environment, side: 'candidate', session, isForked });
  const files = candidateFiles(program, sourceFile);
  await session.stage([...files.map(({ path, content }) => plainFile(path, content)), ...own]);
}

async function stageTests(
  { environment }: Place,
  session: Session,
  { submission, bundles }: SplitJob,
): Promise<void> {
  const isForked = willFork({ ...submission, env: {} }, session);
  await session.stage(await bundles.files({ environment, side: 'tests', session, isForked }));
}

/** Whether the warm runtime is like a fresh one of these settings, as far as is known here. */
function willFork({ warm, seed, env }: JudgeSubmission, session: Session): boolean {
  return warm && session.hello.features.warm && seed === null && Object.keys(env).length === 0;
}

/** The tests as they came, and what the service adds. */
function documentOf(
  { environment }: Place,
  submission: JudgeSubmission,
  { document, ids }: CodeTests,
): string {
  const stop = submission.stop === 'first_failure';
  const packages = environment.toolchain.verifier?.packages ?? null;
  const added = JSON.stringify({ stop, ids, packages });
  return `{"added":${added},"tests":${document}}`;
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
      clock: submission.clock,
      memory: plannedMemory(submission.limits, limits),
    },
  );
  return {
    ...plan,
    limits,
    stdin: new Uint8Array(0),
    files: [],
    // The test runner's time counts for nothing, so that it may use whichever core is free.
    cpu: session === place.session ? (place.cpu ?? NO_CPU) : NO_CPU,
    warm:
      submission.warm &&
      session.hello.features.warm &&
      place.environment.language.verifier?.start === 'warm',
    collect: [],
  };
}
