/** The RESULT payload of the runner protocol: the figures of one run. */
import type { ExitCause, MemorySource, RawExit } from '../domain/outcome.ts';
import { BinaryError, ByteWriter } from '../lib/binary.ts';
import { parsePayload, pick } from './payload.ts';

const CAUSES: readonly ExitCause[] = [
  'exited',
  'signalled',
  'cpu',
  'wall',
  'memory',
  'output',
  'processes',
  'cancelled',
  'not_started',
];
const MEMORY_SOURCES: readonly MemorySource[] = ['unknown', 'cgroup_peak', 'max_rss', 'polled'];

/** RESULT `flags`; those between are reserved. */
const RESULT_FLAGS = [
  ['stdoutTruncated', 1],
  ['stderrTruncated', 2],
  ['diskFull', 4],
  ['inodesFull', 8],
  ['stdinUnread', 16],
  ['starved', 32],
  ['forked', 64],
] as const;
type ResultFlag = (typeof RESULT_FLAGS)[number][0];

/** The figures of a RESULT frame: `RawExit` without what came in OUTPUT and COLLECTED frames. */
export type RunResult = Omit<RawExit, 'stdout' | 'stderr' | 'collected'>;

/** Nothing happened: what every figure starts from. */
export const NO_RESULT: RunResult = {
  cause: 'exited',
  exitCode: null,
  signal: null,
  startErrno: 0,
  cpuUs: 0,
  wallUs: 0,
  stalledUs: 0,
  memoryBytes: 0,
  memorySource: 'unknown',
  oomKills: 0,
  limitHits: 0,
  processHits: 0,
  stdoutBytes: 0,
  stderrBytes: 0,
  stdoutTruncated: false,
  stderrTruncated: false,
  diskFull: false,
  inodesFull: false,
  stdinUnread: false,
  starved: false,
  forked: false,
};

export function encodeResult(result: RunResult): Buffer {
  return new ByteWriter()
    .u32(CAUSES.indexOf(result.cause))
    .i32(result.exitCode ?? -1)
    .i32(result.signal ?? 0)
    .i32(result.startErrno)
    .u64(result.cpuUs)
    .u64(result.wallUs)
    .u64(result.stalledUs)
    .u64(result.memoryBytes)
    .u32(MEMORY_SOURCES.indexOf(result.memorySource))
    .u32(result.oomKills)
    .u32(result.limitHits)
    .u32(result.processHits)
    .u64(result.stdoutBytes)
    .u64(result.stderrBytes)
    .u32(RESULT_FLAGS.reduce((mask, [key, bit]) => mask | (result[key] ? bit : 0), 0))
    .u32(0)
    .finish();
}

export function parseResult(payload: Uint8Array): RunResult {
  return parsePayload('RESULT', payload, (reader) => {
    const cause = pick(CAUSES, reader.u32());
    const exitCode = reader.i32();
    const signal = reader.i32();
    const startErrno = reader.i32();
    if (exitCode < -1 || exitCode > 255) throw new BinaryError('exit_code');
    if (signal < 0 || signal > 127) throw new BinaryError('signal');
    if (startErrno < 0 || startErrno > 4095) throw new BinaryError('start_errno');
    const times = { cpuUs: reader.u64(), wallUs: reader.u64(), stalledUs: reader.u64() };
    const memoryBytes = reader.u64();
    const memorySource = pick(MEMORY_SOURCES, reader.u32());
    const hits = { oomKills: reader.u32(), limitHits: reader.u32(), processHits: reader.u32() };
    const seen = { stdoutBytes: reader.u64(), stderrBytes: reader.u64() };
    const mask = reader.u32();
    if (RESULT_FLAGS.reduce((rest, [, bit]) => rest & ~bit, mask) !== 0)
      throw new BinaryError('unknown flags');
    if (reader.u32() !== 0) throw new BinaryError('a zero field is not zero');
    const has = (key: ResultFlag): boolean =>
      RESULT_FLAGS.some(([name, bit]) => name === key && (mask & bit) !== 0);
    return {
      cause,
      exitCode: exitCode === -1 ? null : exitCode,
      signal: signal === 0 ? null : signal,
      startErrno,
      ...times,
      memoryBytes,
      memorySource,
      ...hits,
      ...seen,
      stdoutTruncated: has('stdoutTruncated'),
      stderrTruncated: has('stderrTruncated'),
      diskFull: has('diskFull'),
      inodesFull: has('inodesFull'),
      stdinUnread: has('stdinUnread'),
      starved: has('starved'),
      forked: has('forked'),
    };
  });
}
