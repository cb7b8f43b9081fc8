/**
 * verl's own client as a program: fetched once from the package index by pinned hashes into the ignored folder
 * `.assay/clients/`, and run on jobs against a URL.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';

import { z } from 'zod';

import { projectFile } from '../../support/project.ts';

/** verl needs 3.10 by its own word; the module's syntax 3.9. */
const PYTHONS = ['python3', '/usr/bin/python3', '/usr/local/bin/python3'];
const PYTHON_CHECK = 'import sys, pip; sys.exit(sys.version_info < (3, 9))';
/** What pip says when it cannot reach the index at all; anything else, a wrong hash above all, is a failure. */
const UNREACHABLE =
  /NewConnectionError|NameResolutionError|Temporary failure in name resolution|ConnectTimeoutError|Connection refused|Network is unreachable|ReadTimeoutError|ProxyError/;

export interface Job {
  readonly test_cases: {
    readonly inputs?: readonly (string | null)[];
    readonly outputs?: readonly (string | null)[];
    readonly fn_name?: string;
    readonly assert_case?: readonly string[];
  };
  /** A model's answer, scored as verl does for competition data; or else `code` in a `language`. */
  readonly completion?: string;
  readonly code?: string;
  readonly language?: string;
  /** Seconds, for compiling and for running. */
  readonly timeout?: number;
  readonly memory_limit_mb?: number;
  readonly continuous?: boolean;
}

const Metadata = z.looseObject({
  status: z.string().optional(),
  stdout: z.string().nullish(),
  stderr: z.string().nullish(),
  exit_code: z.number().nullish(),
  duration: z.number().nullish(),
  api_status: z.string().nullish(),
  compile_stderr: z.string().nullish(),
  error: z.string().optional(),
});

const JobResult = z.object({
  score: z.number().optional(),
  /** One entry per test: true, false, or verl's negative codes. */
  results: z.array(z.union([z.boolean(), z.number()])).optional(),
  metadata: z.array(Metadata),
});
export type JobResult = z.infer<typeof JobResult>;

interface VerlClient {
  /** Runs all jobs at once with `concurrency` calls in flight; results in job order. */
  run(url: string, jobs: readonly Job[], concurrency?: number): Promise<readonly JobResult[]>;
}

export type ClientResult =
  | { readonly kind: 'ready'; readonly client: VerlClient }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Fetches the client unless it is there. Throws when the index can be reached and the files are not the pinned ones. */
export async function getVerlClient(): Promise<ClientResult> {
  const python = await findPython();
  const requirements = projectFile('test', 'compat', 'verl', 'requirements.txt');
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const folder = projectFile('.assay', 'clients', `verl-${digest}`);
  if (!existsSync(folder)) {
    const problem = await install(python, { requirements, folder });
    if (problem !== null) return { kind: 'unreachable', reason: problem };
  }
  return {
    kind: 'ready',
    client: {
      run: (url, jobs, concurrency = 64) => runDriver({ python, folder, url, jobs, concurrency }),
    },
  };
}

async function findPython(): Promise<string> {
  for (const candidate of PYTHONS) {
    const { code } = await run(candidate, ['-c', PYTHON_CHECK], '').catch(() => ({ code: 1 }));
    if (code === 0) return candidate;
  }
  throw new Error(`no python3 ≥ 3.9 with pip among ${PYTHONS.join(', ')}`);
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

interface DriverRun {
  readonly python: string;
  readonly folder: string;
  readonly url: string;
  readonly jobs: readonly Job[];
  readonly concurrency: number;
}

async function runDriver({
  python,
  folder,
  url,
  jobs,
  concurrency,
}: DriverRun): Promise<readonly JobResult[]> {
  const driver = projectFile('test', 'compat', 'verl', 'driver.py');
  const request = JSON.stringify({ url: `${url}/run_code`, concurrency, jobs });
  const { code, stdout, output } = await run(python, ['-I', driver, folder], request);
  if (code !== 0) throw new Error(`the driver failed:\n${output.slice(-4000)}`);
  const results = z.array(JobResult).parse(JSON.parse(stdout));
  if (results.length !== jobs.length)
    throw new Error(`${results.length} results for ${jobs.length} jobs`);
  return results;
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
