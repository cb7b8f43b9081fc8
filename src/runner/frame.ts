/**
 * The framing of the runner protocol (runners/protocol.md, "Frames"): frame types, headers, and the incremental
 * decoder. Owns nothing of the payloads' meaning. What comes in is untrusted: the first byte that is off ends
 * the channel, there is no resynchronisation.
 */
import { Fault } from '../domain/errors.ts';

export const PROTOCOL_VERSION = 1;
export const HEADER_BYTES = 12;
/** Payload bytes of one frame at most. */
export const MAX_PAYLOAD = 262_144;
/** Content bytes of an OUTPUT or COLLECTED frame at most. */
export const MAX_CHUNK = 65_536;
/** Input of a live run that is sent and not told of as taken, bytes at most. */
export const LIVE_BUFFER = 262_144;

export const FRAME = {
  file: 0x01,
  run: 0x02,
  stdin: 0x03,
  cancel: 0x04,
  reset: 0x05,
  end: 0x06,
  signal: 0x07,
  entry: 0x08,
  launch: 0x10,
  hello: 0x81,
  output: 0x83,
  collected: 0x84,
  result: 0x85,
  clean: 0x86,
  error: 0x87,
  taken: 0x88,
  tree: 0x89,
} as const;
export type FrameType = (typeof FRAME)[keyof typeof FRAME];

/** `FILE` flags. */
export const FILE_APPEND = 1;
export const FILE_EXECUTABLE = 2;
/** `OUTPUT` flags. */
export const OUTPUT_STDOUT = 1;
export const OUTPUT_STDERR = 2;
/** `COLLECTED` flag. */
export const COLLECTED_MORE = 1;
/** `TREE` flags. */
export const TREE_MORE = 1;
export const TREE_CONTINUED = 2;

/** What a frame of one type may look like. */
interface FrameRule {
  /** Mask of the flags it may carry. */
  readonly flags: number;
  /** Whether it must carry exactly one of them. */
  readonly isOneFlag?: true;
  /** Payload bytes, inclusive. */
  readonly min: number;
  readonly max: number;
}

/** What each side may send, by type. */
export type FrameRules = ReadonlyMap<number, FrameRule>;

const NAME_BYTES = 64;
const PATH_BYTES = 4096;
const TARGET_BYTES = 4095;
const ENTRY_FIXED = 13;
const ERROR_TEXT_BYTES = 1024;

export const TO_SUPERVISOR: FrameRules = new Map([
  [FRAME.file, { flags: FILE_APPEND | FILE_EXECUTABLE, min: 3, max: MAX_PAYLOAD }],
  [FRAME.run, { flags: 0, min: 84, max: MAX_PAYLOAD }],
  [FRAME.stdin, { flags: 0, min: 1, max: MAX_PAYLOAD }],
  [FRAME.cancel, { flags: 0, min: 0, max: 0 }],
  [FRAME.reset, { flags: 0, min: 0, max: 0 }],
  [FRAME.end, { flags: 0, min: 0, max: 0 }],
  [FRAME.signal, { flags: 0, min: 4, max: 4 }],
  [FRAME.entry, { flags: 0, min: ENTRY_FIXED + 1, max: ENTRY_FIXED + PATH_BYTES + TARGET_BYTES }],
]);
export const TO_SERVICE: FrameRules = new Map([
  [FRAME.hello, { flags: 0, min: 22, max: 22 + NAME_BYTES }],
  [FRAME.output, { flags: OUTPUT_STDOUT | OUTPUT_STDERR, isOneFlag: true, min: 1, max: MAX_CHUNK }],
  [FRAME.collected, { flags: COLLECTED_MORE, min: 4, max: 4 + MAX_CHUNK }],
  [FRAME.result, { flags: 0, min: 88, max: 88 }],
  [FRAME.clean, { flags: 0, min: 24, max: 24 }],
  [FRAME.taken, { flags: 0, min: 4, max: 4 }],
  [
    FRAME.tree,
    { flags: TREE_MORE | TREE_CONTINUED, min: 1, max: ENTRY_FIXED + PATH_BYTES + MAX_CHUNK },
  ],
  [FRAME.error, { flags: 0, min: 4, max: 4 + ERROR_TEXT_BYTES }],
]);

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  /** May be a view into the chunk it came in. */
  readonly payload: Uint8Array;
}

