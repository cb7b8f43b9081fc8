/**
 * Payloads of the runner protocol (runners/protocol.md), both directions; RESULT has a file of its own. The session encodes what the service
 * sends and parses what the supervisor answers; the fake wall does the reverse with the same code. Whatever a
 * parser rejects is `Fault('protocol_error')`.
 */
import { BinaryError, ByteWriter } from '../lib/binary.ts';
import { toWorkPath } from './work-path.ts';
import type { CollectedStatus } from '../domain/outcome.ts';
import { MAX_CHUNK, MAX_PAYLOAD, PROTOCOL_VERSION } from './frame.ts';
import { parsePayload, parseText, pick } from './payload.ts';

/** Bounds on a RUN payload; each has a test at the bound and one beyond it. */
export const RUN_BOUNDS = {
  argv: 1024,
  env: 256,
  collect: 64,
  stdinBytes: 2 ** 40,
  cpu: 1023,
} as const;

/** Limits of one run as the supervisor enforces them. All integers. */
export interface RunLimits {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly memoryBytes: number;
  /** Cap of each output stream. */
  readonly outputBytes: number;
  /** Processes and threads at once. */
  readonly processes: number;
  /** Size of the run's tmpfs. */
  readonly diskBytes: number;
  readonly inodes: number;
  readonly openFiles: number;
  readonly stackBytes: number;
  /** Cap for all collected files together. */
  readonly collectBytes: number;
}

/** RUN `flags`. */
const RUN_WARM = 4;
const RUN_LIVE = 8;
const RUN_LIGHT = 16;
const RUN_TREE = 32;

/** Limits with which nothing could run; they are an error on the wire. */
const NEVER_ZERO = ['cpuMs', 'wallMs', 'processes', 'memoryBytes', 'diskBytes'] as const;

export interface RunRequest {
  /** `argv[0]` is an absolute path, or one with a `/` relative to the work folder. */
  readonly argv: readonly string[];
  /** The whole environment, `NAME=value`, in order. */
  readonly env: readonly string[];
  /** Paths in the work folder whose content is wanted. */
  readonly collect: readonly string[];
  /** May be forked from the jail's warm runtime, if there is one and it would make no difference. */
  readonly warm: boolean;
  /** Of the jail's runtimes the one with fewer modules is enough, if there is one. */
  readonly light: boolean;
  /** Its input comes while it executes; `stdinBytes` is 0. */
  readonly live: boolean;
  /** The work folder is wanted as the run leaves it. */
  readonly tree: boolean;
  readonly limits: RunLimits;
  readonly stdinBytes: number;
  /** Core to pin to, −1 for none. */
  readonly cpu: number;
}

/** RUN payload. Throws RangeError when a count, a number or the whole exceeds its bound. */
export function encodeRun(run: RunRequest): Buffer {
  const { limits } = run;
  check(run.argv.length >= 1 && run.argv.length <= RUN_BOUNDS.argv, 'argv has 1 … 1024 strings');
  check(run.env.length <= RUN_BOUNDS.env, 'env has at most 256 strings');
  check(run.collect.length <= RUN_BOUNDS.collect, 'collect has at most 64 paths');
  check(run.stdinBytes <= RUN_BOUNDS.stdinBytes, 'stdin is at most 2^40 bytes');
  check(run.cpu >= -1 && run.cpu <= RUN_BOUNDS.cpu, 'cpu is −1 … 1023');
  check(run.argv[0]?.includes('/') === true, 'argv[0] is a path');
  check(!run.live || run.stdinBytes === 0, 'live with stdin');
  check(
    NEVER_ZERO.every((key) => limits[key] > 0),
    'a limit is zero',
  );
  const writer = new ByteWriter(1024)
    .u32(
      (run.warm ? RUN_WARM : 0) |
        (run.live ? RUN_LIVE : 0) |
        (run.light ? RUN_LIGHT : 0) |
        (run.tree ? RUN_TREE : 0),
    )
    .u32(limits.cpuMs)
    .u32(limits.wallMs)
    .u32(limits.processes)
    .u64(limits.memoryBytes)
    .u64(limits.outputBytes)
    .u64(limits.diskBytes)
    .u32(limits.inodes)
    .u32(limits.openFiles)
    .u64(limits.stackBytes)
    .u64(limits.collectBytes)
    .u64(run.stdinBytes)
    .i32(run.cpu)
    .u16(run.argv.length)
    .u16(run.env.length)
    .u16(run.collect.length)
    .u16(0);
  for (const text of [...run.argv, ...run.env, ...run.collect.map(toWorkPath)]) {
    check(!text.includes('\0'), 'no NUL inside a string');
    const bytes = Buffer.from(text, 'utf8');
    writer.u32(bytes.length).bytes(bytes);
  }
  check(writer.length <= MAX_PAYLOAD, 'argv, env and collect together exceed one frame');
  return writer.finish();
}

