/**
 * The compile step on a jail: from a program to its artefacts on the host, from the cache where they are there. The
 * sources are files of the compile run alone, so that runs see the same work folder whether or not their program was
 * compiled on this jail.
 */
import { type CompilePlan, filesOfRun, planCompile, planQuickCompile } from '../catalog/plan.ts';
import { Fault } from '../domain/errors.ts';
import type { CollectedFile, Outcome, RawExit } from '../domain/outcome.ts';
import type { CompileReport } from '../domain/report.ts';
import type { SourceFile, Submission } from '../domain/submission.ts';
import type { RunLimits } from '../runner/protocol.ts';
import type { CachedBuild, Compiled } from './artefacts/cache.ts';
import { compileWarm } from './compile-warm.ts';
import { artefactKey } from './artefacts/key.ts';
import { type LostArtefact, withoutArtefacts } from './kept-artefacts.ts';
import { NO_CPU, type Place, toOutcome } from './place.ts';
import type { Program } from './program.ts';
import { compileLimits } from './run-spec.ts';

/**
 * Brings a program to where its runs can start: compiles it if its language compiles, and stages what runs need. Null for
 * a language without a compile step. Throws faults and the signal's reason.
 */
export async function stageProgram(
  place: Place,
  program: Program,
  submission: Pick<Submission, 'limits'>,
): Promise<CompileReport | null> {
  const { session, environment, signal } = place;
  signal.throwIfAborted();
  const { language } = environment;
  const stage = async (): Promise<void> =>
    await session.stage(filesOfRun(language, program).map(asData));
  if (language.compile === null) {
    await stage();
    return null;
  }
  const step: ProgramStep = {
    place,
    program,
    limits: compileLimits(submission.limits, language.compile),
  };
  const used = { warm: false };
  const { build, cached: isCached } = await buildOf(step, used);
  const { ok, outcome, artefacts } = build;
  if (ok) {
    await stage();
    await session.stage(artefacts.map((file) => ({ ...file, executable: true })));
  }
  return { ok, cached: isCached, warm: used.warm, outcome };
}

interface CompileStep {
  readonly place: Place;
  readonly program: Pick<Program, 'files'>;
  readonly limits: RunLimits;
}

/** A language's own step. */
interface ProgramStep extends CompileStep {
  readonly program: Program;
}

/** Another step than the language's own, kept where its builds are. Throws as `stageProgram`. */
export async function buildBy(
  place: Place,
  plan: CompilePlan,
  { files, limits }: { readonly files: readonly SourceFile[]; readonly limits: RunLimits },
): Promise<CachedBuild> {
  place.signal.throwIfAborted();
  const step = { place, program: { files }, limits };
  return await cached(step, plan, async () => await execute(step, plan));
}

/** Where the compiler itself ran, told to whom the build may be told much later. */
interface Used {
  warm: boolean;
}

async function buildOf(step: ProgramStep, used: Used): Promise<CachedBuild> {
  const plan = planCompile(step.place.environment, step.program);
  return await cached(step, plan, async () => await compileOn(step, used));
}

/** What was built by this plan before, or what is built now. */
async function cached(
  step: CompileStep,
  plan: CompilePlan,
  compile: () => Promise<Compiled>,
): Promise<CachedBuild> {
  const { place, program, limits } = step;
  const { environment, signal, artefacts: cache } = place;
  if (cache === null) return { build: (await compile()).build, cached: false };
  const key = await artefactKey({
    tenant: place.builds,
    fingerprint: environment.fingerprint,
    plan,
    limits,
    files: program.files,
  });
  return await cache.build(key, { signal, compile });
}

/**
 * Compiles the quickest way first: by a compiler that is kept ready, then as `quick` says; what these tell is believed only
 * as far as it is what the command itself would tell.
 */
async function compileOn(step: ProgramStep, used: Used): Promise<Compiled> {
  const { program, place } = step;
  const warm = await compileWarm(place, program, step.limits);
  if (warm !== null) {
    used.warm = true;
    return toCompiled(warm.raw, warm.outcome, step.limits);
  }
  const quick = planQuickCompile(place.environment, program);
  if (quick !== null) {
    const compiled = await execute(step, quick);
    const { ok, outcome } = compiled.build;
    const isSilent = outcome.stdoutBytes + outcome.stderrBytes === 0;
    if ((ok && isSilent) || outcome.kind === 'time_limit') return compiled;
  }
  return await execute(step, planCompile(place.environment, program));
}

async function execute(
  { place, program, limits }: CompileStep,
  plan: CompilePlan,
): Promise<Compiled> {
  const { session, signal, cpu } = place;
  const spec = {
    ...plan,
    limits,
    stdin: new Uint8Array(0),
    files: program.files.map(asData),
    cpu: cpu ?? NO_CPU,
    warm: false,
  };
  const raw = await session.run(spec, { signal });
  if (raw.cause === 'not_started') {
    throw new Fault('compiler_broken', `the compiler did not start: errno ${raw.startErrno}`);
  }
  return toCompiled(raw, toOutcome(place, raw, limits), limits);
}

/** What a compiler that ended, by itself or for a limit, has left. */
function toCompiled(raw: RawExit, told: Outcome, limits: RunLimits): Compiled {
  const outcome: Outcome = { ...told, collected: [] };
  const isCompiled = outcome.kind === 'exited' && outcome.exitCode === 0;
  const lost = isCompiled ? raw.collected.flatMap(toLost) : [];
  if (lost.length > 0) {
    const said = withoutArtefacts(outcome, lost, limits.collectBytes);
    return { build: { ok: false, outcome: said, artefacts: [] }, isRepeatable: false };
  }
  const artefacts = isCompiled ? raw.collected.map(({ path, content }) => ({ path, content })) : [];
  const isOwnWord = outcome.kind === 'exited';
  return {
    build: { ok: isCompiled, outcome, artefacts },
    isRepeatable: isOwnWord && !wasSqueezed(raw),
  };
}

function toLost({ path, status }: CollectedFile): LostArtefact[] {
  return status === 'ok' ? [] : [{ path, why: status }];
}

/** Whether a limit was felt, though the compiler ended by itself: with more room it might have ended otherwise. */
function wasSqueezed(raw: RawExit): boolean {
  return raw.oomKills + raw.limitHits + raw.processHits > 0 || raw.diskFull || raw.inodesFull;
}

function asData<File extends object>(file: File): File & { readonly executable: false } {
  return { ...file, executable: false };
}
