/** What a run or a compile step came to, as a stage of Piston's. Pure. */
import { constants } from 'node:os';

import type { Outcome } from '../../../domain/outcome.ts';
import type { CompileReport } from '../../../domain/report.ts';
import { cutForAnswer, toText } from '../../text.ts';
import type { Stage } from './schema.ts';

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/** `SIGSEGV` for 11; of two names for one signal the first, `SIG34` for one without a name. */
function signalName(signal: number): string {
  return NAMES.get(signal) ?? `SIG${signal}`;
}

type End = Pick<Stage, 'code' | 'signal' | 'message' | 'status'>;

/** A run. */
export function toStage(outcome: Outcome): Stage {
  return stage(outcome, endOf(outcome));
}

/** A compile step. One that ended well and left no program has failed all the same. */
export function toCompileStage({ ok, outcome }: CompileReport): Stage {
  const end = endOf(outcome);
  if (ok) return stage(outcome, { code: 0, signal: null, message: null, status: null });
  if (end.code === 0) return stage(outcome, exitedWith(1));
  return stage(outcome, end);
}

function stage(outcome: Outcome, end: End): Stage {
  const stdout = toText(cutForAnswer(outcome.stdout, STREAM_MAX)).text;
  const stderr = toText(cutForAnswer(outcome.stderr, STREAM_MAX)).text;
  return {
    stdout,
    stderr,
    output: stdout + stderr,
    ...end,
    memory: outcome.memoryBytes,
    cpu_time: Math.round(outcome.cpuMs),
    wall_time: Math.round(outcome.wallMs),
  };
}

/** Characters of a stream, escaped: both come twice, and a string of the engine holds half a billion. */
const STREAM_MAX = 128 * 1024 * 1024;

function endOf(outcome: Outcome): End {
  const { kind, limit, exitCode, signal } = outcome;
  switch (kind) {
    case 'time_limit':
      return timeLimit(limit);
    case 'output_limit':
      return outcome.stdoutTruncated || !outcome.stderrTruncated
        ? killed('OL', 'stdout length exceeded')
        : killed('EL', 'stderr length exceeded');
    case 'memory_limit':
      return killed('SG', 'Memory limit exceeded');
    case 'exited':
    case 'signalled':
    case 'process_limit':
    case 'disk_limit':
    case 'compile_error':
    case 'cancelled':
      // A compile step ends as compile_error whatever ended it.
      if (limit === 'cpu' || limit === 'wall') return timeLimit(limit);
      if (limit === 'memory') return killed('SG', 'Memory limit exceeded');
      if (limit === 'output') return killed('OL', 'stdout length exceeded');
      if (exitCode !== null) return exitedWith(exitCode);
      return signalledBy(signal ?? constants.signals.SIGKILL);
  }
}

function timeLimit(limit: Outcome['limit']): End {
  const how = limit === 'wall' ? ' (wall clock)' : '';
  return killed('TO', `Time limit exceeded${how}`);
}

function killed(status: Stage['status'], message: string): End {
  return { code: null, signal: 'SIGKILL', message, status };
}

function exitedWith(code: number): End {
  if (code === 0) return { code, signal: null, message: null, status: null };
  return { code, signal: null, message: `Exited with error status ${code}`, status: 'RE' };
}

function signalledBy(signal: number): End {
  const message = `Caught fatal signal ${signal}`;
  return { code: null, signal: signalName(signal), message, status: 'SG' };
}
