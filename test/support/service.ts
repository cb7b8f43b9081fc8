/**
 * The real service as a child process: its own port, its own state folder, an environment built from empty. Owns
 * starting, waiting until it is ready, and every way of ending it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createClient, type Client } from './client.ts';
import { keepToolchains, lendToolchains } from './known-toolchains.ts';
import { projectFile, PROJECT_ROOT } from './project.ts';
import { waitFor, within } from './wait.ts';

export interface RunningService extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly stateDir: string;
  readonly client: Client;
  /** From the start of the process to its printed address, and to `/readyz` saying yes, ms. */
  readonly servedAfterMs: number;
  readonly readyAfterMs: number;
  /** Everything printed so far, stdout and stderr. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** As a terminal does on Ctrl-C: signals the whole process group. Only with `ownGroup`. */
  killGroup(signal: NodeJS.Signals): void;
  /** Resolves with what `exit` tells, within `timeoutMs`. */
  exited(timeoutMs?: number): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** SIGTERM, then waits for the end; removes the state folder unless told not to. */
  stop(options?: { readonly keepState: boolean }): Promise<void>;
}

export interface ServiceOptions {
  /** The languages it serves, by default all; each costs probes, jails and self-tests at every start. */
  readonly languages?: readonly string[];
  /** Further configuration, by flag: `{'--slots': '1'}`. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Variables of its environment besides those that every child has. */
  readonly environment?: Readonly<Record<string, string>>;
  /** By default any that is free. */
  readonly port?: number;
  /** A folder to use again; by default a fresh one is made. */
  readonly stateDir?: string;
  readonly startTimeoutMs?: number;
  /** Whether the service leads a process group of its own, as it does in a terminal. */
  readonly ownGroup?: boolean;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const URL_PRINTED = /\bhttps?:\/\/[\w.:[\]-]+:\d+/;

/** The environment of every child: nothing of ours leaks into a service, and of a service nothing into a program. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: process.env['HOME'] ?? '/',
    LANG: 'C.UTF-8',
    // As `bin/assay` has it.
    NODE_COMPILE_CACHE: projectFile('.assay', 'node-cache'),
  };
}

/** A fresh, empty folder. */
export async function temporaryFolder(): Promise<string> {
  return await mkdtemp(path.join(tmpdir(), 'assay-test-'));
}

/** A fresh state folder in which only what earlier services found out about this host's toolchains is known. */
export async function freshStateDir(): Promise<string> {
  const folder = await temporaryFolder();
  await lendToolchains(folder);
  return folder;
}

/** Starts a service and waits until it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const stateDir = options.stateDir ?? (await freshStateDir());
  const flags = {
    '--port': String(options.port ?? 0),
    '--state-dir': stateDir,
    '--log-level': 'warn',
    // Most tests are about something else than how full this machine is.
    '--host-disk-free-mb': '0',
    '--host-memory-free-mb': '0',
    ...(options.languages === undefined ? {} : { '--languages': options.languages.join(',') }),
    ...options.flags,
  };
  const since = performance.now();
  const child = spawn(
    process.execPath,
    [projectFile('src', 'main.ts'), 'serve', ...Object.entries(flags).flat()],
    {
      cwd: PROJECT_ROOT,
      env: { ...childEnvironment(), ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: options.ownGroup === true,
    },
  );
  const { output, end } = watch(child);
  const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  const failed = end.then(({ code, signal }): never => {
    throw new Error(`the service ended with ${code ?? signal} at its start:\n${output()}`);
  });
  // Only the start listens to it; a later end is the test's own doing.
  failed.catch(() => undefined);
  const start = async (): Promise<{ url: string; servedAfterMs: number; readyAfterMs: number }> => {
    const url = await waitFor(() => URL_PRINTED.exec(output())?.[0], {
      what: 'address',
      timeoutMs,
    });
    const servedAfterMs = performance.now() - since;
    await waitFor(async () => ((await isReady(url)) ? true : null), {
      what: 'readiness',
      timeoutMs,
    });
    const readyAfterMs = performance.now() - since;
    if (options.stateDir === undefined) await keepToolchains(stateDir);
    return { url, servedAfterMs, readyAfterMs };
  };
  const started = await Promise.race([start(), failed]).catch(async (error: unknown) => {
    child.kill('SIGKILL');
    await rm(stateDir, { recursive: true, force: true });
    throw new Error(`no start; the service said:\n${output().slice(-4000)}`, { cause: error });
  });
  const exited: RunningService['exited'] = async (limitMs = STOP_TIMEOUT_MS) =>
    await within(end, { what: 'the end of the service', timeoutMs: limitMs });
  const stop: RunningService['stop'] = async (how) => {
    child.kill('SIGTERM');
    try {
      await exited();
    } finally {
      child.kill('SIGKILL');
      if (how?.keepState !== true) await rm(stateDir, { recursive: true, force: true });
    }
  };
  return {
    ...started,
    pid: pidOf(child),
    stateDir,
    client: createClient(started.url),
    output,
    kill: (signal) => void child.kill(signal),
    killGroup(signal) {
      if (options.ownGroup !== true) throw new Error('the service shares the group of the tests');
      process.kill(-pidOf(child), signal);
    },
    exited,
    stop,
    [Symbol.asyncDispose]: async () => await stop(),
  };
}

function watch(child: ChildProcess): {
  output: () => string;
  end: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
} {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const {
    promise: end,
    resolve,
    reject,
  } = Promise.withResolvers<{
    code: number | null;
    signal: NodeJS.Signals | null;
  }>();
  child.once('error', reject);
  child.once('exit', (code, signal) => resolve({ code, signal }));
  return { output: () => text, end };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('the service was not started');
  return child.pid;
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    // Not listening yet.
    return false;
  }
}