export function parseRun(payload: Uint8Array): RunRequest {
  return parsePayload('RUN', payload, (reader) => {
    const flags = reader.u32();
    if ((flags & ~(RUN_WARM | RUN_LIVE | RUN_LIGHT | RUN_TREE)) !== 0)
      throw new BinaryError('unknown flags');
    const head = { cpuMs: reader.u32(), wallMs: reader.u32(), processes: reader.u32() };
    const limits = {
      ...head,
      memoryBytes: reader.u64(),
      outputBytes: reader.u64(),
      diskBytes: reader.u64(),
      inodes: reader.u32(),
      openFiles: reader.u32(),
      stackBytes: reader.u64(),
      collectBytes: reader.u64(),
    };
    const stdinBytes = reader.u64();
    const cpu = reader.i32();
    if (cpu < -1 || cpu > RUN_BOUNDS.cpu) throw new BinaryError('cpu');
    const counts = { argv: reader.u16(), env: reader.u16(), collect: reader.u16() };
    if (reader.u16() !== 0) throw new BinaryError('a zero field is not zero');
    if (counts.argv < 1 || counts.argv > RUN_BOUNDS.argv) throw new BinaryError('argc');
    if (counts.env > RUN_BOUNDS.env) throw new BinaryError('envc');
    if (counts.collect > RUN_BOUNDS.collect) throw new BinaryError('collectc');
    if (stdinBytes > RUN_BOUNDS.stdinBytes) throw new BinaryError('stdin_bytes');
    const strings = (count: number): string[] =>
      Array.from({ length: count }, () => parseText(reader.bytes(reader.u32())));
    const argv = strings(counts.argv);
    const env = strings(counts.env);
    const collect = strings(counts.collect).map(toWorkPath);
    if (argv[0]?.includes('/') !== true) throw new BinaryError('argv[0] is not a path');
    if (NEVER_ZERO.some((key) => limits[key] === 0)) throw new BinaryError('a limit is zero');
    const warm = (flags & RUN_WARM) !== 0;
    const live = (flags & RUN_LIVE) !== 0;
    const light = (flags & RUN_LIGHT) !== 0;
    const tree = (flags & RUN_TREE) !== 0;
    if (live && stdinBytes !== 0) throw new BinaryError('live with stdin');
    return { argv, env, collect, warm, light, live, tree, limits, stdinBytes, cpu };
  });
}

/** The head of a FILE payload; the content follows it directly. */
export function encodeFileHead(path: string): Buffer {
  const bytes = Buffer.from(toWorkPath(path), 'utf8');
  return new ByteWriter(2 + bytes.length).u16(bytes.length).bytes(bytes).finish();
}

export interface FilePayload {
  readonly path: string;
  readonly content: Uint8Array;
}

export function parseFile(payload: Uint8Array): FilePayload {
  return parsePayload('FILE', payload, (reader) => ({
    path: toWorkPath(parseText(reader.bytes(reader.u16()))),
    content: reader.rest(),
  }));
}

export type HelloBackEnd = 'none' | 'v1' | 'v2';
const BACK_ENDS: readonly HelloBackEnd[] = ['none', 'v1', 'v2'];

/** HELLO `features`, in bit order. */
const FEATURES = [
  'seccomp',
  'ownUid',
  'memoryByCgroup',
  'pidsByCgroup',
  'cpuByCgroup',
  'peakResettable',
  'warm',
  'live',
] as const;
type HelloFeature = (typeof FEATURES)[number];

/** What a clean jail looks like from inside. */
interface Baseline {
  readonly fds: number;
  readonly mounts: number;
  readonly processes: number;
}

export interface Hello {
  readonly cgroup: HelloBackEnd;
  readonly features: Readonly<Record<HelloFeature, boolean>>;
  readonly baseline: Baseline;
  /** The jail's name, as the launcher chose it. */
  readonly name: string;
}

export function encodeHello(hello: Hello): Buffer {
  const name = Buffer.from(hello.name, 'utf8');
  const features = FEATURES.reduce(
    (mask, key, bit) => mask | (hello.features[key] ? 1 << bit : 0),
    0,
  );
  return new ByteWriter()
    .u16(PROTOCOL_VERSION)
    .u16(BACK_ENDS.indexOf(hello.cgroup))
    .u32(features)
    .u32(hello.baseline.fds)
    .u32(hello.baseline.mounts)
    .u32(hello.baseline.processes)
    .u16(name.length)
    .bytes(name)
    .finish();
}

