/**
 * A Python client of others as a program: fetched once from the package index by pinned hashes into the ignored folder
 * `.assay/clients/`, and run by a driver on jobs from standard input.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';

import { projectFile } from './project.ts';

/** The drivers' syntax is of 3.9. */
const PYTHONS = ['python3', '/usr/bin/python3', '/usr/local/bin/python3'];
const LEAST_MINOR = 9;
/** What pip says when it cannot reach the index at all; anything else, a wrong hash above all, is a failure. */
const UNREACHABLE =
  /NewConnectionError|NameResolutionError|Temporary failure in name resolution|ConnectTimeoutError|Connection refused|Network is unreachable|ReadTimeoutError|ProxyError/;

export type ClientResult =
  | {
      readonly kind: 'ready';
      /** What the driver prints, parsed as JSON, for a value that it reads. */
      readonly drive: (driver: string, request: unknown) => Promise<unknown>;
    }
  | { readonly kind: 'unreachable'; readonly reason: string };

/**
 * Fetches the client unless it is there. `name` is its folder below `test/compat`, with
 * `requirements.txt`. Throws when
 * the index can be reached and the files are not the pinned ones.
 */
export async function getPythonClient(
  name: string,
  /** The second number of the least Python 3. */
  minor = LEAST_MINOR,
): Promise<ClientResult> {
  const found = await findPython(minor);
  if (found === null)
    return { kind: 'unreachable', reason: `there is no python3 ≥ 3.${minor} with pip` };
  const { python, version } = found;
  const requirements = projectFile('test', 'compat', name, 'requirements.txt');
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    // Some packages are built for one version.
    .update(version)
    .digest('hex')
    .slice(0, 12);
  const folder = projectFile('.assay', 'clients', `${name}-${digest}`);
  if (!existsSync(folder)) {
    const problem = await install(python, { requirements, folder });
    if (problem !== null) return { kind: 'unreachable', reason: problem };
  }
  return {
    kind: 'ready',
    async drive(driver, request) {
      const file = projectFile('test', 'compat', name, driver);
      const { code, stdout, output } = await run(
        python,
        ['-I', file, folder],
        JSON.stringify(request),
      );
      if (code !== 0) throw new Error(`the driver failed:\n${output.slice(-4000)}`);
      return JSON.parse(stdout);
    },
  };
}

async function findPython(
  minor: number,
): Promise<{ readonly python: string; readonly version: string } | null> {
  const check = `import sys, pip; print(sys.version_info[:2]); sys.exit(sys.version_info < (3, ${minor}))`;
  for (const python of PYTHONS) {
    const { code, stdout } = await run(python, ['-c', check], '').catch(() => NO_PYTHON);
    if (code === 0) return { python, version: stdout };
  }
  return null;
}

const NO_PYTHON = { code: 1, stdout: '' };

/** Null when it went well, else why the index could not be reached. */
async function install(
  python: string,
  { requirements, folder }: { readonly requirements: string; readonly folder: string },
): Promise<string | null> {
  await mkdir(projectFile('.assay', 'clients'), { recursive: true });
  const fresh = `${folder}.new-${process.pid}`;
  const { code, output } = await run(
    python,
    [
      '-m',
      'pip',
      'install',
      '--disable-pip-version-check',
      '--no-input',
      '--no-deps',
      '--no-compile',
      '--ignore-requires-python',
      '--only-binary=:all:',
      '--require-hashes',
      '--target',
      fresh,
      '-r',
      requirements,
    ],
    '',
  );
  if (code !== 0) {
    await rm(fresh, { recursive: true, force: true });
    if (UNREACHABLE.test(output))
      return output.split('\n').find((line) => UNREACHABLE.test(line)) ?? 'no connection';
    throw new Error(`pip failed:\n${output.slice(-4000)}`);
  }
  try {
    await rename(fresh, folder);
  } catch (error) {
    // Another test run has put it there meanwhile.
    await rm(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return null;
}

async function run(program: string, args: readonly string[], stdin: string) {
  const child = spawn(program, args, { stdio: 'pipe' });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  // A program that ends without reading shows in its exit code.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const code = await promise;
  return { code, stdout, output: `${stdout}${stderr}` };
}
