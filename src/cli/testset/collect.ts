/** What lies at a path, as problems of a test set: a package, a folder of packages, or rows. */
import { UsageError } from '../exit-codes.ts';
import { PackageFolder } from './folder.ts';
import { isPackage, readPackage, type PackageOptions, type PackedProblem } from './package.ts';
import { readRows } from './rows.ts';

export interface CollectOptions extends PackageOptions {
  readonly isFolder: boolean;
  /** Of rows: a name of a data set, or `auto`. */
  readonly schema: string;
  /** Of rows; null for what they say. */
  readonly language: string | null;
}

export interface Collected {
  readonly problems: readonly PackedProblem[];
  /** What is no problem, a line each with its place and why. */
  readonly refused: readonly string[];
  readonly notes: readonly string[];
}

/** Throws UsageError where there is nothing of the kind. */
export async function collectProblems(name: string, options: CollectOptions): Promise<Collected> {
  if (!options.isFolder) return await ofRows(name, options);
  const folder = await PackageFolder.open(name);
  if (await isPackage(folder)) return await ofPackages([folder], options);
  const packages: PackageFolder[] = [];
  for (const { isFolder, path } of await folder.list('')) {
    const inner = isFolder ? await PackageFolder.open(`${folder.name}/${path}`) : null;
    if (inner !== null && (await isPackage(inner))) packages.push(inner);
  }
  if (packages.length === 0)
    throw new UsageError(
      `${name} holds no problem.yaml and no domjudge-problem.ini, nor does a folder in it`,
    );
  return await ofPackages(packages, options);
}

async function ofPackages(
  packages: readonly PackageFolder[],
  options: CollectOptions,
): Promise<Collected> {
  const problems: PackedProblem[] = [];
  const refused: string[] = [];
  const notes: string[] = [];
  for (const folder of packages) {
    try {
      const read = await readPackage(folder, options);
      problems.push(read.problem);
      notes.push(...read.notes.map((note) => `${folder.name}: ${note}`));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      refused.push(error.message);
    }
  }
  return { problems, refused, notes };
}

async function ofRows(name: string, options: CollectOptions): Promise<Collected> {
  const rows = await readRows(name, options);
  return {
    problems: rows.flatMap(({ problem }) => problem ?? []),
    refused: rows.flatMap(({ line, reason }) =>
      reason === null ? [] : [`${name}, row ${line}: ${reason}`],
    ),
    notes: [],
  };
}