/** Throws `Fault('protocol_error')` also for another protocol version. */
export function parseHello(payload: Uint8Array): Hello {
  return parsePayload('HELLO', payload, (reader) => {
    const version = reader.u16();
    if (version !== PROTOCOL_VERSION) throw new BinaryError(`protocol version ${version}`);
    const cgroup = pick(BACK_ENDS, reader.u16());
    const mask = reader.u32();
    if (mask >= 1 << FEATURES.length) throw new BinaryError('unknown features');
    const has = (key: HelloFeature): boolean => (mask & (1 << FEATURES.indexOf(key))) !== 0;
    const baseline = { fds: reader.u32(), mounts: reader.u32(), processes: reader.u32() };
    const name = parseText(reader.bytes(reader.u16()));
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) throw new BinaryError('the name');
    const features = {
      seccomp: has('seccomp'),
      ownUid: has('ownUid'),
      memoryByCgroup: has('memoryByCgroup'),
      pidsByCgroup: has('pidsByCgroup'),
      cpuByCgroup: has('cpuByCgroup'),
      peakResettable: has('peakResettable'),
      warm: has('warm'),
      live: has('live'),
    };
    return { cgroup, features, baseline, name };
  });
}

const COLLECTED_STATUSES: readonly CollectedStatus[] = [
  'ok',
  'missing',
  'not_a_file',
  'too_large',
  'unreadable',
];

export interface CollectedPayload {
  /** Index in the run's `collect`. */
  readonly index: number;
  readonly status: CollectedStatus;
  readonly content: Uint8Array;
}

export function encodeCollected(collected: CollectedPayload): Buffer {
  return new ByteWriter(4 + collected.content.length)
    .u16(collected.index)
    .u16(COLLECTED_STATUSES.indexOf(collected.status))
    .bytes(collected.content)
    .finish();
}

export function parseCollected(payload: Uint8Array): CollectedPayload {
  return parsePayload('COLLECTED', payload, (reader) => {
    const index = reader.u16();
    const status = pick(COLLECTED_STATUSES, reader.u16());
    if (reader.remaining > MAX_CHUNK) throw new BinaryError('content above 65536 bytes');
    if (status !== 'ok' && reader.remaining > 0) throw new BinaryError('content without a file');
    return { index, status, content: reader.rest() };
  });
}

/** How much of a live run's input was taken since the last such frame, bytes. */
export function encodeTaken(bytes: number): Buffer {
  return new ByteWriter(4).u32(bytes).finish();
}

export function parseTaken(payload: Uint8Array): number {
  return parsePayload('TAKEN', payload, (reader) => reader.u32());
}

/** A signal for the program of a live run, 1 … 64. */
export function encodeSignal(signal: number): Buffer {
  return new ByteWriter(4).u32(signal).finish();
}

export function parseSignal(payload: Uint8Array): number {
  return parsePayload('SIGNAL', payload, (reader) => reader.u32());
}

/** The answer to RESET. */
export interface CleanReport extends Baseline {
  readonly clean: boolean;
  /** Memory in use by the jail, bytes; 0 = unknown. */
  readonly memoryBytes: number;
}

export function encodeClean(report: CleanReport): Buffer {
  return new ByteWriter()
    .u32(report.clean ? 1 : 0)
    .u32(report.fds)
    .u32(report.mounts)
    .u32(report.processes)
    .u64(report.memoryBytes)
    .finish();
}

export function parseClean(payload: Uint8Array): CleanReport {
  return parsePayload('CLEAN', payload, (reader) => {
    const clean = reader.u32();
    if (clean > 1) throw new BinaryError('clean is 0 or 1');
    const counts = { fds: reader.u32(), mounts: reader.u32(), processes: reader.u32() };
    return { clean: clean === 1, ...counts, memoryBytes: reader.u64() };
  });
}

const ERROR_CODES = ['protocol', 'system_call', 'assertion', 'refused_launch'] as const;
type SupervisorErrorCode = (typeof ERROR_CODES)[number];
const ERROR_TEXT_BYTES = 1024;

export interface SupervisorError {
  readonly code: SupervisorErrorCode;
  readonly text: string;
}

export function encodeError(error: SupervisorError): Buffer {
  return new ByteWriter()
    .u32(ERROR_CODES.indexOf(error.code) + 1)
    .bytes(Buffer.from(error.text, 'utf8').subarray(0, ERROR_TEXT_BYTES))
    .finish();
}

export function parseError(payload: Uint8Array): SupervisorError {
  return parsePayload('ERROR', payload, (reader) => {
    const code = pick(ERROR_CODES, reader.u32() - 1);
    if (reader.remaining > ERROR_TEXT_BYTES) throw new BinaryError('text above 1024 bytes');
    return { code, text: Buffer.from(reader.rest()).toString('utf8') };
  });
}

function check(condition: boolean, message: string): void {
  if (!condition) throw new RangeError(message);
}
