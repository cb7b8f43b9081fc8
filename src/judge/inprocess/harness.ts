/**
 * Test files of compiled languages: builds the program with the tests as they are and altered, all in one step in which
 * nothing of the program's is executed, and makes the runs of what was built. A run has only its own build.
 */
import { planHarness } from '../../catalog/plan.ts';
import { Fault } from '../../domain/errors.ts';
import type { LanguageDefinition } from '../../domain/language.ts';
import type { CompileReport } from '../../domain/report.ts';
import type { JudgeSubmission, SourceFile } from '../../domain/submission.ts';
import type { RunSpec } from '../../runner/pending-run.ts';
import { buildBy } from '../compile.ts';
import { NO_CPU, type JudgePlace } from '../place.ts';
import type { Program } from '../program.ts';
import { compileLimits, plannedMemory, runLimits } from '../run-spec.ts';
import { plainFile } from '../split/bundle.ts';
import { withAlterations, type Variant } from './canaries.ts';
import type { AlterableTests } from './plan.ts';
import type { TestPlan } from './planner.ts';

const MIB = 1024 * 1024;
/** What a run may say of its tests; it is read in one go. The program prints elsewhere. */
export const CLAIM_BYTES = 2 * MIB;
const COMPILE_STACK_MB = 64;

/** What makes the runs of a submission: what was compiled for them, if anything was. */
export interface Prepared {
  readonly compile: CompileReport | null;
  readonly specOf: (variant: Variant) => RunSpec;
}

type Harness = NonNullable<LanguageDefinition['harness']>;

interface HarnessJob {
  readonly harness: Harness;
  readonly submission: JudgeSubmission;
  readonly document: AlterableTests;
  readonly plan: TestPlan;
  readonly variants: readonly Variant[];
}

/** A variant as it is built: the name of what comes of it, and its tests. */
interface Built {
  readonly variant: Variant;
  readonly artefact: string;
  readonly files: readonly SourceFile[];
}

/** Precondition: the language compiles. Throws faults. */
export async function buildVariants(
  place: JudgePlace,
  program: Program,
  job: HarnessJob,
): Promise<Prepared> {
  const { harness, document, plan, variants } = job;
  const built = variants.map((variant, n) => ({
    variant,
    artefact: harness.build.artefact.replace('{n}', String(n)),
    files: filesOf(withAlterations(document, variant, plan.splices)),
  }));
  const { build, cached } = await buildAll(place, program, job, built);
  const { ok, outcome, artefacts } = build;
  if (ok) {
    const isData = ({ path }: SourceFile): boolean => !path.endsWith(harness.sources);
    const data = [...program.files, ...filesOf(document)].filter(isData);
    // Of equal paths the tests' counts.
    const byPath = new Map(data.map(({ path, content }) => [path, content]));
    await place.session.stage([...byPath].map(([path, content]) => plainFile(path, content)));
  }
  const contents = new Map(artefacts.map(({ path, content }) => [path, content]));
  const common = commonSpec(place, job);
  const specOf: Prepared['specOf'] = (variant) => {
    const found = built.find((each) => each.variant === variant);
    const content = contents.get(found?.artefact ?? '');
    if (content === undefined) throw new Fault('internal', 'a variant was not built');
    return { ...common, files: [{ path: harness.program, content, executable: true }] };
  };
  return { compile: { ok, cached, warm: false, outcome }, specOf };
}

async function buildAll(
  place: JudgePlace,
  program: Program,
  { harness, submission, variants }: HarnessJob,
  built: readonly Built[],
): ReturnType<typeof buildBy> {
  const { environment } = place;
  const { compile, id } = environment.language;
  if (compile === null) throw new Fault('internal', `${id} does not compile`);
  const planned = planHarness(environment, harness.build.command, {
    args: [String(variants.length)],
    memory: { memoryMb: compile.memoryMb, stackMb: COMPILE_STACK_MB },
  });
  const own = program.files.filter((file) => !isLeftOut(file, harness));
  const files = [
    ...within('program', own),
    ...built.flatMap((each, n) => within(`tests/${n}`, each.files)),
  ];
  const collect = built.map(({ artefact }) => artefact);
  const limits = compileLimits(submission.limits, compile);
  return await buildBy(place, { ...planned, collect }, { files, limits });
}

/** What all runs have. */
function commonSpec(
  { environment, session, cpu }: JudgePlace,
  { harness, submission, plan }: HarnessJob,
): Omit<RunSpec, 'files'> {
  const asked = {
    ...submission.limits,
    cpuMs: submission.limits.cpuMs + harness.extraCpuMs,
    wallMs: submission.limits.wallMs + harness.extraCpuMs,
    memoryBytes: submission.limits.memoryBytes + harness.extraMemoryMb * MIB,
    outputBytes: Math.max(submission.limits.outputBytes, CLAIM_BYTES),
  };
  const limits = runLimits(asked, environment.language, session.hello.cgroup);
  return {
    ...planHarness(environment, harness.run, {
      args: plan.args ?? [],
      env: submission.env,
      memory: plannedMemory(submission.limits, limits),
    }),
    limits,
    stdin: new Uint8Array(0),
    cpu: cpu ?? NO_CPU,
    warm: false,
    collect: [],
  };
}

/** Test files that a program brings along are not the tests. */
function isLeftOut({ path }: SourceFile, { leftOut }: Harness): boolean {
  return leftOut !== null && path.endsWith(leftOut);
}

function filesOf({ files = {} }: AlterableTests): SourceFile[] {
  return Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }));
}

function within(folder: string, files: readonly SourceFile[]): SourceFile[] {
  return files.map(({ path, content }) => ({ path: `${folder}/${path}`, content }));
}
