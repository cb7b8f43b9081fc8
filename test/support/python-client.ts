/**
 * Python programs of others that tests run: fetched once from the package index by pinned hashes into the ignored folder
 * `.assay/clients/`, and run by a driver of ours that reads JSON and prints JSON.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';

import { projectFile } from './project.ts';

const PYTHONS = ['python3', '/usr/bin/python3', '/usr/local/bin/python3'];
/** What pip says when it cannot reach the index at all; anything else, a wrong hash above all, is a failure. */
const UNREACHABLE =
  /NewConnectionError|NameResolutionError|Temporary failure in name resolution|ConnectTimeoutError|Connection refused|Network is unreachable|ReadTimeoutError|ProxyError/;

export type PythonClientResult =
  | { readonly kind: 'ready'; readonly client: PythonClient }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface PythonClient {
  /** Runs `python3 -I DRIVER FOLDER_OF_PACKAGES`; the value goes in and comes out as JSON. Throws when it fails. */
  run(driver: string, input: unknown): Promise<unknown>;
}

interface Wanted {
  /** Of the folder. */
  readonly name: string;
  /** Paths in the project. */
  readonly requirements: string;
  /** The second number of the least Python 3. */
  readonly minor: number;
}

/** Fetches the packages unless they are there. Throws when the index can be reached and the files are not the pinned ones. */
export async function getPythonClient(wanted: Wanted): Promise<PythonClientResult> {
  const { name, minor } = wanted;
  const requirements = projectFile(wanted.requirements);
  const digest = createHash('sha256').update(await readFile(requirements));
  const python = await findPython(minor);
  if (python === null)
    return { kind: 'unreachable', reason: `there is no python3 ≥ 3.${minor} with pip` };
  const folder = projectFile(
    '.assay',
    'clients',
    `${name}-${digest.update(python.version).digest('hex').slice(0, 12)}`,
  );
  if (!existsSync(folder)) {
    const problem = await install(python.program, { requirements, folder });
    if (problem !== null) return { kind: 'unreachable', reason: problem };
  }
  const client: PythonClient = {
    async run(driver, input) {
      const args = ['-I', projectFile(driver), folder];
      const { code, stdout, output } = await run(python.program, args, JSON.stringify(input));
      if (code !== 0) throw new Error(`the driver failed:\n${output.slice(-4000)}`);
      return JSON.parse(stdout) as unknown;
    },
  };
  return { kind: 'ready', client };
}

async function findPython(minor: number): Promise<{ program: string; version: string } | null> {
  const check = `import sys, pip; print(sys.version_info[:2]); sys.exit(sys.version_info < (3, ${minor}))`;
  for (const program of PYTHONS) {
    const found = await run(program, ['-c', check], '').catch(() => ({ code: 1, stdout: '' }));
    if (found.code === 0) return { program, version: found.stdout };
  }
  return null;
}

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
