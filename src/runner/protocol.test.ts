/** The runner protocol: round trips, golden frames, streams cut anywhere, and what is refused. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Fault } from '../domain/errors.ts';
import {
  FRAME,
  FrameDecoder,
  HEADER_BYTES,
  MAX_PAYLOAD,
  OUTPUT_STDERR,
  TO_SERVICE,
  TO_SUPERVISOR,
  encodeFrame,
  encodeHeader,
} from './frame.ts';
import type { Frame } from './frame.ts';
import {
  RUN_BOUNDS,
  encodeClean,
  encodeCollected,
  encodeError,
  encodeFileHead,
  encodeHello,
  encodeRun,
  encodeSignal,
  encodeTaken,
  parseClean,
  parseCollected,
  parseError,
  parseFile,
  parseHello,
  parseRun,
  parseSignal,
  parseTaken,
} from './protocol.ts';
import type { RunRequest } from './protocol.ts';
import { toWorkPath } from './work-path.ts';
import { encodeResult, parseResult } from './result.ts';

const u32 = fc.nat({ max: 0xffff_ffff });
const u64 = fc.maxSafeNat();
const positive = fc.integer({ min: 1, max: 0x7fff_ffff });
const word = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !text.includes('\0'));
const part = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => !/[/\0]/.test(text) && text !== '.' && text !== '..');
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

const runRequest: fc.Arbitrary<RunRequest> = fc.record({
  live: fc.constant(false),
  argv: fc.array(word, { maxLength: 5 }).map((words) => ['/bin/x', ...words]),
  env: fc.array(word, { maxLength: 5 }),
  collect: fc.array(path, { maxLength: 5 }),
  warm: fc.boolean(),
  light: fc.boolean(),
  tree: fc.boolean(),
  limits: fc.record({
    cpuMs: positive,
    wallMs: positive,
    memoryBytes: positive,
    outputBytes: u64,
    processes: positive,
    diskBytes: positive,
    inodes: u32,
    openFiles: u32,
    stackBytes: u64,
    collectBytes: u64,
  }),
  stdinBytes: fc.nat({ max: 2 ** 31 - 1 }),
  cpu: fc.integer({ min: -1, max: 1023 }),
});

const bits = fc.record({
  stdoutTruncated: fc.boolean(),
  stderrTruncated: fc.boolean(),
  diskFull: fc.boolean(),
  inodesFull: fc.boolean(),
  stdinUnread: fc.boolean(),
  starved: fc.boolean(),
  forked: fc.boolean(),
});
const figures = fc.record({
  cause: fc.constantFrom('exited', 'signalled', 'cpu', 'wall', 'memory', 'output', 'not_started'),
  exitCode: fc.option(fc.nat({ max: 255 })),
  signal: fc.option(fc.integer({ min: 1, max: 64 })),
  startErrno: fc.nat({ max: 133 }),
  cpuUs: u64,
  wallUs: u64,
  stalledUs: u64,
  memoryBytes: u64,
  memorySource: fc.constantFrom('unknown', 'cgroup_peak', 'max_rss', 'polled'),
  oomKills: u32,
  limitHits: u32,
  processHits: u32,
  stdoutBytes: u64,
  stderrBytes: u64,
});

describe('payloads', () => {
  it('RUN comes back as it went', () => {
    fc.assert(
      fc.property(runRequest, (run) => {
        expect(parseRun(encodeRun(run))).toEqual(run);
        const live = { ...run, live: true, stdinBytes: 0 };
        expect(parseRun(encodeRun(live))).toEqual(live);
      }),
    );
  });

  it('RESULT comes back as it went', () => {
    fc.assert(
      fc.property(figures, bits, (head, flags) => {
        const result = { ...head, ...flags };
        expect(parseResult(encodeResult(result))).toEqual(result);
      }),
    );
  });

  it('HELLO, CLEAN, ERROR, COLLECTED and FILE come back as they went', () => {
    const baseline = { fds: 5, mounts: 31, processes: 1 };
    const features = {
      seccomp: true,
      ownUid: false,
      memoryByCgroup: true,
      pidsByCgroup: false,
      cpuByCgroup: true,
      peakResettable: false,
      warm: false,
      live: true,
    };
    const hello = { cgroup: 'v1', features, baseline, name: 'jail-7' } as const;
    expect(parseHello(encodeHello(hello))).toEqual(hello);
    const clean = { clean: true, ...baseline, memoryBytes: 4096 };
    expect(parseClean(encodeClean(clean))).toEqual(clean);
    const error = { code: 'system_call', text: 'mount: EPERM' } as const;
    expect(parseError(encodeError(error))).toEqual(error);
    const collected = { index: 2, status: 'ok', content: Buffer.from('x') } as const;
    expect(parseCollected(encodeCollected(collected))).toEqual(collected);
    const file = Buffer.concat([encodeFileHead('a/b.py'), Buffer.from('print()')]);
    expect(parseFile(file)).toEqual({ path: 'a/b.py', content: Buffer.from('print()') });
  });

  it('a cut payload, or one with a byte too many, is a protocol error', () => {
    const run = encodeRun(fc.sample(runRequest, { numRuns: 1, seed: 1 })[0] ?? fail());
    const whole: [(bytes: Uint8Array) => unknown, Buffer][] = [
      [parseRun, run],
      [parseClean, encodeClean({ clean: true, fds: 1, mounts: 1, processes: 1, memoryBytes: 0 })],
    ];
    for (const [parse, bytes] of whole) {
      for (let cut = 0; cut < bytes.length; cut++) {
        expect(() => parse(bytes.subarray(0, cut))).toThrow(Fault);
      }
      expect(() => parse(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(Fault);
    }
  });

  it('random bytes never do anything but fault', () => {
    const parsers = [
      parseRun,
      parseFile,
      parseHello,
      parseCollected,
      parseResult,
      parseClean,
      parseTaken,
      parseError,
    ];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const parse of parsers) {
          try {
            parse(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(Fault);
          }
        }
      }),
    );
  });

  it('holds the bounds of RUN at the bound and one beyond', () => {
    const base = fc.sample(runRequest, { numRuns: 1, seed: 2 })[0] ?? fail();
    const many = (count: number): string[] => Array.from({ length: count }, () => 'a/x');
    for (const key of ['argv', 'env', 'collect'] as const) {
      const bound = RUN_BOUNDS[key];
      expect(parseRun(encodeRun({ ...base, [key]: many(bound) }))[key]).toHaveLength(bound);
      expect(() => encodeRun({ ...base, [key]: many(bound + 1) })).toThrow(RangeError);
    }
    expect(() => encodeRun({ ...base, argv: [] })).toThrow(RangeError);
    const live = { ...base, live: true, stdinBytes: 0 };
    expect(() => encodeRun({ ...live, stdinBytes: 1 })).toThrow(RangeError);
    expect(() => encodeRun({ ...base, argv: ['/'.repeat(MAX_PAYLOAD)] })).toThrow(RangeError);
    expect(() => encodeRun({ ...base, stdinBytes: 2 ** 40 + 1 })).toThrow(RangeError);
  });
});

describe('work paths', () => {
  const long = 'x'.repeat(255);
  it.each(['a', 'a/b', '.a', 'a..b/c', long, Array(32).fill('a').join('/')])('takes %j', (good) => {
    expect(toWorkPath(good)).toBe(good);
  });
  it.each(['', '/a', 'a/', 'a//b', '.', '..', 'a/../b', './a', 'a\0b', `${long}x`])(
    'refuses %j',
    (bad) => expect(() => toWorkPath(bad)).toThrow(RangeError),
  );
  it('refuses 33 components and 4097 bytes', () => {
    expect(() => toWorkPath(Array(33).fill('a').join('/'))).toThrow(RangeError);
    expect(() => toWorkPath(Array(17).fill(long.slice(0, 241)).join('/'))).toThrow(RangeError);
  });
});

function decode(stream: Uint8Array, cuts: readonly number[], allowed = TO_SERVICE): Frame[] {
  const decoder = new FrameDecoder(allowed);
  const edges = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
  const frames: Frame[] = [];
  for (const [at, from] of edges.slice(0, -1).entries()) {
    for (const frame of decoder.push(stream.subarray(from, edges[at + 1]))) {
      frames.push({ ...frame, payload: Buffer.from(frame.payload) });
    }
  }
  expect(decoder.isIdle).toBe(true);
  return frames;
}

describe('frame decoder', () => {
  it('cuts any stream at any place into the same frames', () => {
    const frame = fc.record({
      type: fc.constantFrom(FRAME.collected, FRAME.error),
      id: u32,
      payload: fc.uint8Array({ minLength: 4, maxLength: 300 }),
    });
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (frames, numbers) => {
          const stream = Buffer.concat(frames.map((f) => encodeFrame(f.type, f, f.payload)));
          const cuts = [...numbers.take(12)].map((n) => n % (stream.length + 1));
          const want = frames.map((f) => ({ ...f, flags: 0, payload: Buffer.from(f.payload) }));
          expect(decode(stream, cuts)).toEqual(want);
        },
      ),
    );
  });

  it('takes a payload of the maximum and refuses one more, for every type', () => {
    for (const rules of [TO_SERVICE, TO_SUPERVISOR]) {
      for (const [type, { min, max }] of rules) {
        const known = Object.values(FRAME).find((value) => value === type) ?? fail();
        const flags = known === FRAME.output ? OUTPUT_STDERR : 0;
        for (const size of [min, max]) {
          const whole = encodeFrame(known, { id: 0, flags }, Buffer.alloc(size));
          expect(decode(whole, [HEADER_BYTES, Math.trunc(size / 2)], rules)).toHaveLength(1);
        }
        const header = encodeHeader(known, { id: 0, length: 0 });
        for (const size of [min - 1, max + 1].filter((bytes) => bytes >= 0)) {
          header.writeUInt32LE(size, 0);
          expect(() => [...new FrameDecoder(rules).push(header)]).toThrow(Fault);
        }
      }
    }
    expect(() => encodeFrame(FRAME.file, { id: 0 }, Buffer.alloc(MAX_PAYLOAD + 1))).toThrow(
      RangeError,
    );
  });

  it('does not copy a payload that comes whole', () => {
    const stream = encodeFrame(FRAME.error, { id: 0 }, Buffer.from('abcd'));
    const [frame] = new FrameDecoder(TO_SERVICE).push(stream);
    expect(frame?.payload.buffer).toBe(stream.buffer);
  });

  it.each([
    ['an unknown type', 4, 0x99],
    ['a type of the other direction', 4, FRAME.run],
    ['unknown flags', 5, 0x80],
    ['a non-zero zero', 6, 1],
  ])('refuses %s', (_, offset, value) => {
    const header = encodeHeader(FRAME.clean, { id: 0, length: 0 });
    header.writeUInt8(value, offset);
    expect(() => decode(header, [])).toThrow(Fault);
  });
});

const golden = new URL('../../runners/golden/golden.txt', import.meta.url);

describe.skipIf(!existsSync(golden))('golden frames', () => {
  const lines = existsSync(golden)
    ? readFileSync(golden, 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => {
          const [name = '', from = '', hex = '', says = ''] = line.split(' | ');
          return { name, from, hex, says };
        })
    : [];
  it('has frames to read', () => expect(lines.length).toBeGreaterThan(20));

  it.each(lines)('$name', ({ from, hex, says }) => {
    const bytes = Buffer.from(hex, 'hex');
    // Its reader is the launcher; launch.test.ts writes it.
    if (from === 'launcher') return;
    const read = (): Buffer[] =>
      decode(bytes, [], from === 'service' ? TO_SUPERVISOR : TO_SERVICE).map(reencode);
    // Counts beyond 2^53 are valid on the wire; this side neither sends nor takes them.
    if (says.startsWith('bad=') || says.includes('9223372036854775813')) {
      expect(read).toThrow(Fault);
    } else {
      expect(read().map((frame) => frame.toString('hex'))).toEqual([hex]);
    }
  });
});

/** Parses and encodes a frame; equality of the bytes shows that both halves read every field alike. */
function reencode(frame: Frame): Buffer {
  const { type, id, flags, payload } = frame;
  const coders: Record<number, () => Uint8Array> = {
    [FRAME.run]: () => encodeRun(parseRun(payload)),
    [FRAME.file]: () => {
      const file = parseFile(payload);
      return Buffer.concat([encodeFileHead(file.path), file.content]);
    },
    [FRAME.hello]: () => encodeHello(parseHello(payload)),
    [FRAME.result]: () => encodeResult(parseResult(payload)),
    [FRAME.collected]: () => encodeCollected(parseCollected(payload)),
    [FRAME.clean]: () => encodeClean(parseClean(payload)),
    [FRAME.signal]: () => encodeSignal(parseSignal(payload)),
    [FRAME.taken]: () => encodeTaken(parseTaken(payload)),
    [FRAME.error]: () => encodeError(parseError(payload)),
  };
  const known = Object.values(FRAME).find((value) => value === type) ?? fail();
  return encodeFrame(known, { id, flags }, coders[type]?.() ?? payload);
}

function fail(): never {
  throw new Error('missing');
}
