/**
 * A conversation with one supervisor over its jail's channel: staging a program, up to two runs under way,
 * cancel, reset. What its users see; the work is the link's. Knows nothing of tests, verdicts or languages.
 */
import { strict as assert } from 'node:assert';

import { Fault } from '../domain/errors.ts';
import type { RawExit } from '../domain/outcome.ts';
import type { Jail } from '../sandbox/port.ts';
import type { StagedFile } from './frame-writer.ts';
import { Link, type Conversation, type SessionOptions } from './link.ts';
import type { OutputListener } from './live-stream.ts';
import type { RunSpec } from './pending-run.ts';
import type { CleanReport, Hello } from './protocol.ts';

export class Session {
  /** What the supervisor said of itself and of the clean jail. */
  readonly hello: Hello;
  readonly #link: Link;

  private constructor(hello: Hello, link: Link) {
    this.hello = hello;
    this.#link = link;
  }

  /**
   * Waits for the supervisor's HELLO. Throws `Fault('jail_start_failed')` when it does not come, or
   * `Fault('protocol_error')`; the jail is closed then.
   */
  static async open(jail: Jail, options: SessionOptions): Promise<Session> {
    const link = new Link(jail, options);
    return new Session(await link.hello(), link);
  }

  /** Null while the session works, otherwise why it ended. */
  get failure(): Fault | null {
    return this.#link.failure;
  }

  /** False as soon as the jail's channel has ended, while why it did is still being found out. */
  get isOpen(): boolean {
    return this.#link.isOpen;
  }

  /** Sends files of the program. Precondition: no run is under way. Throws faults. */
  stage(files: readonly StagedFile[]): Promise<void> {
    return this.#link.stage(files);
  }

  /**
   * Executes the program once. Two runs may be under way and one more may wait; a fourth is an assertion error.
   * An abort of the signal cancels like `cancel()`. Throws faults, and RangeError for a spec beyond the
   * protocol's bounds; what the program does is data.
   */
  run(spec: RunSpec, options: { readonly signal?: AbortSignal } = {}): Promise<RawExit> {
    return this.#link.run(spec, options.signal);
  }

  /**
   * Executes the program once, with its input open; nothing else may be under way. Its wall limit goes on whoever it
   * waits for: a second after it, output that the listener still keeps waiting is dropped. `cancel()` and the signal end it.
   */
  converse(
    spec: RunSpec,
    options: { readonly onOutput: OutputListener; readonly signal?: AbortSignal },
  ): Conversation {
    assert(this.hello.features.live && spec.stdin.length === 0, 'no live run is possible');
    return this.#link.converse(spec, options.onOutput, options.signal);
  }

  /** Ends all runs under way; they answer with cause `cancelled`, unless they had already ended. */
  cancel(): void {
    this.#link.cancel();
  }

  /** Makes the supervisor forget the program and check the jail. Precondition: no run is under way. */
  reset(): Promise<CleanReport> {
    return this.#link.reset();
  }

  /** Ends the jail; runs under way are rejected with `Fault('jail_died')`. Idempotent. */
  async close(): Promise<void> {
    await this.#link.end(new Fault('jail_died', 'the service closed the jail'));
  }
}
