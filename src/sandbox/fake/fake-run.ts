/** What a scripted step reports under given limits. Pure. */

import type { RunLimits } from '../../runner/protocol.ts';
import type { FakeStep } from './script.ts';
import { encodeResult, NO_RESULT, parseResult } from '../../runner/result.ts';
import type { RunResult } from '../../runner/result.ts';

export interface StepEnd {
  readonly result: RunResult;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Time by the clock until the end, ms. */
  readonly delayMs: number;
}

const SIGKILL = 9;
const NOTHING: RunResult = { ...NO_RESULT, exitCode: 0, memorySource: 'cgroup_peak' };

export function toStepEnd(step: FakeStep, stdin: Uint8Array, limits: RunLimits): StepEnd {
  const said = Buffer.from(step.stdout.repeat(step.repeat));
  const stdout = step.echo ? Buffer.concat([stdin, said]) : said;
  const stderr = Buffer.from(step.stderr);
  const cap = limits.outputBytes;
  const delayMs = Math.min(step.delayMs, limits.wallMs);
  const facts = {
    ...NOTHING,
    cpuUs: Math.round(Math.min(step.cpuMs, limits.cpuMs) * 1000),
    wallUs: Math.round((delayMs + step.cpuMs) * 1000),
    memoryBytes: Math.min(step.memoryBytes, limits.memoryBytes),
    stdoutBytes: stdout.length,
    stderrBytes: stderr.length,
    stdoutTruncated: stdout.length > cap,
    stderrTruncated: stderr.length > cap,
  };
  const result = { ...facts, ...toEnding(step, facts, limits), ...step.result };
  return {
    // Through the codec: an override that the protocol does not allow fails here and not at the reader.
    result: parseResult(encodeResult(result)),
    stdout: stdout.subarray(0, cap),
    stderr: stderr.subarray(0, cap),
    delayMs,
  };
}

function toEnding(step: FakeStep, facts: RunResult, limits: RunLimits): Partial<RunResult> {
  const killed = { exitCode: null, signal: SIGKILL };
  if (facts.stdoutTruncated || facts.stderrTruncated) return { cause: 'output', ...killed };
  if (step.memoryBytes > limits.memoryBytes) {
    return { cause: 'memory', ...killed, oomKills: 1, limitHits: 1 };
  }
  if (step.cpuMs > limits.cpuMs) return { cause: 'cpu', ...killed };
  if (step.delayMs > limits.wallMs) return { cause: 'wall', ...killed };
  if (step.signal !== null) return { cause: 'signalled', exitCode: null, signal: step.signal };
  return { cause: 'exited', exitCode: step.exitCode };
}

/** The answer of a run that is cancelled, or whose program does not exist. */
export function toIdleResult(over: Partial<RunResult>): RunResult {
  return { ...NOTHING, exitCode: null, ...over };
}