/** A header alone, for payloads that are written apart from it. `length` is the payload's, bytes. */
export function encodeHeader(
  type: FrameType,
  fields: { readonly id: number; readonly flags?: number; readonly length: number },
): Buffer {
  if (fields.length > MAX_PAYLOAD) throw new RangeError('the payload exceeds one frame');
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(fields.length, 0);
  header.writeUInt8(type, 4);
  header.writeUInt8(fields.flags ?? 0, 5);
  header.writeUInt32LE(fields.id, 8);
  return header;
}

/** A whole frame as one buffer. Throws RangeError for a payload above `MAX_PAYLOAD`. */
export function encodeFrame(
  type: FrameType,
  fields: { readonly id: number; readonly flags?: number },
  payload: Uint8Array = new Uint8Array(0),
): Buffer {
  return Buffer.concat([encodeHeader(type, { ...fields, length: payload.length }), payload]);
}

/** A protocol error of the peer, as a fault. */
export function protocolFault(detail: string, cause?: unknown): Fault {
  return new Fault('protocol_error', detail, cause === undefined ? undefined : { cause });
}

interface Header {
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  readonly id: number;
}

/**
 * Cuts a byte stream into frames. Holds at most one header and one payload; a payload that lies whole in one
 * chunk is not copied. `allowed` are the rules of what the peer may send.
 */
export class FrameDecoder {
  readonly #allowed: FrameRules;
  readonly #headerBytes = Buffer.alloc(HEADER_BYTES);
  #headerFill = 0;
  #header: Header | null = null;
  #payload: Buffer | null = null;
  #payloadFill = 0;

  constructor(allowed: FrameRules) {
    this.#allowed = allowed;
  }

  /** True between frames: an end of the stream here cuts nothing. */
  get isIdle(): boolean {
    return this.#headerFill === 0 && this.#header === null;
  }

  /** Yields the frames that `chunk` completes, in order. Throws `Fault('protocol_error')`. */
  *push(chunk: Uint8Array): Generator<Frame, void, void> {
    let at = 0;
    for (;;) {
      if (this.#header === null) {
        const take = Math.min(HEADER_BYTES - this.#headerFill, chunk.length - at);
        this.#headerBytes.set(chunk.subarray(at, at + take), this.#headerFill);
        this.#headerFill += take;
        at += take;
        if (this.#headerFill < HEADER_BYTES) return;
        this.#headerFill = 0;
        this.#header = this.#parseHeader();
      }
      const header = this.#header;
      const available = chunk.length - at;
      let payload: Uint8Array;
      if (this.#payload === null && available >= header.length) {
        payload = chunk.subarray(at, at + header.length);
        at += header.length;
      } else {
        this.#payload ??= Buffer.allocUnsafe(header.length);
        const take = Math.min(header.length - this.#payloadFill, available);
        this.#payload.set(chunk.subarray(at, at + take), this.#payloadFill);
        this.#payloadFill += take;
        at += take;
        if (this.#payloadFill < header.length) return;
        payload = this.#payload;
        this.#payload = null;
        this.#payloadFill = 0;
      }
      this.#header = null;
      yield { type: header.type, flags: header.flags, id: header.id, payload };
    }
  }

  #parseHeader(): Header {
    const bytes = this.#headerBytes;
    const header = {
      length: bytes.readUInt32LE(0),
      type: bytes.readUInt8(4),
      flags: bytes.readUInt8(5),
      id: bytes.readUInt32LE(8),
    };
    const rule = this.#allowed.get(header.type);
    if (rule === undefined) throw protocolFault(`frame type ${header.type} is not allowed here`);
    const isOne = rule.isOneFlag !== true || (header.flags !== 0 && header.flags !== rule.flags);
    if ((header.flags & ~rule.flags) !== 0 || !isOne) {
      throw protocolFault(`frame type ${header.type} with flags ${header.flags}`);
    }
    if (bytes.readUInt16LE(6) !== 0) throw protocolFault('a header field that must be 0 is not');
    if (header.length < rule.min || header.length > rule.max) {
      throw protocolFault(`frame type ${header.type} with ${header.length} bytes`);
    }
    return header;
  }
}
