/**
 * Test runner and candidate in two jails, and what passes between them. The candidate's bytes are carried and never
 * read; the test runner's messages are read, for only it says what became of a test. A candidate that ends is told to
 * the test runner, which may ask for another one. Knows nothing of verdicts.
 */
import { Fault, toFault } from '../../domain/errors.ts';
import type { RawExit } from '../../domain/outcome.ts';
import type { Conversation } from '../../runner/link.ts';
import type { OutputListener } from '../../runner/live-stream.ts';
import type { RunSpec } from '../../runner/pending-run.ts';
import type { Session } from '../../runner/session.ts';
import { encodeGeneration, encodeMessage, MessageDecoder, type Message } from './envelope.ts';

/** Of the candidate's stderr that is kept. */
const STDERR_BYTES = 64 * 1024;

interface RelayOptions {
  readonly candidate: { readonly session: Session; readonly spec: RunSpec };
  readonly tests: { readonly session: Session; readonly spec: RunSpec };
  /** What one process of the candidate's may print, bytes; its answers go another way. */
  readonly printedBytes: number;
  /** Body of the first message to the test runner. */
  readonly document: Uint8Array;
  readonly signal: AbortSignal;
  /** Told of every message that is not about the way there; `generation` is the candidate it speaks of. */
  readonly onMessage: (message: Message, generation: number) => void;
}

/** One process of the candidate's. */
export interface CandidateEnd {
  /** Its cause is `output` where it printed too much, however it ended. */
  readonly raw: RawExit;
  readonly stderr: Uint8Array;
  /** Whether it was ended because nobody needed it any more. */
  readonly isDismissed: boolean;
}

export interface RelayEnd {
  readonly tests: RawExit;
  /** By generation, from 1. */
  readonly candidates: readonly CandidateEnd[];
  /** Whether the candidate said anything at all, and since the test runner's last report. */
  readonly heard: Heard;
}

export interface Heard {
  readonly ever: boolean;
  readonly lately: boolean;
}

interface Candidate {
  readonly talk: Conversation;
  readonly stderr: Buffer[];
  stderrBytes: number;
  isDismissed: boolean;
  /** Resolves once it has ended; never rejects. */
  readonly ended: Promise<void>;
}

