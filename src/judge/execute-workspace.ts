/**
 * A run in a work folder that others have left: it is put into the run's own, which is as fresh as any, and comes back as
 * the run leaves it. So nothing is held between two runs but what the folder is. Throws a Fault when something of ours
 * failed; the folder is then what it was.
 */
import { planCompile, planRun } from '../catalog/plan.ts';
import type { RawExit } from '../domain/outcome.ts';
import type { CompileReport } from '../domain/report.ts';
import type { RunSubmission } from '../domain/submission.ts';
import type { WorkEntry, Workspace } from '../domain/workspace.ts';
import type { RunSpec } from '../runner/pending-run.ts';
import type { RunLimits } from '../runner/protocol.ts';
import { executeRun, runOutcome, type RunResult, type Timings } from './execute.ts';
import { NO_CPU, type Place, toOutcome } from './place.ts';
import type { Program } from './program.ts';
import { compileLimits, plannedMemory, runLimits } from './run-spec.ts';

/** A run of a program, or in a workspace. */
export async function executeOnce(
  place: Place,
  program: Program,
  submission: RunSubmission,
): Promise<RunResult> {
  const { workspace } = submission;
  if (workspace === undefined) return await executeRun(place, program, submission);
  return await executeInWorkspace(place, submission, workspace);
}

/** Compiles where the language's own source file is run and has to be compiled, and runs once. */
async function executeInWorkspace(
  place: Place,
  submission: RunSubmission,
  workspace: Workspace,
): Promise<RunResult> {
  const timings: Timings = { compileMs: 0, runMs: 0, verifyMs: 0 };
  let { entries } = workspace;
  let compile: CompileReport | null = null;
  const { compile: step } = place.environment.language;
  if (workspace.what.kind === 'code' && step !== null) {
    const since = place.clock.now();
    const compiled = await compileThere(place, step, { submission, workspace });
    timings.compileMs = place.clock.now() - since;
    compile = compiled.report;
    const { outcome } = compile;
    const { tree } = compiled.raw;
    if (!compile.ok) {
      const kind = 'compile_error';
      return { compile, outcome: { ...outcome, kind }, timings, ...(tree && { tree }) };
    }
    // Without what was built there is nothing to run.
    if (tree === undefined || tree.problem !== null) {
      const full = { ...outcome, kind: 'disk_limit', limit: 'disk' } as const;
      return { compile, outcome: full, timings, ...(tree && { tree }) };
    }
    ({ entries } = tree);
  }
  const since = place.clock.now();
  const limits = roomOf(
    runLimits(submission.limits, place.environment.language, place.session.hello.cgroup),
    submission,
    workspace,
  );
  const plan = planRun(place.environment, sourceOf(place), {
    args: submission.args,
    env: submission.env,
    seed: submission.seed,
    memory: plannedMemory(submission.limits, limits),
  });
  const { what } = workspace;
  const argv = what.kind === 'argv' ? what.argv : plan.argv;
  const raw = await start(place, { ...plan, argv, limits, stdin: submission.stdin, tree: entries });
  timings.runMs = place.clock.now() - since;
  const outcome = runOutcome(place, raw, limits);
  return { compile, outcome, timings, ...(raw.tree && { tree: raw.tree }) };
}

interface Compiling {
  readonly submission: RunSubmission;
  readonly workspace: Workspace;
}

async function compileThere(
  place: Place,
  step: Parameters<typeof compileLimits>[1],
  { submission, workspace }: Compiling,
): Promise<{ readonly report: CompileReport; readonly raw: RawExit }> {
  const { argv, env } = planCompile(place.environment, sourceOf(place));
  const limits = roomOf(compileLimits(submission.limits, step), submission, workspace);
  const stdin = new Uint8Array(0);
  const raw = await start(place, { argv, env, limits, stdin, tree: workspace.entries });
  const outcome = toOutcome(place, raw, limits);
  const ok = outcome.kind === 'exited' && outcome.exitCode === 0;
  return { report: { ok, cached: false, warm: false, outcome }, raw };
}

type Start = Pick<RunSpec, 'argv' | 'env' | 'limits' | 'stdin'> & {
  readonly tree: readonly WorkEntry[];
};

async function start(place: Place, { argv, env, limits, stdin, tree }: Start): Promise<RawExit> {
  const cpu = place.cpu ?? NO_CPU;
  const spec = { argv, env, limits, stdin, tree, cpu, files: [], collect: [], warm: false };
  return await place.session.run(spec, { signal: place.signal });
}

/** The folder has the size of its session's, whatever is run in it. */
function roomOf(limits: RunLimits, submission: RunSubmission, workspace: Workspace): RunLimits {
  const { diskBytes } = submission.limits;
  return { ...limits, diskBytes, inodes: workspace.entriesMax, collectBytes: diskBytes };
}

/** What the language's commands are about. */
function sourceOf({ environment }: Place) {
  const { sourceFile } = environment.language;
  return { entry: sourceFile, files: [{ path: sourceFile, content: new Uint8Array(0) }] };
}
