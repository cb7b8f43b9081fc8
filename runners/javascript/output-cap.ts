/** What a run wrote, up to its cap and one byte: that byte tells that there was more. */

const STREAMS = ['stdout', 'stderr'] as const;
export type Stream = (typeof STREAMS)[number];

export class OutputCap {
  readonly #cap: number;
  readonly #parts: Record<Stream, Buffer[]> = { stdout: [], stderr: [] };
  readonly #lengths: Record<Stream, number> = { stdout: 0, stderr: 0 };

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** True once a stream has more than the cap. */
  get isOver(): boolean {
    return STREAMS.some((stream) => this.#lengths[stream] > this.#cap);
  }

  add(stream: Stream, text: string): void {
    if (text === '' || this.isOver) return;
    const bytes = Buffer.from(text, 'utf8').subarray(0, this.#cap + 1 - this.#lengths[stream]);
    this.#parts[stream].push(bytes);
    this.#lengths[stream] += bytes.length;
  }

  /** At most the cap and one. */
  bytes(stream: Stream): Buffer {
    return Buffer.concat(this.#parts[stream]);
  }
}
