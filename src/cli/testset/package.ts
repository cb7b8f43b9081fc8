/**
 * A problem package (Kattis's format, legacy and 2023-07, with what DOMjudge adds) as a problem of a test set: a judge
 * request's fields with programs whose verdicts are known. What the service cannot judge as the package means it is
 * refused by name, never left out in silence.
 */
import path from 'node:path';

import type { Language } from '../program-file.ts';
import { defaultCompare } from './compare.ts';
import type { PackageFolder } from './folder.ts';
import { parseIni, ProblemYaml } from './package-files.ts';
import { readSubmissions, readValidator, type ValidatorProgram } from './programs.ts';
import { groupRule, type GroupRule } from './scoring.ts';
import { readTestData, type TestCase, type TestData } from './test-data.ts';
import { readYaml } from './yaml-file.ts';

/** A problem of `POST /v1/testsets`. */
export type PackedProblem = Readonly<Record<string, unknown>> & { readonly id: string };

export interface ReadProblem {
  readonly problem: PackedProblem;
  /** What a reader should know: programs left out, limits that are not stated. */
  readonly notes: readonly string[];
}

const YAML = 'problem.yaml';
const INI = 'domjudge-problem.ini';
/** Directories whose files would have to be built with programs. */
const INCLUDED = 'include';

/** Whether a folder is a package. */
export async function isPackage(folder: PackageFolder): Promise<boolean> {
  const names = await folder.names();
  return names.includes(YAML) || names.includes(INI);
}

export interface PackageOptions {
  /** Of the service. */
  readonly languages: readonly Language[];
  /** In place of what the package says; null for that. */
  readonly cpuMs: number | null;
  /** Submissions to leave out, by their paths. */
  readonly skip: RegExp | null;
}

/** Throws UsageError with the place of what is wrong or not supported. */
export async function readPackage(
  folder: PackageFolder,
  { languages, cpuMs, skip }: PackageOptions,
): Promise<ReadProblem> {
  const yaml = await readYaml(folder, YAML, ProblemYaml);
  const ini = parseIni((await folder.text(INI)) ?? '');
  const kind = kindOf(folder, yaml, ini);
  if ((await folder.list(INCLUDED)).length > 0)
    throw folder.error(INCLUDED, 'files that are built with programs are not supported');
  const data = await readTestData(folder, { needsAnswers: kind !== 'interactive' });
  const isTalking = kind === 'interactive';
  const validator = await readValidator(folder, languages, isTalking ? 'run' : 'compare');
  const judged = howJudged(folder, { yaml, ini, data, validator, isTalking });
  const seconds = await timeLimit(folder, yaml, ini);
  const isTimed = cpuMs !== null || seconds !== null;
  const known = await readSubmissions(folder, languages, { isTimed, skip });
  const { cases, scoring } = scored(folder, yaml, data);
  const { interactor, compare } = judged;
  const notes = [...known.notes];
  if (!isTimed) notes.push('no time limit is stated: the default holds (--cpu-ms)');
  if (known.references.length === 0) notes.push('no accepted submission: the problem is unproved');
  return {
    problem: {
      id: path.basename(path.resolve(folder.name)),
      tests: { kind, ...(interactor === null ? {} : { interactor }), cases },
      ...(compare === null ? {} : { compare }),
      ...(scoring === null ? {} : { scoring }),
      ...(kind === 'output_only' ? { language: 'text' } : {}),
      limits: limitsOf(yaml, cpuMs ?? (seconds === null ? null : Math.ceil(seconds * 1000))),
      // What is handed in for outputs is no program.
      ...(kind === 'output_only' ? {} : { references: known.references, controls: known.controls }),
    },
    notes,
  };
}

type Kind = 'stdio' | 'interactive' | 'output_only';

const TYPES = new Set(['pass-fail', 'scoring', 'interactive', 'submit-answer']);

