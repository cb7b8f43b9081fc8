/**
 * The two directions of a live run: input that is sent while it executes, at most as much as the supervisor keeps
 * (protocol.md, "Live runs"), and output that is handed on as it comes, the channel waiting while its listener does.
 * Knows nothing of how the run ends.
 */
import type { Duplex } from 'node:stream';

import { FRAME, LIVE_BUFFER, OUTPUT_STDOUT, protocolFault } from './frame.ts';
import type { Frame } from './frame.ts';
import type { FrameWriter } from './frame-writer.ts';
import { encodeSignal } from './protocol.ts';

/** STDIN bytes of one frame; the buffer holds several, so that one is on its way while another is taken. */
const CHUNK_BYTES = 65_536;

/**
 * Takes output as it comes. Nothing more of the jail is read while a promise that it returned is pending; one that
 * rejects ends the jail.
 */
export type OutputListener = (
  stream: 'stdout' | 'stderr',
  bytes: Uint8Array,
) => Promise<void> | undefined;

interface LiveStreamOptions {
  readonly writer: FrameWriter;
  readonly channel: Duplex;
  readonly onOutput: OutputListener;
  readonly onError: (error: unknown) => void;
}

const DONE = Promise.resolve();

export class LiveStream {
  readonly #options: LiveStreamOptions;
  /** The run's number, 0 before its RUN is sent. */
  #id = 0;
  #sent = 0;
  #taken = 0;
  #isClosed = false;
  /** The run is over, and not only its input. */
  #hasEnded = false;
  #isDeaf = false;
  /** Answers of the listener that are awaited. */
  #pending = 0;
  /** Writes that wait for room, one after the other. */
  #queue: Promise<void> = DONE;
  #queued = 0;
  #room: PromiseWithResolvers<void> | null = null;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
  }

  /** RUN is sent: input may follow. */
  open(id: number): void {
    this.#id = id;
    this.#wake();
  }

  /** Nothing more is sent; writes that wait resolve. Output that is still to come is not waited for. */
  close(): void {
    this.#isClosed = true;
    this.#hasEnded = true;
    this.#wake();
    this.deafen();
  }

  /** The listener is told of nothing more, and the channel flows whatever it still waits for. */
  deafen(): void {
    this.#isDeaf = true;
    this.#options.channel.resume();
  }

  /** Undefined once it is sent; else resolves when it is, or when the run has ended and takes nothing more. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#isClosed || bytes.length === 0) return undefined;
    const isAtOnce = this.#queued === 0 && bytes.length <= CHUNK_BYTES && this.#fits(bytes.length);
    if (!isAtOnce) return this.#later(() => this.#writeAll(bytes));
    this.#send(bytes);
    return undefined;
  }

  /** The program reads end of file once it has read everything written before. */
  end(): void {
    const send = (): void => {
      if (!this.#isClosed) this.#options.writer.frame(FRAME.end, { id: this.#id });
      this.#isClosed = true;
    };
    if (this.#queued === 0 && this.#id !== 0) return send();
    void this.#later(async () => {
      await this.#until(() => this.#id !== 0);
      send();
    });
  }

  /** To the program, after what was written so far was sent; of no effect once the run has ended. */
  signal(signal: number): void {
    const send = (): void => {
      if (!this.#hasEnded)
        this.#options.writer.frame(FRAME.signal, { id: this.#id }, encodeSignal(signal));
    };
    if (this.#id !== 0) return send();
    void this.#later(async () => {
      await this.#until(() => this.#id !== 0);
      send();
    });
  }

  /** Takes a TAKEN frame's figure. */
  taken(bytes: number): void {
    if (bytes > this.#sent - this.#taken) throw protocolFault('TAKEN: more than was sent');
    this.#taken += bytes;
    this.#wake();
  }

  /** Takes an OUTPUT frame. */
  output({ flags, payload }: Frame): void {
    if (this.#isDeaf) return;
    const stream = flags === OUTPUT_STDOUT ? 'stdout' : 'stderr';
    const answer = this.#options.onOutput(stream, payload);
    if (answer === undefined) return;
    this.#pending += 1;
    this.#options.channel.pause();
    answer.then(() => this.#heard(), this.#options.onError);
  }

  #heard(): void {
    this.#pending -= 1;
    if (this.#pending === 0) this.#options.channel.resume();
  }

  #later(work: () => Promise<void>): Promise<void> {
    this.#queued += 1;
    this.#queue = this.#queue
      .then(work)
      .catch(this.#options.onError)
      .finally(() => {
        this.#queued -= 1;
      });
    return this.#queue;
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      const chunk = bytes.subarray(at, at + CHUNK_BYTES);
      await this.#until(() => this.#credit() >= chunk.length);
      if (this.#isClosed) return;
      await this.#options.writer.ready();
      if (this.#isClosed) return;
      this.#send(chunk);
    }
  }

  #fits(length: number): boolean {
    return this.#credit() >= length && !this.#options.channel.writableNeedDrain;
  }

  #credit(): number {
    return this.#id === 0 ? 0 : LIVE_BUFFER - (this.#sent - this.#taken);
  }

  #send(chunk: Uint8Array): void {
    this.#sent += chunk.length;
    this.#options.writer.frame(FRAME.stdin, { id: this.#id }, chunk);
  }

  /** Resolves when the condition holds or the stream is closed. */
  async #until(condition: () => boolean): Promise<void> {
    while (!this.#isClosed && !condition()) {
      this.#room ??= Promise.withResolvers();
      await this.#room.promise;
    }
  }

  #wake(): void {
    this.#room?.resolve();
    this.#room = null;
  }
}
