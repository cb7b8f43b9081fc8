/** Reads and checks `languages/<id>/language.json`: errors name the file and the place in it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { LanguageDefinition, namesOf } from '../domain/language.ts';
import { unfilledVars } from './environments.ts';
import { PLACEHOLDER } from './plan.ts';
import { SELF_TEST_NAMES } from './self-test.ts';

/** A definition that cannot be used: a mistake in this repository or the operator's folder, found at start. */
export class CatalogError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CatalogError';
  }
}

const FILE = 'language.json';
const LANGUAGES_MAX = 200;

/**
 * All definitions of a folder, by id. Folders without a `language.json` (shared probes) are passed over. Throws
 * `CatalogError` with every mistake found, one a line.
 */
export async function loadDefinitions(languagesDir: string): Promise<LanguageDefinition[]> {
  const folders = (await readdir(languagesDir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
  const found = await Promise.all(folders.map((folder) => loadDefinition(languagesDir, folder)));
  const loaded = found.filter((each) => each !== null);
  const definitions = loaded.flatMap(({ definition }) => (definition === null ? [] : [definition]));
  const problems = [...loaded.flatMap((each) => each.problems), ...duplicateNames(definitions)];
  if (loaded.length === 0) problems.push(`${languagesDir} holds no ${FILE}`);
  if (loaded.length > LANGUAGES_MAX) problems.push(`more than ${LANGUAGES_MAX} languages`);
  if (problems.length > 0) throw new CatalogError(problems.join('\n'));
  return definitions;
}

interface Loaded {
  readonly definition: LanguageDefinition | null;
  readonly problems: readonly string[];
}

async function loadDefinition(languagesDir: string, folder: string): Promise<Loaded | null> {
  const path = join(languagesDir, folder, FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    return { definition: null, problems: [`${path}: ${String(error)}`] };
  }
  return checkDefinition(text, { path, folder });
}

/** Checks one file's text; `folder` is the name that its id must have. */
export function checkDefinition(
  text: string,
  { path, folder }: { readonly path: string; readonly folder: string },
): Loaded {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { definition: null, problems: [`${path}: ${String(error)}`] };
  }
  const parsed = LanguageDefinition.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${path}: ${issue.path.map(String).join('.') || '(top)'}: ${issue.message}`,
    );
    return { definition: null, problems };
  }
  const definition = parsed.data;
  const problems: string[] = [];
  const complain = (place: string, message: string): void => {
    problems.push(`${path}: ${place}: ${message}`);
  };
  if (definition.id !== folder) complain('id', `is ${definition.id}, its folder is ${folder}`);
  for (const name of SELF_TEST_NAMES) {
    if (!(name in definition.selfTests)) complain('selfTests', `has no ${name}`);
  }
  const ownTests = definition.environments.flatMap((each) => Object.entries(each.selfTests));
  for (const [name, { file }] of [...Object.entries(definition.selfTests), ...ownTests]) {
    if (!file.startsWith(`selftest/${name}.`))
      complain(`selfTests.${name}.file`, 'is named otherwise');
  }
  if (definition.selfTests['ok']?.expect !== 'accepted')
    complain('selfTests.ok', 'must be accepted');
  const places = ['id', 'aliases', 'fenceTags'] as const;
  for (const place of places) {
    const wrong = [definition[place]].flat().find((name) => name !== name.toLowerCase());
    if (wrong !== undefined) complain(place, `${wrong} is not lower case`);
  }
  for (const [i, { id, aliases, warm }] of definition.environments.entries()) {
    const wrong = aliases.find((name) => name !== name.toLowerCase());
    if (wrong !== undefined) complain(`environments[${i}]`, `${wrong} is not lower case`);
    if (definition.environments.findIndex((each) => each.id === id) !== i) {
      complain(`environments[${i}].id`, `${id} is there twice`);
    }
    if (warm !== undefined && definition.warm === null) {
      complain(`environments[${i}].warm`, 'the language has no warm runtime');
    }
  }
  for (const { environment, name } of unfilledVars(definition)) {
    complain('environments', `${environment} has no vars.${name}`);
  }
  const [program = ''] = definition.run.command;
  const isPlaced = program.includes('/') || program.match(PLACEHOLDER)?.[0] === program;
  if (!isPlaced) complain('run.command', 'must begin with a path or a tool');
  return { definition, problems };
}

/** Names that two languages claim, one line each. */
function duplicateNames(definitions: readonly LanguageDefinition[]): string[] {
  const owners = new Map<string, string>();
  const problems: string[] = [];
  for (const definition of definitions) {
    const { id } = definition;
    for (const name of namesOf(definition).keys()) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, id);
      else problems.push(`languages/${id}: the name ${name} is taken by languages/${owner}`);
    }
  }
  return problems;
}
