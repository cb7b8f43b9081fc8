/** Programs of a package: validators, and submissions whose verdicts are known. */
import path from 'node:path';

import { type Language, languageWith } from '../program-file.ts';
import type { WireFile } from '../tests-file.ts';
import type { PackageFolder } from './folder.ts';

/** A program of the problem, as the wire has it. */
export interface ValidatorProgram {
  readonly language: string;
  readonly files: Readonly<Record<string, WireFile>>;
  readonly entry: string;
}

/** Where a package keeps its validator: of either format, or one of DOMjudge's executables. */
const VALIDATOR_FOLDERS = ['output_validators', 'output_validator'];
/** Which of several source files is the main one. */
const MAIN = /^(?:validate|validator|output_validator|main|compare|run)\.\w+$/;

/**
 * The package's validator; null where it has none. `executable` is the folder of DOMjudge's that does the same. Throws
 * UsageError where it is not clear what is to be started.
 */
export async function readValidator(
  folder: PackageFolder,
  languages: readonly Language[],
  executable: 'compare' | 'run',
): Promise<ValidatorProgram | null> {
  for (const at of VALIDATOR_FOLDERS) {
    const entries = await folder.list(at);
    const folders = entries.filter(({ isFolder }) => isFolder);
    const sources = entries.filter(({ name }) => languageOf(name, languages) !== null);
    if (folders.length > 1 || (folders.length === 1 && sources.length > 0))
      throw folder.error(at, 'holds several validators, which is not supported');
    const [only] = folders;
    if (only !== undefined) return await readProgram(folder, only.path, languages);
    if (sources.length > 0) return await readProgram(folder, at, languages);
  }
  const entries = await folder.list(executable);
  return entries.length === 0 ? null : await readProgram(folder, executable, languages);
}

async function readProgram(
  folder: PackageFolder,
  at: string,
  languages: readonly Language[],
): Promise<ValidatorProgram> {
  const files = await folder.files(at);
  const sources = [...files.keys()].filter((name) => languageOf(name, languages) !== null);
  const mains = sources.filter((name) => MAIN.test(name));
  const [entry, other] = sources.length === 1 ? sources : mains;
  if (entry === undefined || other !== undefined)
    throw folder.error(at, 'holds no program whose main file is clear (validate.*, main.*)');
  const language = languageOf(entry, languages)?.id ?? '';
  return { language, files: Object.fromEntries(files), entry };
}

interface KnownProgram {
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

export interface KnownPrograms {
  readonly references: readonly KnownProgram[];
  readonly controls: readonly KnownProgram[];
  /** Programs that are left out, and why. */
  readonly notes: readonly string[];
}

const ACCEPTED = new Set(['accepted']);
const REFUSED = new Set(
  ['wrong_answer', 'run_time_error', 'runtime_error', 'partially_accepted', 'rejected'].flatMap(
    (name) => [name, name.replaceAll('_', '-')],
  ),
);
const TOO_SLOW = new Set(['time_limit_exceeded', 'time-limit-exceeded', 'timelimit']);
/** What a registration takes of each. */
const TRIALS_MAX = 32;

/** Programs too slow are wrong ones only where the package says what too slow is. */
export async function readSubmissions(
  folder: PackageFolder,
  languages: readonly Language[],
  { isTimed, skip }: { readonly isTimed: boolean; readonly skip: RegExp | null },
): Promise<KnownPrograms> {
  const references: KnownProgram[] = [];
  const controls: KnownProgram[] = [];
  const notes: string[] = [];
  for (const kind of await folder.list('submissions')) {
    const isSlow = TOO_SLOW.has(kind.name);
    const list = ACCEPTED.has(kind.name) ? references : controls;
    if (!ACCEPTED.has(kind.name) && !REFUSED.has(kind.name) && !(isSlow && isTimed)) {
      const why = isSlow ? 'the package states no time limit' : 'nothing follows for a reward';
      notes.push(`${kind.path}: left out, ${why}`);
      continue;
    }
    for (const each of await folder.list(kind.path)) {
      const language = each.isFolder ? null : languageOf(each.name, languages);
      const why = skip?.test(each.path)
        ? 'as asked'
        : each.isFolder
          ? 'has several files'
          : language === null
            ? 'is in a language that the service does not have'
            : language.available
              ? null
              : `${language.id} is not available`;
      if (why !== null || language === null) notes.push(`${each.path}: left out, ${why ?? ''}`);
      else if (list.length === TRIALS_MAX)
        notes.push(`${each.path}: left out, ${TRIALS_MAX} are taken`);
      else {
        const code = (await folder.text(each.path)) ?? '';
        list.push({ name: `${kind.name}/${each.name}`, language: language.id, code });
      }
    }
  }
  return { references, controls, notes };
}

function languageOf(name: string, languages: readonly Language[]): Language | null {
  const extension = path.extname(name).slice(1).toLowerCase();
  return extension === '' ? null : (languageWith(extension, languages) ?? null);
}
