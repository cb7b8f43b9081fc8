/**
 * What the service and the test runner say to each other: four bytes of length, one letter, the body
 * (runners/python/split/remote.py). The candidate has no part in it: its bytes travel inside `F` and mean nothing here.
 */
import { Fault } from '../../domain/errors.ts';

const HEAD_BYTES = 5;
/** Of one message of the test runner's. Calls come in pieces, so only lists of test ids are long. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** From the test runner. */
export interface Message {
  readonly letter: string;
  readonly body: Buffer;
}

export function encodeMessage(letter: 'T' | 'F' | 'X', ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 1);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(length, 0);
  head.write(letter, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}

/** The number of a candidate's process, as the test runner counts them. */
export function encodeGeneration(generation: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(generation, 0);
  return bytes;
}

/** Cuts the test runner's stream into messages. */
export class MessageDecoder {
  #rest: Buffer = Buffer.alloc(0);

  *push(chunk: Uint8Array): Generator<Message, void, void> {
    let bytes = this.#rest.length === 0 ? toBuffer(chunk) : Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= HEAD_BYTES) {
      const length = bytes.readUInt32BE(0);
      if (length < 1 || length > BODY_BYTES_MAX) {
        throw new Fault('test_runner_failed', `a message of ${length} bytes`);
      }
      if (bytes.length < 4 + length) break;
      const letter = bytes.toString('latin1', 4, 5);
      const body = bytes.subarray(HEAD_BYTES, 4 + length);
      bytes = bytes.subarray(4 + length);
      this.#rest = bytes;
      yield { letter, body };
    }
    this.#rest = bytes;
  }
}

function toBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
