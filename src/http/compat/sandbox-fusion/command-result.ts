/** One command of the wire out of an outcome: statuses, signals as negative codes, text of the streams. Pure. */
import type { Outcome } from '../../../domain/outcome.ts';
import type { CompileReport } from '../../../domain/report.ts';
import { thousandths, twelveDigits } from '../../../lib/round.ts';
import { cutForAnswer, toText } from '../../text.ts';
import type { CommandRunResult } from './schema.ts';

const SIGKILL = 9;

export function toSeconds(ms: number): number {
  return twelveDigits(thousandths(ms) / 1000);
}

/** Null for a language without a compile step. */
export function compileResult(compile: CompileReport | null): CommandRunResult | null {
  if (compile === null) return null;
  const { ok, outcome } = compile;
  if (!ok && (outcome.kind === 'time_limit' || isTime(outcome.limit))) {
    return commandResult(outcome, { status: 'TimeLimitExceeded', return_code: null });
  }
  const code = returnCode(outcome);
  // A compiler that exits well but leaves no program has failed all the same.
  return commandResult(outcome, {
    status: 'Finished',
    return_code: ok ? 0 : code === 0 ? 1 : code,
  });
}

/** Null for what was not run. */
export function runResult(outcome: Outcome | null): CommandRunResult | null {
  if (outcome === null) return null;
  switch (outcome.kind) {
    case 'time_limit':
      return commandResult(outcome, { status: 'TimeLimitExceeded', return_code: null });
    case 'memory_limit':
    case 'output_limit':
      return commandResult(outcome, { status: 'Finished', return_code: -SIGKILL });
    case 'exited':
    case 'signalled':
    case 'process_limit':
    case 'disk_limit':
      return commandResult(outcome, { status: 'Finished', return_code: returnCode(outcome) });
    case 'compile_error':
    case 'cancelled':
      return null;
  }
}

function isTime(limit: Outcome['limit']): boolean {
  return limit === 'cpu' || limit === 'wall';
}

/** The exit code, else minus the signal as Python's subprocess has it. */
function returnCode({ exitCode, signal }: Outcome): number {
  return exitCode ?? -(signal ?? SIGKILL);
}

function commandResult(
  outcome: Outcome,
  end: Pick<CommandRunResult, 'status' | 'return_code'>,
): CommandRunResult {
  const stdout = cutForAnswer(outcome.stdout);
  const stderr = cutForAnswer(outcome.stderr);
  const isCut = stdout.byteLength + stderr.byteLength < outcome.stdoutBytes + outcome.stderrBytes;
  return {
    status: end.status,
    execution_time: toSeconds(outcome.wallMs),
    return_code: end.return_code,
    stdout: toText(stdout).text,
    stderr: toText(stderr).text,
    cpu_time: toSeconds(outcome.cpuMs),
    memory_bytes: outcome.memoryBytes,
    signal: outcome.signal,
    truncated: outcome.stdoutTruncated || outcome.stderrTruncated || isCut,
    memory_limit_exceeded: outcome.kind === 'memory_limit',
    output_limit_exceeded: outcome.kind === 'output_limit',
  };
}