export class Relay {
  readonly #options: RelayOptions;
  readonly #decoder = new MessageDecoder();
  readonly #candidates: CandidateEnd[] = [];
  #tests: Conversation | null = null;
  #candidate: Candidate | null = null;
  /** Of the candidate that the test runner has asked for; 0 before it asked. */
  #generation = 0;
  #heard: Heard = { ever: false, lately: false };
  #failure: Error | null = null;
  /** Messages that could not be dealt with at once, one after the other. */
  #work: Promise<void> | null = null;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Runs both to their ends. Throws faults and the signal's reason; both jails are then free of runs, or broken. */
  async run(): Promise<RelayEnd> {
    const { tests, document, signal } = this.#options;
    // Both at once: the candidate loads while the test runner reads its tests.
    this.#candidate = this.#start();
    this.#tests = tests.session.converse(tests.spec, { onOutput: this.#onTests, signal });
    void this.#tests.write(encodeMessage('T', document));
    try {
      const exit = await this.#tests.exit;
      await this.#work;
      await this.#dismiss();
      if (this.#failure !== null) throw this.#failure;
      return {
        tests: exit,
        candidates: this.#candidates,
        heard: this.#heard,
      };
    } finally {
      if (this.#candidate !== null) await this.#dismiss();
    }
  }

  /** The verdict is known: both may end now. */
  finish(): void {
    if (this.#candidate !== null) this.#cancel(this.#candidate);
  }

  #start(): Candidate {
    const { session, spec } = this.#options.candidate;
    const stderr: Buffer[] = [];
    const onOutput: OutputListener = (stream, bytes) => {
      if (stream === 'stdout') return this.#fromCandidate(candidate, bytes);
      const before = candidate.stderrBytes;
      if (before < STDERR_BYTES) stderr.push(Buffer.from(bytes.subarray(0, STDERR_BYTES - before)));
      candidate.stderrBytes += bytes.length;
      const { printedBytes } = this.#options;
      if (before <= printedBytes && candidate.stderrBytes > printedBytes) session.cancel();
      return undefined;
    };
    const talk = session.converse(spec, { onOutput, signal: this.#options.signal });
    const ended = talk.exit.then(
      (raw) => this.#onEnd(candidate, raw),
      (error: unknown) => this.#fail(error),
    );
    const candidate: Candidate = { talk, stderr, stderrBytes: 0, isDismissed: false, ended };
    return candidate;
  }

  #onEnd(candidate: Candidate, ended: RawExit): void {
    const { isDismissed } = candidate;
    const isFlooding = candidate.stderrBytes > this.#options.printedBytes;
    const raw: RawExit = isFlooding ? { ...ended, cause: 'output' } : ended;
    this.#candidates.push({ raw, stderr: Buffer.concat(candidate.stderr), isDismissed });
    if (this.#candidate !== candidate || isDismissed) return;
    this.#candidate = null;
    if (this.#generation === this.#candidates.length) this.#tellEnd();
  }

  #tellEnd(): void {
    void this.#tests?.write(encodeMessage('X', encodeGeneration(this.#generation)));
  }

  #fromCandidate(candidate: Candidate, bytes: Uint8Array): Promise<void> | undefined {
    // It speaks when it is asked; before that there is nobody to hear it.
    if (this.#candidate !== candidate || this.#generation === 0) return undefined;
    this.#heard = { ever: true, lately: true };
    return this.#tests?.write(encodeMessage('F', encodeGeneration(this.#generation), bytes));
  }

  readonly #onTests: OutputListener = (stream, bytes) => {
    if (stream === 'stderr') return undefined;
    try {
      for (const message of this.#decoder.push(bytes)) {
        const { letter, body } = message;
        // What came in the chunk is a view of it; what waits must not depend on it, so it is dealt with in order.
        if (this.#work !== null) this.#later(() => this.#take(letter, body));
        else {
          const pending = this.#take(letter, body);
          if (pending !== undefined) this.#later(() => pending);
        }
      }
    } catch (error) {
      this.#fail(error);
    }
    return this.#work ?? undefined;
  };

  #later(work: () => Promise<void> | undefined): void {
    const before = this.#work ?? Promise.resolve();
    const next: Promise<void> = before
      .then(work)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        if (this.#work === next) this.#work = null;
      });
    this.#work = next;
  }

  #take(letter: string, body: Buffer): Promise<void> | undefined {
    if (letter === 'C') return this.#candidate?.talk.write(body);
    if (letter === 'N') return this.#renew();
    if (letter === 'R') this.#heard = { ...this.#heard, lately: false };
    this.#options.onMessage({ letter, body }, this.#generation);
    return undefined;
  }

  /** The first candidate is there already; each later one takes the place of the one before it. */
  #renew(): Promise<void> | undefined {
    this.#generation += 1;
    if (this.#generation === 1) {
      if (this.#candidate === null) this.#tellEnd();
      return undefined;
    }
    return this.#dismiss().then(() => {
      if (this.#candidates.length !== this.#generation - 1) {
        throw new Fault('test_runner_failed', 'it counts candidates that there were not');
      }
      this.#candidate = this.#start();
    });
  }

  async #dismiss(): Promise<void> {
    const candidate = this.#candidate;
    if (candidate === null) return;
    this.#cancel(candidate);
    await candidate.ended;
    if (this.#candidate === candidate) this.#candidate = null;
  }

  #cancel(candidate: Candidate): void {
    if (candidate.isDismissed) return;
    candidate.isDismissed = true;
    this.#options.candidate.session.cancel();
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : toFault(error);
    this.#options.tests.session.cancel();
    this.#options.candidate.session.cancel();
  }
}
