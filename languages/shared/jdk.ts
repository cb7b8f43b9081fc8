/** Finds a JDK, and says what set-up prepares of it; the probe and `languages/java/prepare.ts` agree by it. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { onPath, Unavailable } from './host.ts';
import { type Preparation, signatureOf } from './prepared.ts';

export interface Jdk {
  readonly version: string;
  /** 17, 21 … */
  readonly feature: number;
  readonly home: string;
  /** The others, `path: version`. */
  readonly skipped: readonly string[];
  readonly preparation: Preparation;
}

type FoundJdk = Omit<Jdk, 'skipped'>;

/** Where distributions put JDKs beside that of PATH. */
export const JDK_FOLDER = '/usr/lib/jvm';
/** Sources of the compile step and of what the class archives are trained with. */
export const COMPILER_SOURCES = join(import.meta.dirname, '../java/compiler');
const FEATURE_LEAST = 17;
/** What most graders run. */
const FEATURE_PREFERRED = 21;

/** JDK 21 if the host has one, else the newest from 17; of equals that of PATH. Throws `Unavailable`. */
export function findJdk(): Jdk {
  const candidates = [...new Set([...onPath('javac'), ...distributed()])].map((javac) =>
    dirname(dirname(realpathSync(javac))),
  );
  const jdks = [...new Set(candidates)].flatMap((home) => describe(home) ?? []);
  const usable = jdks
    .filter(({ feature }) => feature >= FEATURE_LEAST)
    .toSorted((a, b) => rank(b.feature) - rank(a.feature));
  const [best] = usable;
  if (best !== undefined) {
    const others = jdks.filter((jdk) => jdk !== best);
    return { ...best, skipped: others.map((jdk) => `${jdk.home}: Java ${jdk.version}`) };
  }
  const found = jdks.map(({ version }) => version).join(', ');
  throw new Unavailable(
    found === '' ? 'no javac on PATH' : `no JDK ${FEATURE_LEAST} or newer, only ${found}`,
  );
}

/** The parts of a JDK that compiling and running need, as paths from its home. */
export function jdkFiles(home: string): string[] {
  const libraries = filesIn(home, 'lib').filter((path) => path !== join('lib', 'src.zip'));
  return [join('bin', 'java'), 'release', ...libraries, ...filesIn(home, 'conf')];
}

function rank(feature: number): number {
  return feature === FEATURE_PREFERRED ? Number.POSITIVE_INFINITY : feature;
}

function distributed(): string[] {
  if (!existsSync(JDK_FOLDER)) return [];
  return readdirSync(JDK_FOLDER)
    .toSorted()
    .map((name) => join(JDK_FOLDER, name, 'bin', 'javac'))
    .filter((path) => existsSync(path));
}

function describe(home: string): FoundJdk | null {
  const release = join(home, 'release');
  if (!existsSync(release)) return null;
  const version = /^JAVA_VERSION="([^"]+)"/m.exec(readFileSync(release, 'utf8'))?.[1] ?? '';
  const feature = Number.parseInt(version, 10);
  const sources = filesIn(COMPILER_SOURCES, '.').map((name) =>
    readFileSync(join(COMPILER_SOURCES, name), 'utf8'),
  );
  const key = [version, signatureOf(join(home, 'lib', 'modules')), ...sources];
  return { version, feature, home, preparation: { language: 'java', key } };
}

/** Files beneath a folder, links followed; paths from `root`. */
function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder))
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      const whole = join(root, path);
      // A dangling link: documentation or sources that are not installed.
      if (!existsSync(whole)) return [];
      return statSync(whole).isDirectory() ? filesIn(root, path) : [path];
    });
}
