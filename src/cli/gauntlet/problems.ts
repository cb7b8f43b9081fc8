/**
 * Reads the folder `gauntlet/`: problems (`NAME/problem.json`) with programs that try to cheat (`hacks/`) and odd ones
 * that are right (`honest/`). Owns the form of both; knows nothing of what becomes of them.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { z } from 'zod';

import { parseExactNumbers } from '../../lib/exact-numbers.ts';

const FOLDERS = { hacks: 'hack', honest: 'honest' } as const;
type ProgramKind = (typeof FOLDERS)[keyof typeof FOLDERS];

const Expectation = z.enum(['no reward', 'no reward, or a fault', 'accepted']);
export type Expectation = z.infer<typeof Expectation>;

const Style = z.strictObject({
  /** As in a judge request; see `fill`. */
  tests: z.unknown(),
  compare: z.unknown().optional(),
  /** A regular expression that names the programs; by default all. */
  only: z.string().optional(),
});

/** As in a judge request. */
const Limits = z.record(z.string(), z.number());

const ProblemFile = z.strictObject({
  title: z.string(),
  /** Of hacks they are small, so that those which wait for their end are soon there. */
  limits: z.strictObject({ hack: Limits, honest: Limits }),
  styles: z.record(z.string(), Style),
});

const CatalogueFile = z.strictObject({
  hacks: z.record(z.string(), z.string()),
  not_applicable: z.record(z.string(), z.strictObject({ name: z.string(), reason: z.string() })),
});

export interface Program {
  /** `hacks/nan.py`. */
  readonly name: string;
  readonly kind: ProgramKind;
  /** Of its name, without the dot. */
  readonly extension: string;
  /** Keys of the catalogue; none for an honest one. */
  readonly hacks: readonly string[];
  readonly expected: Expectation;
  readonly environment: string | null;
  /** One file, or several by their paths. */
  readonly source: string | Readonly<Record<string, string>>;
}

interface ProblemStyle {
  readonly name: string;
  readonly programs: readonly Program[];
  /** What all requests of it have: tests and comparison. */
  readonly request: Readonly<Record<string, unknown>>;
}

interface Problem {
  readonly name: string;
  readonly title: string;
  readonly limits: Readonly<Record<ProgramKind, Readonly<Record<string, number>>>>;
  readonly styles: readonly ProblemStyle[];
}

export interface Catalogue {
  /** Names of the hacks by number. */
  readonly hacks: ReadonlyMap<string, string>;
  readonly notApplicable: readonly {
    readonly hack: string;
    readonly name: string;
    readonly reason: string;
  }[];
}

export interface Gauntlet {
  readonly problems: readonly Problem[];
  readonly catalogue: Catalogue;
}

/** Reads all of it. Throws where a file is not of the form, or names a hack that the catalogue does not. */
export async function readGauntlet(folder: string): Promise<Gauntlet> {
  const catalogue = toCatalogue(await readFile(path.join(folder, 'catalogue.json'), 'utf8'));
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const problems = await Promise.all(
    names.toSorted().map(async (name) => await readProblem(path.join(folder, name), name)),
  );
  for (const { name, hacks } of problems.flatMap(({ styles }) => styles.flatMap((s) => s.programs)))
    for (const hack of hacks)
      if (!catalogue.hacks.has(hack)) throw new Error(`${name}: the catalogue has no hack ${hack}`);
  return { problems, catalogue };
}

function toCatalogue(text: string): Catalogue {
  const { hacks, not_applicable: others } = CatalogueFile.parse(JSON.parse(text));
  return {
    hacks: new Map(Object.entries(hacks)),
    notApplicable: Object.entries(others).map(([hack, rest]) => ({ hack, ...rest })),
  };
}

async function readProblem(folder: string, name: string): Promise<Problem> {
  const text = await readFile(path.join(folder, 'problem.json'), 'utf8');
  const { title, limits, styles } = ProblemFile.parse(parseExactNumbers(text));
  const read = Object.entries(FOLDERS).map(
    async ([sub, kind]) => await readPrograms(folder, sub, kind),
  );
  const programs = (await Promise.all(read)).flat();
  const filled = Object.entries(styles).map(async ([style, { tests, compare, only = '' }]) => ({
    name: style,
    programs: programs.filter((program) => new RegExp(only).test(program.name)),
    request: {
      tests: await fill(tests, folder),
      ...(compare === undefined ? {} : { compare: await fill(compare, folder) }),
    },
  }));
  return { name, title, limits, styles: await Promise.all(filled) };
}

