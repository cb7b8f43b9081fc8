/**
 * From a language to one of its environments: fills in the variables and puts the environment's own values in place, so
 * that everything after the catalog sees one plain definition. Pure.
 */
import {
  type EnvironmentDefinition,
  environmentsOf,
  type LanguageDefinition,
} from '../domain/language.ts';

type Vars = EnvironmentDefinition['vars'];
type Compile = NonNullable<LanguageDefinition['compile']>;

const VAR = /\{vars\.([A-Za-z0-9_]+)\}/g;

/** The language as this environment has it. Throws RangeError for a variable that it does not have. */
export function resolveLanguage(
  definition: LanguageDefinition,
  environment: EnvironmentDefinition,
): LanguageDefinition {
  const { vars } = environment;
  const { compile, run } = definition;
  const env = Object.entries({ ...definition.env, ...environment.env });
  return {
    ...definition,
    environments: [],
    title: environment.title ?? definition.title,
    probe: environment.probe ?? definition.probe,
    compile: compile === null ? null : resolveCompile(compile, vars),
    run: { ...run, command: fillAll(run.command, vars) },
    env: Object.fromEntries(env.map(([name, value]) => [name, fillText(value, vars)])),
    startGraceMs: environment.startGraceMs ?? definition.startGraceMs,
    extraProcesses: environment.extraProcesses ?? definition.extraProcesses,
    extraMemoryMb: environment.extraMemoryMb ?? definition.extraMemoryMb,
    warm: resolveWarm(definition.warm, environment.warm),
    selfTests: { ...definition.selfTests, ...environment.selfTests },
  };
}

function resolveWarm(
  warm: LanguageDefinition['warm'],
  own: EnvironmentDefinition['warm'],
): LanguageDefinition['warm'] {
  if (warm === null || own === undefined) return warm;
  return {
    ...warm,
    imports: [...warm.imports, ...own.imports],
    coldWords: [...warm.coldWords, ...own.coldWords],
    startLimitMs: own.startLimitMs ?? warm.startLimitMs,
    light:
      own.light === undefined
        ? warm.light
        : { ...own.light, imports: [...warm.imports, ...own.light.imports] },
  };
}

function resolveCompile(compile: Compile, vars: Vars): Compile {
  const { command, quick } = compile;
  const resolvedQuick =
    quick === null
      ? null
      : { args: fillAll(quick.args, vars), ifEntryHas: fillAll(quick.ifEntryHas, vars) };
  return { ...compile, command: fillAll(command, vars), quick: resolvedQuick };
}

/** Variables that a definition uses and one of its environments does not have; for checks at load. */
export function unfilledVars(
  definition: LanguageDefinition,
): { readonly environment: string; readonly name: string }[] {
  const { compile, run } = definition;
  return environmentsOf(definition).flatMap(({ id, vars, env }) => {
    const texts = [
      ...(compile?.command ?? []),
      ...(compile?.quick?.args ?? []),
      ...(compile?.quick?.ifEntryHas ?? []),
      ...run.command,
      ...Object.values({ ...definition.env, ...env }),
    ];
    const names = texts.flatMap((text) =>
      [...text.matchAll(VAR)].flatMap(([, name]) => name ?? []),
    );
    const missing = [...new Set(names)].filter((name) => vars[name] === undefined);
    return missing.map((name) => ({ environment: id, name }));
  });
}

function fillAll(texts: readonly string[], vars: Vars): string[] {
  return texts.flatMap((text) => {
    const [whole, name = ''] = [...text.matchAll(VAR)][0] ?? [];
    return whole === text ? valueOf(vars, name) : fillText(text, vars);
  });
}

function fillText(text: string, vars: Vars): string {
  return text.replace(VAR, (_whole, name: string) => [valueOf(vars, name)].flat().join(' '));
}

function valueOf(vars: Vars, name: string): string | string[] {
  const value = vars[name];
  if (value === undefined) throw new RangeError(`there is no vars.${name}`);
  return value;
}