function kindOf(folder: PackageFolder, yaml: ProblemYaml, ini: ReadonlyMap<string, string>): Kind {
  const other = yaml.type.find((type) => !TYPES.has(type));
  if (other !== undefined) throw folder.error(YAML, `type: ${other} is not supported`);
  if (yaml.type.includes('submit-answer')) return 'output_only';
  const isTalking =
    yaml.type.includes('interactive') ||
    yaml.validation.includes('interactive') ||
    ini.has('special_run');
  return isTalking ? 'interactive' : 'stdio';
}

interface Judging {
  readonly yaml: ProblemYaml;
  readonly ini: ReadonlyMap<string, string>;
  readonly data: TestData;
  readonly validator: ValidatorProgram | null;
  readonly isTalking: boolean;
}

interface Judged {
  readonly interactor: Readonly<Record<string, unknown>> | null;
  readonly compare: unknown;
}

function howJudged(
  folder: PackageFolder,
  { yaml, ini, data, validator, isTalking }: Judging,
): Judged {
  if (yaml.validation.includes('score'))
    throw folder.error(YAML, 'validation: scores of a validator (score.txt) are not supported');
  const isNamed = isTalking || yaml.validation.includes('custom') || ini.has('special_compare');
  if (isNamed && validator === null)
    throw folder.error('output_validators', 'the validator is not there');
  const flags = data.flags ?? yaml.validator_flags;
  if (validator === null) {
    const found = defaultCompare(flags);
    if ('problem' in found) throw folder.error(YAML, found.problem);
    return { interactor: null, compare: found.compare };
  }
  const program = {
    ...validator,
    convention: 'kattis',
    args: flags,
    limits: validatorLimits(yaml),
  };
  return isTalking
    ? { interactor: program, compare: null }
    : { interactor: null, compare: { checker: program } };
}

/** Samples count where all has to be right; points are for what is secret. */
function scored(
  folder: PackageFolder,
  yaml: ProblemYaml,
  { sample, secret }: TestData,
): { readonly cases: readonly TestCase[]; readonly scoring: unknown } {
  if (!yaml.type.includes('scoring'))
    return { cases: [...sample, ...secret.flatMap(({ cases }) => cases)], scoring: null };
  const groups: Record<string, GroupRule> = {};
  for (const { name, yaml: group, cases } of secret) {
    const rule = groupRule(group, cases.length);
    if (typeof rule === 'string') throw folder.error(`data/${name}`, rule);
    groups[name] = rule;
  }
  const cases = secret.flatMap(({ name, cases: all }) =>
    all.map((each) => ({ ...each, group: name })),
  );
  return { cases, scoring: { groups } };
}

/** s; null where none is stated (Kattis takes it from the accepted submissions' times). */
async function timeLimit(
  folder: PackageFolder,
  yaml: ProblemYaml,
  ini: ReadonlyMap<string, string>,
): Promise<number | null> {
  const texts = [
    [YAML, yaml.limits.time_limit],
    [INI, ini.get('timelimit')],
    ['.timelimit', (await folder.text('.timelimit'))?.trim()],
  ] as const;
  for (const [file, text] of texts) {
    if (text === undefined) continue;
    const seconds = Number(text);
    if (!(seconds > 0)) throw folder.error(file, 'the time limit is no number above 0');
    return seconds;
  }
  return null;
}

function limitsOf({ limits }: ProblemYaml, cpuMs: number | null): Record<string, number> {
  return given({
    cpu_ms: cpuMs ?? undefined,
    memory_mb: limits.memory,
    output_kb: times(limits.output, 1024),
    compile_cpu_ms: times(limits.compilation_time, 1000),
  });
}

function validatorLimits({ limits }: ProblemYaml): Record<string, number> {
  return given({
    cpu_ms: times(limits.validation_time, 1000),
    memory_mb: limits.validation_memory,
    output_kb: times(limits.validation_output, 1024),
  });
}

function times(value: number | undefined, unit: number): number | undefined {
  return value === undefined ? undefined : value * unit;
}

function given(limits: Readonly<Record<string, number | undefined>>): Record<string, number> {
  const pairs = Object.entries(limits).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Math.ceil(value)] as const],
  );
  return Object.fromEntries(pairs);
}