/** The largest text that a manifest may ask to be made, bytes. */
const REPEATED_MAX = 32 * 1024 * 1024;

const Filler = z.union([
  z.strictObject({ file: z.string() }),
  z.strictObject({ lines: z.string() }),
  z
    .strictObject({ repeat: z.string(), times: z.int().positive() })
    .refine(({ repeat, times }) => repeat.length * times <= REPEATED_MAX),
]);

/**
 * Puts text in the place of `{"file": PATH}`, `{"lines": PATH}` (a list of its lines that are not empty) and
 * `{"repeat": TEXT, "times": N}`, wherever they are in a manifest.
 */
async function fill(value: unknown, folder: string): Promise<unknown> {
  if (Array.isArray(value))
    return await Promise.all(value.map(async (each) => await fill(each, folder)));
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  const filler = Filler.safeParse(value);
  if (!filler.success) {
    const fields = Object.entries(value).map(async ([key, each]): Promise<[string, unknown]> => [
      key,
      await fill(each, folder),
    ]);
    return Object.fromEntries(await Promise.all(fields));
  }
  const how = filler.data;
  if ('repeat' in how) return how.repeat.repeat(how.times);
  if ('file' in how) return await readFile(path.join(folder, how.file), 'utf8');
  const text = await readFile(path.join(folder, how.lines), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

async function readPrograms(folder: string, sub: string, kind: ProgramKind): Promise<Program[]> {
  const names = await readdir(path.join(folder, sub));
  return await Promise.all(
    names.toSorted().map(async (file) => await readProgram(folder, `${sub}/${file}`, kind)),
  );
}

async function readProgram(folder: string, name: string, kind: ProgramKind): Promise<Program> {
  const source = await readSource(path.join(folder, name));
  const main = typeof source === 'string' ? source : source[mainFile(source)];
  const extension = path.extname(name).slice(1);
  return { name, kind, extension, source, ...parseHeader(name, kind, main ?? '') };
}

async function readSource(place: string): Promise<Program['source']> {
  if ((await stat(place)).isFile()) return await readFile(place, 'utf8');
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }): Promise<[string, string]> => {
    const file = path.join(parentPath, name);
    return [path.relative(place, file), await readFile(file, 'utf8')];
  });
  return Object.fromEntries(await Promise.all(texts));
}

/** The one of a program of several files that it starts with: `main.go`, `Main.java`. Throws where there is none. */
export function mainFile(files: Readonly<Record<string, string>>): string {
  const found = Object.keys(files).find((name) => /^main\.\w+$/i.test(name));
  if (found === undefined)
    throw new Error(`no file is called main among ${Object.keys(files).join(', ')}`);
  return found;
}

const HEADER = /^\W*(?:Hack ([A-Z\d]+(?:, [A-Z\d]+)*)|Honest): \S.*\n\W*Expected: ([^\n]+)\.\n/;
const ENVIRONMENT = /^\W*Environment: (\w+)$/m;

/** What the first lines of a program say of it, as comments of its language. */
function parseHeader(
  name: string,
  kind: ProgramKind,
  text: string,
): Pick<Program, 'hacks' | 'expected' | 'environment'> {
  const found = HEADER.exec(text);
  const expected = Expectation.safeParse(found?.[2]);
  const hacks = found?.[1]?.split(', ') ?? [];
  const isHonest = kind === 'honest';
  if (
    !expected.success ||
    (expected.data === 'accepted') !== isHonest ||
    (hacks.length === 0) !== isHonest
  )
    throw new Error(
      `${name}: begins with neither "Hack N: what it does" and "Expected: no reward." nor "Honest: …" and "Expected: accepted."`,
    );
  const environment = ENVIRONMENT.exec(text.split('\n', 4).join('\n'))?.[1] ?? null;
  return { hacks, expected: expected.data, environment };
}
