/**
 * Tests and program in one process, judged by canaries: runs the tests as they are and altered, in an order that no run
 * knows, and has results made of what the runs claim. Every run is given the same in all but the altered literals.
 */
import { planRun } from '../../catalog/plan.ts';
import { Fault } from '../../domain/errors.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { CanaryReport } from '../../domain/report.ts';
import type { CodeTests, JudgeSubmission } from '../../domain/submission.ts';
import type { CaseReport } from '../../domain/verdict.ts';
import type { RunSpec } from '../../runner/pending-run.ts';
import { failureOf } from '../case-verdict.ts';
import { runOutcome, type JudgeResult } from '../execute.ts';
import { createOutputKeeper } from '../kept-output.ts';
import { NO_CPU, type JudgePlace } from '../place.ts';
import type { Program } from '../program.ts';
import { plannedMemory, runLimits } from '../run-spec.ts';
import { plainFile, type Bundles } from '../split/bundle.ts';
import { candidateFiles } from '../split/candidate-files.ts';
import { chooseVariants, forVerdict, isReal, withAlterations, type Variant } from './canaries.ts';
import {
  doubtOf,
  failAll,
  isHopeless,
  namesOf,
  parseClaims,
  takeReal,
  withDoubts,
  type Claims,
  type Doubt,
  type Expected,
  type Judged,
} from './claims.ts';
import { AlterableTests } from './plan.ts';
import { buildVariants, CLAIM_BYTES, type Prepared } from './harness.ts';
import { framed, type Planner, type TestPlan } from './planner.ts';

const MIB = 1024 * 1024;
/** What reading and running tests takes beside the program; pytest takes most. */
const HARNESS = { cpuMs: 500, memoryBytes: 64 * MIB } as const;

export interface InProcessJob {
  readonly submission: JudgeSubmission;
  readonly tests: CodeTests;
  readonly bundles: Bundles;
  readonly planner: Planner;
}

/** What came of one run. */
interface Ran {
  readonly variant: Variant;
  readonly outcome: Outcome;
  /** Null where it said nothing that counts. */
  readonly claims: Claims | null;
}

/** Judges a submission whose tests share its process. Precondition: the place's jail is one for that. */
export async function executeInProcess(
  place: JudgePlace,
  program: Program,
  job: InProcessJob,
): Promise<JudgeResult> {
  const { submission, tests, planner, bundles } = job;
  const { clock } = place;
  const since = clock.now();
  const plan = await planner.plan(place, tests, bundles);
  const { units } = plan;
  const variants = chooseVariants(units, planner.seed(program, tests));
  const { compile, specOf } = await prepare(place, program, { job, plan, variants });
  const builtAt = clock.now();
  const compileMs = compile === null ? 0 : builtAt - since;
  if (compile !== null && !compile.ok)
    return { compile, cases: [], timings: { compileMs, runMs: 0, verifyMs: 0 } };
  const expected = { units, ids: tests.ids };
  const ran = await runVariants(place, { variants, specOf }, { job, expected });
  const { judged, canaries, outcome } = conclude(ran, expected);
  const keeper = createOutputKeeper(submission.detail);
  return {
    compile,
    cases: judged.map((each) => keeper.keep(caseOf(each, outcome))),
    canaries,
    timings: { compileMs, runMs: clock.now() - since - compileMs, verifyMs: 0 },
  };
}

async function prepare(
  place: JudgePlace,
  program: Program,
  { job, plan, variants }: { job: InProcessJob; plan: TestPlan; variants: readonly Variant[] },
): Promise<Prepared> {
  const { submission, tests } = job;
  const { harness } = place.environment.language;
  const document = AlterableTests.parse(JSON.parse(tests.document));
  if (harness !== null)
    return await buildVariants(place, program, {
      ...{ harness, submission, document, plan },
      // What is run again is built once.
      variants: [...new Set(variants)],
    });
  await stage(place, program, job);
  const packages = place.environment.toolchain.verifier?.packages ?? null;
  const specFor = (variant: Variant): RunSpec => {
    const given = { ...withAlterations(document, variant), ids: tests.ids, packages };
    return specOf(place, submission, JSON.stringify(given));
  };
  return { compile: null, specOf: specFor };
}

async function stage(
  { environment, session }: JudgePlace,
  program: Program,
  { submission, bundles }: InProcessJob,
): Promise<void> {
  const { sourceFile } = environment.language;
  const { warm, seed, env } = submission;
  const isLike = seed === null && Object.keys(env).length === 0;
  const isAlone = program.files.length === 1 && program.entry === sourceFile;
  const isForked = isAlone && isLike && warm && session.hello.features.warm;
  const own = await bundles.files({ environment, side: 'inprocess', session, isForked });
  const files = candidateFiles(program, sourceFile);
  await session.stage([...files.map(({ path, content }) => plainFile(path, content)), ...own]);
}

