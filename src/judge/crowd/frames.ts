/**
 * How the channels of several processes share the two pipes of a manager's jail (runners/checkers/manager.h): frames of
 * channel, kind and length, u8, u8 and u16 little-endian, with data behind those of the kind data. Pure. The other end is
 * a program of the problem's author, so what it sends is checked.
 */
import { Fault } from '../../domain/errors.ts';

/** What each side may send of a channel before the other has said that it took it, bytes. */
export const WINDOW_BYTES = 32_768;
const HEADER_BYTES = 4;
const KINDS = ['data', 'end', 'credit'] as const;
type Kind = (typeof KINDS)[number];

export interface Frame {
  /** From 0. */
  readonly channel: number;
  readonly kind: Kind;
  /** Of data the bytes of it, of credit those that were taken. */
  readonly length: number;
  /** Empty but for data. */
  readonly data: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** A frame's bytes. Precondition: at most a window of data or credit. */
export function encodeFrame(
  channel: number,
  kind: Kind,
  { data = NOTHING, credit = 0 }: { readonly data?: Uint8Array; readonly credit?: number } = {},
): Uint8Array {
  const length = kind === 'data' ? data.length : credit;
  const bytes = new Uint8Array(HEADER_BYTES + data.length);
  bytes.set([channel, KINDS.indexOf(kind), length & 255, length >> 8]);
  bytes.set(data, HEADER_BYTES);
  return bytes;
}

/** Reads frames from pieces of a stream; keeps less than one frame. */
export class FrameReader {
  readonly #channels: number;
  #rest: Uint8Array = NOTHING;

  constructor(channels: number) {
    this.#channels = channels;
  }

  /** The frames that are whole by now, their data copied. Throws Fault `interactor_failed` for what is none. */
  push(piece: Uint8Array): Frame[] {
    const bytes = Buffer.concat([this.#rest, piece]);
    const frames: Frame[] = [];
    let at = 0;
    while (bytes.length - at >= HEADER_BYTES) {
      const channel = bytes.readUInt8(at);
      const kind = KINDS[bytes.readUInt8(at + 1)];
      const length = bytes.readUInt16LE(at + 2);
      if (channel >= this.#channels || kind === undefined || length > WINDOW_BYTES)
        throw new Fault('interactor_failed', 'it wrote to the channel of its FIFOs');
      const end = at + HEADER_BYTES + (kind === 'data' ? length : 0);
      if (bytes.length < end) break;
      frames.push({ channel, kind, length, data: bytes.subarray(at + HEADER_BYTES, end) });
      at = end;
    }
    this.#rest = bytes.subarray(at);
    return frames;
  }
}
