/**
 * Runs a language's toolchain probe: one short-lived Node process at the start of the service, never on the request
 * path. Owns what such a process gets to see, and that a toolchain that is missing is an answer and no exception.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { type LanguageDefinition, ProbeOutput } from '../domain/language.ts';

/** The host as the probes may see it; no other environment variable reaches them. */
export interface ProbeHost {
  /** The folder `languages/`. */
  readonly languagesDir: string;
  /** The Node program that runs the probes, and JavaScript submissions. */
  readonly nodePath: string;
  /** `PATH` and `HOME` of the service; shims (pyenv) find their versions from HOME. */
  readonly path: string;
  readonly home: string;
  /** The Python interpreter to serve; "" for the first usable one. */
  readonly python: string;
  /** Of each try of one probe, ms: one that does not end is tried again, since a busy host is no missing toolchain. */
  readonly timeoutsMs: readonly number[];
  /** Ends what is being probed; nothing is worth finding any more. */
  readonly signal?: AbortSignal | undefined;
}

export type ProbeResult =
  | { readonly kind: 'found'; readonly output: ProbeOutput }
  /** One line for the operator. */
  | { readonly kind: 'missing'; readonly reason: string };

/** The exit code with which a probe says so itself (languages/shared/host.ts). */
const TOO_SLOW = 75;
const KILL = 'SIGKILL';
const OUTPUT_BYTES_MAX = 1024 * 1024;
const REASON_LENGTH_MAX = 500;

/** The environment of a probe, but for what concerns only one try. */
export function probeEnv({ path, home, python }: ProbeHost): Record<string, string> {
  const asked = python === '' ? {} : { ASSAY_PYTHON: python };
  return { PATH: path, HOME: home, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', ...asked };
}

/** Path of the probe's program on the host. */
export function probeProgram(definition: LanguageDefinition, host: ProbeHost): string {
  return join(host.languagesDir, definition.id, definition.probe.program);
}

type Tried = ProbeResult | { readonly kind: 'late' };

/**
 * Runs the probe of a language, again with the next time limit where it does not end; never rejects. `onLate` is told of
 * the limit that was too short and of the next one, ms.
 */
export async function runProbe(
  definition: LanguageDefinition,
  host: ProbeHost,
  onLate: (timeoutMs: number, nextTimeoutMs: number) => void,
): Promise<ProbeResult> {
  const { timeoutsMs } = host;
  for (const [index, timeoutMs] of timeoutsMs.entries()) {
    const triesLeft = timeoutsMs.length - index - 1;
    const result = await tryProbe(definition, host, { timeoutMs, triesLeft });
    if (result.kind !== 'late') return result;
    const next = timeoutsMs[index + 1];
    if (next !== undefined) onLate(timeoutMs, next);
  }
  const [first, ...others] = timeoutsMs;
  const again = others.map((ms) => `, then not within ${ms} ms`).join('');
  return missing(`the toolchain probe did not end within ${first} ms${again}`);
}

function tryProbe(
  definition: LanguageDefinition,
  host: ProbeHost,
  { timeoutMs, triesLeft }: { readonly timeoutMs: number; readonly triesLeft: number },
): Promise<Tried> {
  const args = [probeProgram(definition, host), ...definition.probe.args];
  const options = {
    env: {
      ...probeEnv(host),
      ASSAY_PROBE_LIMIT_MS: String(timeoutMs),
      ASSAY_PROBE_TRIES_LEFT: String(triesLeft),
    },
    cwd: '/',
    timeout: timeoutMs,
    ...(host.signal === undefined ? {} : { signal: host.signal }),
    killSignal: KILL,
    maxBuffer: OUTPUT_BYTES_MAX,
    encoding: 'utf8',
  } as const;
  return new Promise((resolve) => {
    execFile(host.nodePath, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(readAnswer(stdout));
      else if (error.code === TOO_SLOW) resolve({ kind: 'late' });
      else if (error.killed === true && error.signal === KILL) resolve({ kind: 'late' });
      else resolve(missing(reasonOf(error, stderr)));
    });
  });
}

function readAnswer(stdout: string): ProbeResult {
  let json: unknown;
  try {
    json = JSON.parse(stdout);
  } catch {
    return missing('the toolchain probe did not print JSON');
  }
  const parsed = ProbeOutput.safeParse(json);
  if (parsed.success) return { kind: 'found', output: parsed.data };
  const issue = parsed.error.issues[0];
  return missing(`the toolchain probe's ${issue?.path.join('.')}: ${issue?.message}`);
}

function reasonOf(error: Error, stderr: string): string {
  const line = stderr.trim().split('\n', 1)[0] ?? '';
  return line === '' ? `the toolchain probe failed: ${error.message.split('\n', 1)[0]}` : line;
}

function missing(reason: string): ProbeResult {
  return { kind: 'missing', reason: reason.slice(0, REASON_LENGTH_MAX) };
}
