/**
 * Little-endian binary records: a writer that grows and a reader that never reads past its end. Knows no
 * protocol; `runner/protocol` and the launcher's records are built on it.
 */

/** Thrown by `ByteReader` when a record is shorter or longer than its fields, or holds a number out of range. */
export class BinaryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BinaryError';
  }
}

/** Appends little-endian fields to a buffer that doubles as needed. */
export class ByteWriter {
  #buffer: Buffer;
  #length = 0;

  constructor(capacity = 256) {
    this.#buffer = Buffer.allocUnsafe(capacity);
  }

  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    const at = this.#grow(1);
    this.#buffer.writeUInt8(value, at);
    return this;
  }

  u16(value: number): this {
    const at = this.#grow(2);
    this.#buffer.writeUInt16LE(value, at);
    return this;
  }

  u32(value: number): this {
    const at = this.#grow(4);
    this.#buffer.writeUInt32LE(value, at);
    return this;
  }

  i32(value: number): this {
    const at = this.#grow(4);
    this.#buffer.writeInt32LE(value, at);
    return this;
  }

  /** A safe integer ≥ 0; throws RangeError otherwise. */
  u64(value: number): this {
    if (!Number.isSafeInteger(value)) throw new RangeError('a 64-bit field takes safe integers');
    const at = this.#grow(8);
    this.#buffer.writeBigUInt64LE(BigInt(value), at);
    return this;
  }

  bytes(value: Uint8Array): this {
    const at = this.#grow(value.length);
    this.#buffer.set(value, at);
    return this;
  }

  /** The bytes written so far; a view, so the writer is done with. */
  finish(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(count: number): number {
    const at = this.#length;
    const needed = at + count;
    if (needed > this.#buffer.length) {
      const bigger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
      this.#buffer.copy(bigger, 0, 0, at);
      this.#buffer = bigger;
    }
    this.#length = needed;
    return at;
  }
}

/** Reads little-endian fields; every method throws `BinaryError` instead of reading past the end. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#buffer.length - this.#at;
  }

  u8(): number {
    return this.#buffer.readUInt8(this.#take(1));
  }

  u16(): number {
    return this.#buffer.readUInt16LE(this.#take(2));
  }

  u32(): number {
    return this.#buffer.readUInt32LE(this.#take(4));
  }

  i32(): number {
    return this.#buffer.readInt32LE(this.#take(4));
  }

  /** A 64-bit unsigned field as a number; values beyond 2^53 − 1 are an error. */
  u64(): number {
    const value = this.#buffer.readBigUInt64LE(this.#take(8));
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new BinaryError('a number is too large');
    return Number(value);
  }

  /** The next `count` bytes, not copied. */
  bytes(count: number): Uint8Array {
    const at = this.#take(count);
    return this.#buffer.subarray(at, at + count);
  }

  /** All that is left, not copied. */
  rest(): Uint8Array {
    return this.bytes(this.remaining);
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.remaining !== 0) throw new BinaryError(`${this.remaining} bytes too many`);
  }

  #take(count: number): number {
    if (count > this.remaining) throw new BinaryError('a record ends too early');
    const at = this.#at;
    this.#at += count;
    return at;
  }
}
