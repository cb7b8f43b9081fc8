/**
 * A program and an interactor in two jails, each one's output the other's input, through the service and never past it.
 * Owns the pipes between them: neither can make the other, or the service, hold more than the jails do. Knows nothing of
 * verdicts.
 */
import type { RawExit } from '../domain/outcome.ts';
import { ByteList } from '../lib/byte-list.ts';
import type { Clock } from '../lib/clock.ts';
import type { RunSpec } from '../runner/pending-run.ts';
import type { Session } from '../runner/session.ts';
import type { First } from '../verify/interactor.ts';

/** Of each stream, what is kept to be shown. */
const SHOWN_BYTES_MAX = 64 * 1024;
/** How long a program may go on after the interactor has refused it, ms; what it does then changes nothing. */
export const LAST_WORDS_MS = 500;

/** One of the two who talk. */
export interface Speaker {
  readonly session: Session;
  readonly spec: RunSpec;
}

export interface Spoken {
  /** Its standard streams are the beginnings of what it wrote. */
  readonly program: RawExit;
  readonly interactor: RawExit;
  readonly first: First;
}

export interface Rules {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether, once the interactor has ended first, the program may still change anything. */
  readonly isOpen: (interactor: RawExit) => boolean;
  /** Whether, once the program has ended first, the interactor may. */
  readonly isJudged: (program: RawExit) => boolean;
}

/** Lets both talk until both have ended. Rejects with a fault of a jail; then the other's run is over, too. */
export async function converse(
  program: Speaker,
  interactor: Speaker,
  { clock, signal, isOpen, isJudged }: Rules,
): Promise<Spoken> {
  const heard = { program: new Heard(), interactor: new Heard() };
  const asker = interactor.session.converse(interactor.spec, {
    signal,
    onOutput: (stream, bytes) => {
      heard.interactor.note(stream, bytes);
      return stream === 'stdout' ? solver.write(bytes) : undefined;
    },
  });
  const solver = program.session.converse(program.spec, {
    signal,
    onOutput: (stream, bytes) => {
      heard.program.note(stream, bytes);
      return stream === 'stdout' ? asker.write(bytes) : undefined;
    },
  });
  try {
    const first = await Promise.race([
      solver.exit.then((): First => 'program'),
      asker.exit.then((): First => 'interactor'),
    ]);
    let lastWords = null;
    if (first === 'program') {
      asker.end();
      if (!isJudged(await solver.exit)) interactor.session.cancel();
    } else {
      solver.end();
      if (!isOpen(await asker.exit))
        lastWords = clock.after(LAST_WORDS_MS, () => program.session.cancel());
    }
    const [ofProgram, ofInteractor] = await Promise.all([solver.exit, asker.exit]);
    lastWords?.cancel();
    return {
      first,
      program: heard.program.with(ofProgram),
      interactor: heard.interactor.with(ofInteractor),
    };
  } catch (error) {
    program.session.cancel();
    interactor.session.cancel();
    await Promise.allSettled([solver.exit, asker.exit]);
    throw error;
  }
}

/** The beginnings of two streams. */
export class Heard {
  readonly #streams = { stdout: new ByteList(), stderr: new ByteList() };

  note(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    const list = this.#streams[stream];
    const room = SHOWN_BYTES_MAX - list.length;
    if (room > 0) list.append(new Uint8Array(bytes.subarray(0, room)));
  }

  with(exit: RawExit): RawExit {
    const { stdout, stderr } = this.#streams;
    return { ...exit, stdout: stdout.join(), stderr: stderr.join() };
  }
}
