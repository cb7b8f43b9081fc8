/** The arguments of pickle's opcodes, read from bytes and never past their end. Knows no opcode. */
import { isUtf8 } from 'node:buffer';

import { readString } from './python-string.ts';
import { DecodeError } from './value.ts';

/** Bytes of an integer of 4300 digits, more than which no test runner reads. */
const INTEGER_BYTES_MAX = 1800;
const LINE_BYTES_MAX = 1 << 20;

export class PickleReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The next bytes, not copied. */
  bytes(count: number): Buffer {
    if (count > this.#buffer.length - this.#at) throw new DecodeError('a pickle that is cut short');
    const at = this.#at;
    this.#at += count;
    return this.#buffer.subarray(at, at + count);
  }

  byte(): number {
    const value = this.#buffer[this.#at];
    if (value === undefined) throw new DecodeError('a pickle that is cut short');
    this.#at += 1;
    return value;
  }

  unsigned(count: 2 | 4 | 8): number {
    const bytes = this.bytes(count);
    if (count < 8) return bytes.readUIntLE(0, count);
    const value = bytes.readBigUInt64LE(0);
    if (value > BigInt(this.#buffer.length)) throw new DecodeError('a pickle that is cut short');
    return Number(value);
  }

  signed32(): number {
    return this.bytes(4).readInt32LE(0);
  }

  double(): number {
    return this.bytes(8).readDoubleBE(0);
  }

  /** A little-endian two's complement integer, as decimal text. */
  integer(count: number): string {
    if (count > INTEGER_BYTES_MAX)
      throw new DecodeError('a pickle with an integer that is too long');
    if (count === 0) return '0';
    const hex = Buffer.from(this.bytes(count).toReversed()).toString('hex');
    return BigInt.asIntN(count * 8, BigInt(`0x${hex}`)).toString();
  }

  text(count: number): string {
    const bytes = this.bytes(count);
    // Python writes a lone surrogate as three bytes that are no UTF-8.
    if (!isUtf8(bytes)) throw new DecodeError('a pickle with text that is not UTF-8');
    return bytes.toString('utf8');
  }

  /** Up to the end of the line, which is taken too. */
  line(): string {
    const end = this.#buffer.indexOf(0x0a, this.#at);
    if (end === -1 || end - this.#at > LINE_BYTES_MAX)
      throw new DecodeError('a pickle with a line that does not end');
    const line = this.bytes(end - this.#at).toString('latin1');
    this.#at += 1;
    return line;
  }

  /** Key of the memo, in text. */
  index(): number {
    const line = this.line();
    if (!/^\d{1,9}$/.test(line)) throw new DecodeError('a pickle with a wrong memo key');
    return Number(line);
  }

  /** Text of protocol 0: `\uXXXX` and `\UXXXXXXXX` are its only escapes. */
  escapedLine(): string {
    return this.line().replaceAll(
      /\\u([\da-fA-F]{4})|\\U(00(?:0[\da-fA-F]|10)[\da-fA-F]{4})/g,
      (_all, short?: string, long?: string) =>
        String.fromCodePoint(Number.parseInt(short ?? long ?? '', 16)),
    );
  }

  /** A quoted string of protocol 0. */
  quotedLine(): string {
    const line = this.line();
    if (!/^['"]/.test(line)) throw new DecodeError('a pickle with a string that is not quoted');
    const { value, end } = readString(line, 0);
    if (typeof value !== 'string' || end !== line.length)
      throw new DecodeError('a pickle with a string that is not quoted');
    return value;
  }
}