/** Runs until it is known what the tests come to: a program that fails is not run more often than that takes. */
async function runVariants(
  place: JudgePlace,
  { variants, specOf: specFor }: Pick<Prepared, 'specOf'> & { variants: readonly Variant[] },
  { job, expected }: { readonly job: InProcessJob; readonly expected: Expected },
): Promise<readonly Ran[]> {
  const { submission } = job;
  const left = [...variants];
  const ran: Ran[] = [];
  for (let variant = left.shift(); variant !== undefined; variant = left.shift()) {
    const spec = specFor(variant);
    const raw = await place.session.run(spec, { signal: place.signal });
    const outcome = runOutcome(place, raw, spec.limits);
    const isWhole = outcome.kind === 'exited' && outcome.exitCode === 0;
    const isShort = outcome.stdout.byteLength <= CLAIM_BYTES;
    const claims = isWhole && isShort ? parseClaims(outcome.stdout) : null;
    ran.push({ variant, outcome, claims });
    if (isReal(variant) && isLost(claims, expected, submission)) break;
    // Where a part earns something, all canaries have to look at the tests that pass.
    const isOver = claims === null || submission.scoring === 'all';
    if (!isReal(variant) && isOver && isHopeless(claims, variant))
      left.splice(0, left.length, ...forVerdict(left, ran.map(variantOf)));
  }
  return ran;
}

const variantOf = ({ variant }: Ran): Variant => variant;

/** Whether nothing can be won any more, whatever the canaries say. */
function isLost(claims: Claims | null, expected: Expected, { scoring }: JudgeSubmission): boolean {
  const judged = claims === null ? [] : takeReal(claims, expected);
  const accepted = judged.filter(({ verdict }) => verdict === 'accepted').length;
  return accepted === 0 || (scoring === 'all' && accepted < judged.length);
}

const NOT_TRIED: CanaryReport = { runs: 0, failed: 0, flagged: false, message: '' };

interface Conclusion {
  readonly judged: readonly Judged[];
  readonly canaries: CanaryReport;
  /** Of the real run. */
  readonly outcome: Outcome;
}

function conclude(ran: readonly Ran[], expected: Expected): Conclusion {
  const { units } = expected;
  const real = ran.find(({ variant }) => isReal(variant));
  if (real === undefined) throw new Fault('internal', 'the tests were not run as they are');
  const { claims, outcome } = real;
  if (claims === null) {
    const { verdict, message } = endOf(outcome);
    const judged = failAll(namesOf(expected), verdict, message);
    return { judged, outcome, canaries: NOT_TRIED };
  }
  const judged = takeReal(claims, expected);
  // Of a program that passes nothing, nothing has to be tried.
  const tried = judged.some(({ verdict }) => verdict === 'accepted') ? ran : [];
  const doubtIn = ({ variant, claims: other, outcome: ended }: Ran): Doubt[] => {
    if (other !== null) {
      const doubt = doubtOf(other, variant, { real: claims, judged, units });
      return doubt === null ? [] : [doubt];
    }
    const { verdict, message } = endOf(ended);
    return [{ ids: null, isFlagged: false, verdict, message: `in another run: ${message}` }];
  };
  const canaries = tried.filter(({ variant }) => !isReal(variant)).map(doubtIn);
  // The tests as they are, run again, must end as they did.
  const repeats = tried.filter((each) => isReal(each.variant) && each !== real).map(doubtIn);
  const found = [...canaries, ...repeats].flat();
  const flagged = found.find(({ isFlagged }) => isFlagged);
  const ordered = flagged === undefined ? found : [flagged];
  return {
    judged: withDoubts(judged, ordered),
    outcome,
    canaries: {
      runs: canaries.length,
      failed: canaries.filter((doubts) => doubts.length === 0).length,
      flagged: flagged !== undefined,
      message: flagged?.message ?? '',
    },
  };
}

/** Of a run without claims that count. */
function endOf(outcome: Outcome): {
  verdict: Exclude<CaseReport['verdict'], 'accepted'>;
  message: string;
} {
  const failed = failureOf(outcome);
  const message = 'the program ended before its tests did';
  if (failed === null || failed.verdict === 'accepted')
    return { verdict: 'runtime_error', message };
  return { verdict: failed.verdict, message: failed.message };
}

function caseOf({ id, verdict, message, stdout }: Judged, ended: Outcome): CaseReport {
  const printed = Buffer.from(stdout);
  const said = { stdout: printed, stdoutBytes: printed.length, stdoutTruncated: false };
  const score = verdict === 'accepted' ? 1 : 0;
  const outcome = { ...ended, ...said };
  return { id, weight: 1, group: null, score, limit: outcome.limit, outcome, verdict, message };
}

function specOf(place: JudgePlace, submission: JudgeSubmission, document: string): RunSpec {
  const { environment, session } = place;
  const { language } = environment;
  const asked: Limits = {
    ...submission.limits,
    cpuMs: submission.limits.cpuMs + HARNESS.cpuMs,
    wallMs: submission.limits.wallMs + HARNESS.cpuMs,
    memoryBytes: submission.limits.memoryBytes + HARNESS.memoryBytes,
    outputBytes: Math.max(submission.limits.outputBytes, CLAIM_BYTES),
  };
  const limits = runLimits(asked, language, session.hello.cgroup);
  const main = { path: language.sourceFile, content: new Uint8Array(0) };
  return {
    ...planRun(
      environment,
      { entry: language.sourceFile, files: [main] },
      {
        args: submission.args,
        env: submission.env,
        seed: submission.seed,
        clock: submission.clock,
        memory: plannedMemory(submission.limits, limits),
      },
    ),
    limits,
    stdin: framed(document),
    files: [],
    cpu: place.cpu ?? NO_CPU,
    warm: submission.warm && session.hello.features.warm,
    collect: [],
  };
}
