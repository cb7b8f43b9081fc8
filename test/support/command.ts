/** The command line as a child process: one command, its output and its exit code. */
import { spawn } from 'node:child_process';

import { projectFile, PROJECT_ROOT } from './project.ts';
import { childEnvironment } from './service.ts';
import { within } from './wait.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly timeoutMs?: number;
  /** Default: the project's folder. */
  readonly cwd?: string;
}

const TIMEOUT_MS = 60_000;

/** Runs `assay` with these arguments. */
export async function assay(
  argv: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return await command([process.execPath, projectFile('src', 'main.ts'), ...argv], options);
}

/** A command that is still running. */
export interface RunningCommand {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with its exit code, null when a signal ended it. */
  exited(timeoutMs: number): Promise<number | null>;
}

/** Starts `assay` with these arguments and leaves it running; its output is not kept. */
export function startAssay(argv: readonly string[]): RunningCommand {
  const child = spawn(process.execPath, [projectFile('src', 'main.ts'), ...argv], {
    cwd: PROJECT_ROOT,
    env: childEnvironment(),
    stdio: 'ignore',
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('exit', resolve);
  if (child.pid === undefined) throw new Error('the command was not started');
  return {
    pid: child.pid,
    kill: (signal) => void child.kill(signal),
    async exited(timeoutMs) {
      try {
        return await within(promise, { what: argvText(argv), timeoutMs });
      } finally {
        child.kill('SIGKILL');
      }
    },
  };
}

/** Runs any program of the project's own tests; an argv array, never a shell's string. */
export async function command(
  [program = '', ...args]: readonly string[],
  { env = {}, stdin = '', timeoutMs = TIMEOUT_MS, cwd = PROJECT_ROOT }: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(program, args, { cwd, env: { ...childEnvironment(), ...env } });
  const collected = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      collected[name] += chunk;
    });
  }
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  // A command that does not read its input closes it; that is its right.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  try {
    const code = await within(promise, { what: argvText([program, ...args]), timeoutMs });
    return { code, ...collected };
  } finally {
    child.kill('SIGKILL');
  }
}

function argvText(argv: readonly string[]): string {
  return argv.slice(0, 4).join(' ');
}
