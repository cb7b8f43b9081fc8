/**
 * Part of `npm run packages`: JUnit for test runners. The host's mvn gets the file that the pin names by hash, with the
 * user's own settings; nothing of it is executed here. Where there is no JDK or no mvn it is left out, and tests of the kind
 * `junit` are refused with that reason.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onPath, Unavailable } from '../shared/host.ts';
import { findJdk, type Jdk } from '../shared/jdk.ts';
import {
  JUNIT,
  type JUnit,
  junitOf,
  TEST_ARCHIVE,
  TEST_RUNNER,
  TEST_TOOLS,
} from '../shared/junit.ts';
import { build, prepare } from '../shared/prepared.ts';

const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
const DOWNLOAD_TIMEOUT_MS = 600_000;
/** The script has it in a log. */
const LOG_FD = 1;

/** As tests are run (language.json): an archive holds for one collector. */
const FLAGS = ['-XX:+UseSerialGC', '-XX:-UsePerfData', '-ea'] as const;
/** From here on an archive holds wherever its class path lies, and one holds linked classes and profiles, too. */
const MOVABLE_FEATURE = 21;
const AOT_FEATURE = 25;
const TRAINING = ['assay_harness.Training', 'assay_harness.Training$Old'] as const;

interface Parts extends JUnit {
  readonly jdk: Jdk;
  readonly mvn: string;
}

// Jails read it as another user.
process.umask(0o022);
prepare(find, (folder, parts) => {
  say(`${parts.coordinates} …`);
  download(folder, parts);
  const junit = join(folder, JUNIT);
  compile(folder, { ...parts, sources: parts.runner, jar: TEST_RUNNER, classPath: ['-cp', junit] });
  compile(folder, { ...parts, sources: parts.tools, jar: TEST_TOOLS, classPath: [] });
  archive(folder, parts);
  say('JUnit: done');
});

/** Without it tests only start more slowly. */
function archive(folder: string, { jdk }: Parts): void {
  if (jdk.feature < MOVABLE_FEATURE) return;
  const target = join(folder, TEST_ARCHIVE);
  const output = jdk.feature >= AOT_FEATURE ? 'AOTCacheOutput' : 'ArchiveClassesAtExit';
  const path = [JUNIT, TEST_RUNNER].map((name) => join(folder, name)).join(':');
  const run = ['-cp', path, 'assay_harness.Runner', '.', ...TRAINING];
  try {
    build(join(jdk.home, 'bin', 'java'), [...FLAGS, `-XX:${output}=${target}`, ...run], {
      cwd: folder,
    });
  } catch (error) {
    process.stdout.write(`no class archive: ${String(error)}\n`);
  }
}

function find(): Parts {
  try {
    const jdk = findJdk();
    const [mvn] = onPath('mvn');
    if (mvn === undefined) throw new Unavailable('no mvn on PATH');
    return { ...junitOf(jdk), jdk, mvn };
  } catch (error) {
    say(`JUnit is left out: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}

/** Throws where what came is not what is pinned. */
function download(folder: string, { coordinates, sha256, mvn, jdk }: Parts): void {
  const target = mkdtempSync(join(tmpdir(), 'assay-junit-'));
  try {
    const args = ['-B', '-q', COPY, `-Dartifact=${coordinates}`, `-DoutputDirectory=${target}`];
    const stdio: ['ignore', number, number] = ['ignore', LOG_FD, LOG_FD];
    // Of a folder without a project, so that nobody's is built.
    const env = { ...process.env, JAVA_HOME: jdk.home };
    execFileSync(mvn, args, { cwd: target, stdio, env, timeout: DOWNLOAD_TIMEOUT_MS });
    const [name = ''] = readdirSync(target).filter((each) => each.endsWith('.jar'));
    const bytes = readFileSync(join(target, name));
    const found = createHash('sha256').update(bytes).digest('hex');
    if (found !== sha256)
      throw new Error(`${name} has the hash ${found}, not the pinned ${sha256}`);
    writeFileSync(join(folder, JUNIT), bytes);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

interface Compilation extends Parts {
  readonly sources: readonly string[];
  readonly jar: string;
  readonly classPath: readonly string[];
}

function compile(folder: string, { jdk, sources, jar, classPath }: Compilation): void {
  const classes = join(folder, 'classes');
  const tool = (name: string): string => join(jdk.home, 'bin', name);
  const options = ['-proc:none', '-encoding', 'UTF-8', ...classPath, '-d', classes];
  build(tool('javac'), [...options, ...sources], { cwd: folder });
  const made = join(folder, jar);
  build(tool('jar'), ['--create', '--file', made, '-C', classes, '.'], { cwd: folder });
  rmSync(classes, { recursive: true });
}

/** Progress, for the user; all else is for the log. */
function say(text: string): void {
  process.stderr.write(`packages: ${text}\n`);
}
