/**
 * Piston's names for what this service runs, and the packages of Open R1's fork that judge: as data, with the versions
 * that are really here. A version in a request is a semver selector; among all that fit, the newest wins. Pure.
 */
import { coerce, rcompare, satisfies, valid } from 'semver';

import type { LanguageInfo } from '../../../judge/door.ts';

/** How a request for a language is carried out. */
type Conduct = 'plain' | 'codeforces' | 'ioi';

export interface Runtime {
  /** The canonical name. */
  readonly language: string;
  /** Three numbers. */
  readonly version: string;
  readonly aliases: readonly string[];
  /** Where Piston's package holds several languages. */
  readonly runtime?: string;
  /** The name under which it is installed. */
  readonly package: string;
  readonly conduct: Conduct;
  /** As the catalog knows it. */
  readonly id: string;
  /** Null for the language's default. */
  readonly environment: string | null;
  /** The name of a main file whose own name the toolchain would not take; null where any will do. */
  readonly mainFile: string | null;
  /** Defined in the main file, where the package's compiler gets it as an option. */
  readonly macro: string | null;
}

interface PlainLanguage {
  readonly language: string;
  readonly id: string;
  readonly aliases: readonly string[];
  readonly runtime?: string;
  /** Piston's package, where it has another name. */
  readonly package?: string;
  /** Whether the toolchain goes by the extension of the main file. */
  readonly needsExtension?: true;
}

const PLAIN: readonly PlainLanguage[] = [
  { language: 'python', id: 'python', aliases: ['py', 'py3', 'python3'] },
  {
    language: 'javascript',
    id: 'javascript',
    aliases: ['node-javascript', 'node-js', 'js'],
    runtime: 'node',
    package: 'node',
  },
  {
    language: 'typescript',
    id: 'typescript',
    aliases: ['ts', 'node-ts', 'tsc', 'typescript5', 'ts5'],
    needsExtension: true,
  },
  { language: 'c', id: 'c', aliases: [], runtime: 'gcc', package: 'gcc' },
  { language: 'c++', id: 'cpp', aliases: ['cpp', 'g++'], runtime: 'gcc', package: 'gcc' },
  { language: 'java', id: 'java', aliases: [], needsExtension: true },
  { language: 'go', id: 'go', aliases: ['golang'], needsExtension: true },
  { language: 'rust', id: 'rust', aliases: ['rs'], needsExtension: true },
  { language: 'bash', id: 'bash', aliases: ['sh'] },
];

interface JudgedLanguage {
  readonly language: string;
  readonly id: string;
  readonly environment: string | null;
  readonly aliases: readonly string[];
  readonly package: 'codeforces' | 'cms_ioi';
}

/** What their compilers define (`-D`), for programs ask for it. */
const MACROS: Readonly<Record<JudgedLanguage['package'], Readonly<Record<string, string>>>> = {
  codeforces: { cpp: 'ONLINE_JUDGE' },
  cms_ioi: { cpp: 'EVAL' },
};

/** The version of both packages. */
const PACKAGE_VERSION = '1.0.0';

const codeforces = (
  language: string,
  id: string,
  { environment, aliases }: { environment?: string; aliases: readonly string[] },
): JudgedLanguage => ({
  language,
  id,
  environment: environment ?? null,
  aliases: [...aliases, `cf_${language}`],
  package: 'codeforces',
});

const JUDGED: readonly JudgedLanguage[] = [
  codeforces('c++', 'cpp', { environment: 'cpp17', aliases: ['GNU C++'] }),
  codeforces('c++0x', 'cpp', { environment: 'cpp11', aliases: ['GNU C++0x'] }),
  codeforces('c++11', 'cpp', { environment: 'cpp11', aliases: ['GNU C++11'] }),
  codeforces('c++14', 'cpp', { environment: 'cpp14', aliases: ['C++14 (GCC 6-32)'] }),
  codeforces('c++17', 'cpp', {
    environment: 'cpp17',
    aliases: ['C++17 (GCC 7-32)', 'C++17 (GCC 9-64)'],
  }),
  codeforces('c++20', 'cpp', {
    environment: 'cpp20',
    aliases: ['C++20 (GCC 11-64)', 'C++20 (GCC 13-64)'],
  }),
  codeforces('python3', 'python', { aliases: ['Python 3'] }),
  codeforces('java', 'java', { aliases: ['Java 17'] }),
  {
    language: 'cms',
    id: 'cpp',
    environment: 'cpp17',
    aliases: ['cms_ioi'],
    package: 'cms_ioi',
  },
];

