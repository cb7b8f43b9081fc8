/**
 * JUnit for test runners: `languages/java/packages/junit.txt` pins it by hash; `npm run packages` has the host's mvn get it
 * and compiles what reads, builds and runs test files. The probe and `languages/java/install-junit.ts` agree by it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Unavailable } from './host.ts';
import type { Jdk } from './jdk.ts';
import { type Preparation, signatureOf } from './prepared.ts';

/** Files of the prepared folder. */
export const JUNIT = 'junit.jar';
export const TEST_RUNNER = 'runner.jar';
export const TEST_TOOLS = 'tools.jar';
/** Of classes, for what runs tests; not with every JDK. */
export const TEST_ARCHIVE = 'runner.jsa';

const FOLDER = join(import.meta.dirname, '../java');
const LOCK = join(FOLDER, 'packages/junit.txt');
const PIN = /^(\S+:\S+:\S+) sha256:([0-9a-f]{64})$/m;

export interface JUnit {
  /** `group:artefact:version` */
  readonly coordinates: string;
  readonly sha256: string;
  /** Host paths of what runs beside the program, and of what reads and builds tests. */
  readonly runner: readonly string[];
  readonly tools: readonly string[];
  readonly preparation: Preparation;
}

/** For a JDK. Throws `Unavailable` where the pin is none. */
export function junitOf({ home, version }: Pick<Jdk, 'home' | 'version'>): JUnit {
  const lock = readFileSync(LOCK, 'utf8');
  const [, coordinates = '', sha256 = ''] = PIN.exec(lock) ?? [];
  if (sha256 === '') throw new Unavailable(`${LOCK} pins nothing`);
  const runner = sourcesIn('tests/runner/assay_harness');
  const tools = ['tests/planner', 'tests/build', 'json'].flatMap(sourcesIn);
  const texts = [...runner, ...tools].map((path) => readFileSync(path, 'utf8'));
  const key = [version, signatureOf(join(home, 'lib', 'modules')), lock, ...texts];
  return { coordinates, sha256, runner, tools, preparation: { language: 'junit', key } };
}

function sourcesIn(folder: string): string[] {
  const names = readdirSync(join(FOLDER, folder)).toSorted();
  return names.filter((name) => name.endsWith('.java')).map((name) => join(FOLDER, folder, name));
}
