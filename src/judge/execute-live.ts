/**
 * A program that somebody talks with while it runs: compiled and staged like any, executed once with its input open. Who
 * talks sees the bytes, not the jail. Throws a Fault when something of ours failed.
 */
import type { RunSubmission } from '../domain/submission.ts';
import type { LiveTalk } from './door.ts';
import { prepare, runOutcome, runSpec, type RunResult, type Timings } from './execute.ts';
import type { Job } from './perform.ts';
import type { Place } from './place.ts';
import type { Program } from './program.ts';

/** What is done with a program that is run once. */
export interface RunWork extends Pick<Job<RunResult>, 'isRepeatable'> {
  readonly work: (place: Place, program: Program) => Promise<RunResult>;
}

/** A talk that has begun is not repeated on another jail: its output is out. */
export class LiveRun {
  readonly #talk: LiveTalk;
  #hasBegun = false;

  constructor(talk: LiveTalk) {
    this.#talk = talk;
  }

  /** Whether it may still be tried anew. */
  get isRepeatable(): boolean {
    return !this.#hasBegun;
  }

  async execute(place: Place, program: Program, submission: RunSubmission): Promise<RunResult> {
    const talk = this.#talk;
    const timings: Timings = { compileMs: 0, runMs: 0, verifyMs: 0 };
    if (place.environment.language.compile !== null) talk.onStage('compile');
    const compile = await prepare(place, program, submission, timings);
    if (compile !== null) talk.onCompiled(compile);
    if (compile !== null && !compile.ok) {
      return { compile, outcome: { ...compile.outcome, kind: 'compile_error' }, timings };
    }
    const since = place.clock.now();
    const test = { stdin: new Uint8Array(0), args: [], files: [], limits: submission.limits };
    const spec = runSpec(place, program, { submission, test, collect: [] });
    this.#hasBegun = true;
    const { exit, ...voice } = place.session.converse(spec, {
      onOutput: (stream, bytes) => talk.onOutput(stream, bytes),
      signal: place.signal,
    });
    talk.onStage('run');
    talk.onOpen(voice);
    const raw = await exit;
    timings.runMs = place.clock.now() - since;
    return { compile, outcome: runOutcome(place, raw, spec.limits), timings };
  }
}