/** What is installed: every language of the service that Piston has a name for. */
export function runtimesOf(languages: readonly LanguageInfo[]): readonly Runtime[] {
  const byId = new Map(languages.map((info) => [info.id, info]));
  const plain = PLAIN.flatMap((each) => {
    const info = byId.get(each.id);
    return info?.available === true ? [toRuntime(each, info)] : [];
  });
  const judged = JUDGED.flatMap((each) => {
    const info = byId.get(each.id);
    return info !== undefined && isOffered(info, each.environment) ? [toJudge(each, info)] : [];
  });
  return [...plain, ...judged];
}

function toRuntime(each: PlainLanguage, info: LanguageInfo): Runtime {
  const version = toVersion(info.version);
  const [major, minor] = version.split('.');
  const numbered = each.id === 'python' ? [`python${major}.${minor}`] : [];
  return {
    language: each.language,
    version,
    aliases: [...each.aliases, ...numbered],
    ...(each.runtime === undefined ? {} : { runtime: each.runtime }),
    package: each.package ?? each.language,
    conduct: 'plain',
    id: info.id,
    environment: null,
    mainFile: each.needsExtension === true ? info.sourceFile : null,
    macro: null,
  };
}

function toJudge(each: JudgedLanguage, info: LanguageInfo): Runtime {
  return {
    ...each,
    version: PACKAGE_VERSION,
    runtime: each.package,
    conduct: each.package === 'codeforces' ? 'codeforces' : 'ioi',
    // A warm interpreter forks programs of its own name; what a package calls them is nobody's matter.
    mainFile: info.sourceFile,
    macro: MACROS[each.package][each.id] ?? null,
  };
}

function isOffered(info: LanguageInfo, environment: string | null): boolean {
  if (environment === null) return info.available;
  return info.environments.some(({ id, available }) => id === environment && available);
}

/** Toolchains have versions of their own kinds; a selector needs three numbers. */
function toVersion(version: string | null): string {
  const text = version ?? '';
  return valid(text) ?? coerce(text)?.version ?? '0.0.0';
}

/** The newest runtime of that name or alias whose version fits the selector. */
export function findRuntime(
  runtimes: readonly Runtime[],
  { language, version }: { readonly language: string; readonly version: string },
): Runtime | null {
  const [newest] = runtimes
    .filter((each) => each.language === language || each.aliases.includes(language))
    .filter((each) => satisfies(each.version, version))
    .toSorted((a, b) => rcompare(a.version, b.version));
  return newest ?? null;
}

export interface Package {
  readonly language: string;
  readonly language_version: string;
  readonly installed: true;
}

/** What Piston calls packages: some hold several languages. */
export function packagesOf(runtimes: readonly Runtime[]): readonly Package[] {
  const packages = runtimes.map((each): [string, Package] => {
    const { package: name, version } = each;
    return [`${name}-${version}`, { language: name, language_version: version, installed: true }];
  });
  return [...new Map(packages).values()];
}

/** The newest package of that name whose version fits the selector. */
export function findPackage(
  packages: readonly Package[],
  { language, version }: { readonly language: string; readonly version: string },
): Package | null {
  const [newest] = packages
    .filter((each) => each.language === language)
    .filter((each) => satisfies(each.language_version, version))
    .toSorted((a, b) => rcompare(a.language_version, b.language_version));
  return newest ?? null;
}
