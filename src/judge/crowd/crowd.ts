/**
 * Several runs of a program and one manager, each in a jail of its own, joined through the service. Owns the channels
 * between them: a run that floods, or does not read, holds up itself, never the others or the service, which keeps a
 * window of each channel at most. Knows nothing of verdicts.
 */
import { Fault, toFault } from '../../domain/errors.ts';
import type { RawExit } from '../../domain/outcome.ts';
import type { Timer } from '../../lib/clock.ts';
import type { Conversation } from '../../runner/link.ts';
import { Heard, LAST_WORDS_MS, type Rules, type Speaker, type Spoken } from '../conversation.ts';
import { encodeFrame, FrameReader, WINDOW_BYTES, type Frame } from './frames.ts';

/**
 * Lets all talk until all have ended. `program` is the run that failed first, else one that was cut short, else how all of
 * them together ended, with the sum of their CPU times. Rejects with a fault of a jail; then all runs are over.
 */
export async function converseWithMany(
  programs: readonly Speaker[],
  interactor: Speaker,
  rules: Rules,
): Promise<Spoken> {
  const { signal } = rules;
  const heard = { programs: programs.map(() => new Heard()), interactor: new Heard() };
  const garbled: { fault: Fault | null } = { fault: null };
  const reader = new FrameReader(programs.length);
  const asker = interactor.session.converse(interactor.spec, {
    signal,
    onOutput: (stream, bytes) => {
      heard.interactor.note(stream, bytes);
      if (stream === 'stderr') return undefined;
      try {
        for (const frame of reader.push(bytes)) channels[frame.channel]?.take(frame);
      } catch (error) {
        garbled.fault ??= toFault(error);
        cancelAll();
      }
      return undefined;
    },
  });
  const channels = programs.map((_, number) => new Channel(number, asker));
  const solvers = programs.map(({ session, spec }, number) => {
    const channel = channels[number];
    const solver = session.converse(spec, {
      signal,
      onOutput: (stream, bytes) => {
        heard.programs[number]?.note(stream, bytes);
        return stream === 'stdout' ? channel?.send(bytes) : undefined;
      },
    });
    channel?.join(solver);
    return solver;
  });
  const cancelAll = (): void => {
    for (const { session } of [...programs, interactor]) session.cancel();
  };
  try {
    const ended = await untilAllEnded({ asker, solvers, channels, cancelAll }, programs, rules);
    if (garbled.fault !== null) throw garbled.fault;
    const exits = ended.programs.map((exit, number) => heard.programs[number]?.with(exit) ?? exit);
    const failed = ended.failed === null ? undefined : exits[ended.failed];
    return {
      first: ended.first,
      program: failed ?? together(exits),
      interactor: heard.interactor.with(ended.interactor),
    };
  } catch (error) {
    cancelAll();
    await Promise.allSettled([asker.exit, ...solvers.map(({ exit }) => exit)]);
    throw error;
  } finally {
    for (const channel of channels) channel.close();
  }
}

interface Running {
  readonly asker: Conversation;
  readonly solvers: readonly Conversation[];
  readonly channels: readonly Channel[];
  readonly cancelAll: () => void;
}

interface Ended {
  readonly first: Spoken['first'];
  readonly interactor: RawExit;
  /** In the order of the programs. */
  readonly programs: readonly RawExit[];
  /** The one that failed first; null where none did. */
  readonly failed: number | null;
}

/** A run that fails ends all, for nothing hangs on the others any more; one that ends well only its own channel. */
async function untilAllEnded(
  { asker, solvers, channels, cancelAll }: Running,
  programs: readonly Speaker[],
  { clock, isOpen, isJudged }: Rules,
): Promise<Ended> {
  let first: Spoken['first'] | null = null;
  let failed: number | null = null;
  let lastWords: Timer | null = null;
  const solved = solvers.map(async ({ exit }, number): Promise<RawExit> => {
    const raw = await exit;
    channels[number]?.close();
    if (raw.cause !== 'cancelled' && !isJudged(raw)) {
      first ??= 'program';
      failed ??= number;
      cancelAll();
    }
    return raw;
  });
  const asked = asker.exit.then((raw): RawExit => {
    first ??= 'interactor';
    for (const solver of solvers) solver.end();
    for (const channel of channels) channel.close();
    const end = (): void => programs.forEach(({ session }) => session.cancel());
    if (raw.cause !== 'cancelled' && !isOpen(raw)) lastWords = clock.after(LAST_WORDS_MS, end);
    return raw;
  });
  const all = Promise.all([asked, Promise.all(solved)]);
  const [interactor, exits] = await all.finally(() => lastWords?.cancel());
  return { first: first ?? 'interactor', interactor, programs: exits, failed };
}

/** How runs that did not fail ended, as one. Precondition: at least one. */
function together(exits: readonly RawExit[]): RawExit {
  const [one] = exits;
  if (one === undefined) throw new Fault('internal', 'nobody talked');
  const cut = exits.find(({ cause }) => cause === 'cancelled');
  const most = (of: (exit: RawExit) => number): number => Math.max(...exits.map(of));
  return {
    ...(cut ?? one),
    cpuUs: exits.reduce((sum, { cpuUs }) => sum + cpuUs, 0),
    wallUs: most(({ wallUs }) => wallUs),
    memoryBytes: most(({ memoryBytes }) => memoryBytes),
  };
}

/** One run's two directions. Each waits for the other's word that what was sent before is taken. */
class Channel {
  readonly #number: number;
  readonly #asker: Conversation;
  #solver: Conversation | null = null;
  /** What the manager's side has room for. */
  #credit = WINDOW_BYTES;
  #room: PromiseWithResolvers<void> | null = null;
  #isClosed = false;
  /** Sent to the program and not taken yet. */
  #open = 0;

  constructor(number: number, asker: Conversation) {
    this.#number = number;
    this.#asker = asker;
  }

  /** Whom the manager's words go to. */
  join(solver: Conversation): void {
    this.#solver = solver;
  }

  /** The program's words to the manager. Resolves when all are sent, or nobody wants them. */
  async send(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      while (this.#credit === 0 && !this.#isClosed) {
        this.#room ??= Promise.withResolvers();
        await this.#room.promise;
      }
      if (this.#isClosed) return;
      const data = bytes.subarray(at, at + this.#credit);
      this.#credit -= data.length;
      at += data.length;
      await this.#asker.write(encodeFrame(this.#number, 'data', { data }));
    }
  }

  /** A frame of the manager's side. Throws Fault `interactor_failed` where it breaks its word. */
  take({ kind, length, data }: Frame): void {
    if (kind === 'end') return this.#solver?.end();
    if (kind === 'credit') {
      if (this.#credit + length > WINDOW_BYTES) throw broken();
      this.#credit += length;
      this.#wake();
      return;
    }
    if (this.#open + length > WINDOW_BYTES) throw broken();
    this.#open += length;
    void this.#deliver(data);
  }

  /** The program has ended, or the manager has: nothing is sent any more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wake();
    void this.#asker.write(encodeFrame(this.#number, 'end'));
  }

  async #deliver(data: Uint8Array): Promise<void> {
    await this.#solver?.write(data);
    this.#open -= data.length;
    // Also for a run that has ended: who writes to it shall not wait for nobody.
    await this.#asker.write(encodeFrame(this.#number, 'credit', { credit: data.length }));
  }

  #wake(): void {
    this.#room?.resolve();
    this.#room = null;
  }
}

function broken(): Fault {
  return new Fault('interactor_failed', 'it wrote to the channel of its FIFOs');
}
