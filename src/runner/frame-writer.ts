/** Writes frames to a channel and waits when its buffer is full, so that large inputs are never queued whole. */
import type { Duplex } from 'node:stream';

import { Fault } from '../domain/errors.ts';
import type { WorkEntry } from '../domain/workspace.ts';
import type { Clock } from '../lib/clock.ts';
import { FILE_APPEND, FILE_EXECUTABLE, FRAME, MAX_PAYLOAD, encodeHeader } from './frame.ts';
import type { FrameType } from './frame.ts';
import { encodeFileHead } from './protocol.ts';
import { encodeEntry } from './tree.ts';

/** STDIN bytes of one frame; small enough that a cancel soon finds a gap between two frames. */
const STDIN_CHUNK_BYTES = 65_536;

/** A file to write into the work folder. */
export interface StagedFile {
  /** Relative, by the rules of runners/protocol.md. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly executable: boolean;
}

export interface StdinWatch {
  readonly isStopped: () => boolean;
  /** Called in the same turn as the last frame is written: its answer may come before anything else happens. */
  readonly onHandedOver: () => void;
}

interface FrameFields {
  readonly id: number;
  readonly flags?: number;
}

export class FrameWriter {
  readonly #channel: Duplex;
  readonly #clock: Clock;
  readonly #drainTimeoutMs: number;
  #failure: Fault | null = null;
  #drained: PromiseWithResolvers<void> | null = null;

  constructor(
    channel: Duplex,
    options: { readonly clock: Clock; readonly drainTimeoutMs: number },
  ) {
    this.#channel = channel;
    this.#clock = options.clock;
    this.#drainTimeoutMs = options.drainTimeoutMs;
  }

  /** The channel's `drain` event; the owner of the channel's listeners calls it. */
  onDrain(): void {
    this.#drained?.resolve();
    this.#drained = null;
  }

  /** Ends a wait for `drain`, and every later write, with this fault. */
  fail(fault: Fault): void {
    this.#failure ??= fault;
    this.#drained?.reject(fault);
    this.#drained = null;
  }

  /** Hands one frame to the channel at once, without waiting. */
  frame(type: FrameType, fields: FrameFields, ...parts: readonly Uint8Array[]): void {
    if (this.#failure !== null) throw this.#failure;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const channel = this.#channel;
    channel.cork();
    channel.write(encodeHeader(type, { ...fields, length }));
    for (const part of parts) if (part.length > 0) channel.write(part);
    channel.uncork();
  }

  /**
   * Resolves when the channel takes more. Throws `Fault('jail_unresponsive')` when it took nothing for the
   * whole drain time-out.
   */
  async ready(): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (!this.#channel.writableNeedDrain) return;
    this.#drained ??= Promise.withResolvers();
    const { promise, reject } = this.#drained;
    const timer = this.#clock.after(this.#drainTimeoutMs, () =>
      reject(new Fault('jail_unresponsive', `no input was taken for ${this.#drainTimeoutMs} ms`)),
    );
    try {
      await promise;
    } finally {
      timer.cancel();
    }
  }

  /** Sends one file as FILE frames. */
  async file(id: number, file: StagedFile): Promise<void> {
    const head = encodeFileHead(file.path);
    const room = MAX_PAYLOAD - head.length;
    const mode = file.executable ? FILE_EXECUTABLE : 0;
    for (let at = 0; at === 0 || at < file.content.length; at += room) {
      const flags = mode | (at === 0 ? 0 : FILE_APPEND);
      this.frame(FRAME.file, { id, flags }, head, file.content.subarray(at, at + room));
      await this.ready();
    }
  }

  /** Sends a work folder: contents, and folders last, whose times would not outlast what is put into them. */
  async tree(id: number, entries: readonly WorkEntry[]): Promise<void> {
    for (const entry of entries) {
      if (entry.kind === 'folder') continue;
      if (entry.kind === 'file') await this.file(id, { ...entry, executable: false });
      this.frame(FRAME.entry, { id }, encodeEntry(entry));
      await this.ready();
    }
    for (const entry of entries) {
      if (entry.kind !== 'folder') continue;
      this.frame(FRAME.entry, { id }, encodeEntry(entry));
      await this.ready();
    }
  }

  /** Sends a run's input; stops between two frames once `isStopped` says so. */
  async stdin(id: number, content: Uint8Array, watch: StdinWatch): Promise<void> {
    for (let at = 0; at < content.length; at += STDIN_CHUNK_BYTES) {
      await this.ready();
      if (watch.isStopped()) return;
      this.frame(FRAME.stdin, { id }, content.subarray(at, at + STDIN_CHUNK_BYTES));
    }
    watch.onHandedOver();
  }
}
