/**
 * A list of byte chunks that is joined once. Small chunks are copied together, so that a writer of single
 * bytes costs a few bytes of memory each and not one object each; large chunks are kept as they are.
 */

const BLOCK_BYTES = 16 * 1024;
const SMALL_BYTES = 4 * 1024;

export class ByteList {
  readonly #chunks: Uint8Array[] = [];
  #tail: Buffer | null = null;
  #tailBytes = 0;
  #length = 0;

  /** Bytes appended so far. */
  get length(): number {
    return this.#length;
  }

  /** Appends a chunk; the caller must not change it afterwards. */
  append(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (chunk.length >= SMALL_BYTES) {
      this.#seal();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#tail === null || this.#tailBytes + chunk.length > BLOCK_BYTES) {
      this.#seal();
      this.#tail = Buffer.allocUnsafe(this.#length <= SMALL_BYTES ? SMALL_BYTES : BLOCK_BYTES);
    }
    if (this.#tailBytes + chunk.length > this.#tail.length) {
      const bigger = Buffer.allocUnsafe(BLOCK_BYTES);
      this.#tail.copy(bigger, 0, 0, this.#tailBytes);
      this.#tail = bigger;
    }
    this.#tail.set(chunk, this.#tailBytes);
    this.#tailBytes += chunk.length;
  }

  /** Everything as one array of its own. The list is empty afterwards. */
  join(): Uint8Array {
    this.#seal();
    const chunks = this.#chunks.splice(0);
    const joined = new Uint8Array(this.#length);
    this.#length = 0;
    let at = 0;
    for (const chunk of chunks) {
      joined.set(chunk, at);
      at += chunk.length;
    }
    return joined;
  }

  #seal(): void {
    if (this.#tail !== null) this.#chunks.push(this.#tail.subarray(0, this.#tailBytes));
    this.#tail = null;
    this.#tailBytes = 0;
  }
}
