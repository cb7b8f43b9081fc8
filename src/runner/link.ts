/**
 * The state behind a session: the one owner of the channel, of the runs under way and of the watchdog. Everything read
 * is untrusted; whatever is off ends the session with a fault and closes the jail.
 */
import { strict as assert } from 'node:assert';

import { Fault, toFault } from '../domain/errors.ts';
import type { RawExit } from '../domain/outcome.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Jail } from '../sandbox/port.ts';
import { FRAME, FrameDecoder, TO_SERVICE, protocolFault } from './frame.ts';
import type { Frame } from './frame.ts';
import { FrameWriter } from './frame-writer.ts';
import type { StagedFile } from './frame-writer.ts';
import { LiveStream, type OutputListener } from './live-stream.ts';
import { PendingRun, cancelledExit } from './pending-run.ts';
import type { RunSpec } from './pending-run.ts';
import { parseClean, parseError, parseHello, parseTaken } from './protocol.ts';
import type { CleanReport, Hello } from './protocol.ts';
import { toWorkPath } from './work-path.ts';
import { parseResult } from './result.ts';

/** Runs sent and not yet answered (protocol.md, "Window"). */
const WINDOW = 2;
/** The supervisor lets a run that is kept from its core go on for up to three times its wall limit, 60 s at most. */
const withWaits = (wallMs: number): number => wallMs + Math.min(3 * wallMs, 60_000);
/** A live run whose output is not taken by then, ms after the latest end, is read to its end unheard. */
const LIVE_PATIENCE_MS = 1000;
/** Runs waiting in here for the window. */
const WAITING_MAX = 1;

export interface SessionOptions {
  readonly clock: Clock;
  /** From the start of the jail to its HELLO, ms. */
  readonly helloTimeoutMs: number;
  /** Added to a run's wall limit for time in which its output waits for us, ms. Default 5000. */
  readonly stalledAllowanceMs?: number;
  /** How long an answer may be overdue before the jail counts as unresponsive, ms. Default 10 000. */
  readonly graceMs?: number;
  /** Kills the jail of that name when its supervisor does not react, e.g. `sandbox.kill`. */
  readonly kill?: (name: string) => void;
  /** Whether the jail of that name, which has ended, met its cap of memory, e.g. `sandbox.metCap`. */
  readonly metCap?: (name: string) => Promise<boolean>;
}

/** A program that executes, its input and output open. */
export interface Conversation {
  /**
   * Sends input. Undefined where the jail had room for it; else resolves when it has, also when the run has ended and
   * takes no more. Whoever does not wait keeps what it sends in memory.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** End of input, after what was written. */
  end(): void;
  /** Sends the program itself a signal, 1 … 64, as soon as it executes; of no effect once it has ended. */
  signal(signal: number): void;
  /** How it ended; `stdout` and `stderr` are empty, the listener had them. Rejects with a fault. */
  readonly exit: Promise<RawExit>;
}

export class Link {
  readonly #jail: Jail;
  readonly #clock: Clock;
  readonly #options: SessionOptions;
  readonly #writer: FrameWriter;
  readonly #decoder = new FrameDecoder(TO_SERVICE);
  readonly #graceMs: number;
  /** Sent, in order of their numbers. */
  readonly #underWay: PendingRun[] = [];
  readonly #waiting: PendingRun[] = [];
  #hello: PromiseWithResolvers<Hello> | null = null;
  #clean: PromiseWithResolvers<CleanReport> | null = null;
  #name: string | null = null;
  #nextId = 1;
  #isSending = false;
  #watchdog: Timer | null = null;
  #failure: Fault | null = null;
  #isEnding = false;

  constructor(jail: Jail, options: SessionOptions) {
    this.#jail = jail;
    this.#clock = options.clock;
    this.#options = options;
    this.#graceMs = options.graceMs ?? 10_000;
    this.#writer = new FrameWriter(jail.channel, {
      clock: options.clock,
      drainTimeoutMs: this.#graceMs,
    });
  }

  get failure(): Fault | null {
    return this.#failure;
  }

  get isOpen(): boolean {
    return this.#failure === null && !this.#isEnding;
  }

  async hello(): Promise<Hello> {
    const { channel } = this.#jail;
    channel.on('data', this.#onData);
    channel.on('drain', this.#onDrain);
    channel.on('end', this.#onEnd);
    channel.on('close', this.#onEnd);
    channel.on('error', this.#onEnd);
    this.#hello = Promise.withResolvers();
    const { helloTimeoutMs } = this.#options;
    this.#watch(
      helloTimeoutMs,
      () => new Fault('jail_start_failed', `no HELLO in ${helloTimeoutMs} ms`),
    );
    if (channel.destroyed || channel.readableEnded) this.#onEnd();
    return this.#hello.promise;
  }

  async stage(files: readonly StagedFile[]): Promise<void> {
    this.#assertQuiet();
    for (const file of files) toWorkPath(file.path);
    await this.#sending(async () => {
      for (const file of files) await this.#writer.file(0, file);
    });
  }

  async run(spec: RunSpec, signal: AbortSignal | undefined): Promise<RawExit> {
    if (this.#failure !== null) throw this.#failure;
    assert(this.#clean === null, 'a run during a reset');
    const count = this.#underWay.length + this.#waiting.length;
    assert(count < WINDOW + WAITING_MAX, 'too many runs at once');
    assert(
      this.#underWay.every(({ live }) => live === null),
      'a run beside a live one',
    );
    return await this.#start(new PendingRun(spec), signal);
  }

  converse(spec: RunSpec, onOutput: OutputListener, signal: AbortSignal | undefined): Conversation {
    this.#assertQuiet();
    const onError = (error: unknown): void => this.#abandon(toFault(error));
    const { channel } = this.#jail;
    const live = new LiveStream({ writer: this.#writer, channel, onOutput, onError });
    const run = new PendingRun(spec, live);
    const patience = this.#clock.after(withWaits(spec.limits.wallMs) + LIVE_PATIENCE_MS, () =>
      live.deafen(),
    );
    const exit = this.#start(run, signal).finally(() => {
      patience.cancel();
      live.close();
    });
    // Whoever awaits it later still gets the fault.
    exit.catch(ignore);
    return {
      write: (bytes) => live.write(bytes),
      end: () => live.end(),
      signal: (signal) => live.signal(signal),
      exit,
    };
  }

  async #start(run: PendingRun, signal: AbortSignal | undefined): Promise<RawExit> {
    if (signal?.aborted === true) return cancelledExit(run.spec);
    const onAbort = (): void => this.cancel();
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(run);
    this.#pump();
    try {
      return await run.answer;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  cancel(): void {
    if (this.#failure !== null) return;
    for (const run of this.#waiting.splice(0)) run.resolve(cancelledExit(run.spec));
    const fresh = this.#underWay.filter((run) => !run.isCancelled);
    for (const run of fresh) {
      run.isCancelled = true;
      run.live?.close();
    }
    if (fresh.some((run) => run.isRequested)) this.#sendCancel();
  }

  async reset(): Promise<CleanReport> {
    this.#assertQuiet();
    this.#clean = Promise.withResolvers();
    const { promise } = this.#clean;
    this.#writer.frame(FRAME.reset, { id: 0 });
    this.#watch(this.#graceMs, () => this.#unresponsive('RESET'));
    return promise;
  }

  /** Ends everything with the first fault given. Resolves when the jail is closed. */
  async end(fault: Fault): Promise<void> {
    if (this.#failure === null) {
      this.#failure = fault;
      this.#watchdog?.cancel();
      this.#watchdog = null;
      const { channel } = this.#jail;
      channel.off('data', this.#onData);
      channel.off('drain', this.#onDrain);
      channel.off('end', this.#onEnd);
      channel.off('close', this.#onEnd);
      // A late error of a closed channel says nothing new, and without a listener it would be thrown.
      channel.on('error', ignore);
      channel.off('error', this.#onEnd);
      this.#writer.fail(fault);
      for (const run of [...this.#underWay.splice(0), ...this.#waiting.splice(0)])
        run.reject(fault);
      this.#hello?.reject(fault);
      this.#clean?.reject(fault);
      if (fault.code === 'jail_unresponsive' && this.#name !== null)
        this.#options.kill?.(this.#name);
    }
    await this.#jail.close();
  }

  readonly #onDrain = (): void => this.#writer.onDrain();

  readonly #onData = (chunk: Uint8Array): void => {
    try {
      for (const frame of this.#decoder.push(chunk)) {
        this.#receive(frame);
        if (this.#failure !== null) return;
      }
    } catch (error) {
      this.#abandon(toFault(error));
    }
  };

  /** The channel ended unasked: the jail's own words for it become the fault's detail. */
  readonly #onEnd = (): void => {
    if (this.#isEnding || this.#failure !== null) return;
    this.#isEnding = true;
    const code = this.#hello === null ? 'jail_died' : 'jail_start_failed';
    void this.#endUnasked(code);
  };

  /** Never rejects. */
  async #endUnasked(code: 'jail_died' | 'jail_start_failed'): Promise<void> {
    try {
      const ends = [this.#jail.closed, this.#metCap(), this.#jail.close()] as const;
      const [exit, metCap] = await Promise.all(ends);
      if (metCap) this.#endHeadByMemory();
      this.#abandon(new Fault(code, exit.reason));
    } catch (error) {
      this.#abandon(new Fault(code, 'its end could not be told', { cause: error }));
    }
  }

  /** A launcher that cannot tell blames no program. */
  async #metCap(): Promise<boolean> {
    const name = this.#name;
    return name !== null && (await this.#options.metCap?.(name).catch(() => false)) === true;
  }

  /**
   * The run that the supervisor was executing took its jail along; what waited behind it is to be tried elsewhere, and so
   * is a run that was over by then: what met the cap was ours.
   */
  #endHeadByMemory(): void {
    const head = this.#underWay[0];
    if (head === undefined || !head.isRequested || head.isOver) return;
    this.#underWay.shift();
    head.resolve(head.isCancelled ? cancelledExit(head.spec) : head.endByMemory());
  }

  #abandon(fault: Fault): void {
    // `end` has told everybody who waits; a jail that fails to close is the sandbox's to report.
    this.end(fault).catch(ignore);
  }

  #receive(frame: Frame): void {
    if (frame.type === FRAME.error) {
      const { code, text } = parseError(frame.payload);
      if (this.#hello !== null) throw new Fault('jail_start_failed', `${code}: ${text}`);
      throw new Fault(
        code === 'protocol' ? 'protocol_error' : 'supervisor_error',
        `${code}: ${text}`,
      );
    }
    if (this.#hello !== null) {
      if (frame.type !== FRAME.hello || frame.id !== 0) throw protocolFault('HELLO comes first');
      const hello = parseHello(frame.payload);
      this.#name = hello.name;
      this.#unwatch();
      this.#hello.resolve(hello);
      this.#hello = null;
      return;
    }
    if (frame.type === FRAME.clean) return this.#receiveClean(frame);
    const run = this.#underWay[0];
    if (run === undefined || !run.isRequested || frame.id !== run.id) {
      throw protocolFault(
        `frame type ${frame.type} for run ${frame.id}, which is not the current one`,
      );
    }
    if (!run.isSent && !run.isCancelled)
      throw protocolFault('an answer before the input was whole');
    if (frame.type === FRAME.output) return run.output(frame);
    if (frame.type === FRAME.collected) return run.collect(frame);
    if (frame.type === FRAME.tree) return run.tree(frame);
    if (frame.type === FRAME.taken && run.live !== null) {
      return run.live.taken(parseTaken(frame.payload));
    }
    if (frame.type !== FRAME.result) throw protocolFault(`frame type ${frame.type} out of place`);
    const exit = run.finish(parseResult(frame.payload));
    this.#underWay.shift();
    run.resolve(exit);
    this.#watchHead();
    this.#pump();
  }

  #receiveClean(frame: Frame): void {
    if (this.#clean === null || frame.id !== 0) throw protocolFault('CLEAN unasked');
    const report = parseClean(frame.payload);
    this.#unwatch();
    this.#nextId = 1;
    this.#clean.resolve(report);
    this.#clean = null;
  }

  #assertQuiet(): void {
    if (this.#failure !== null) throw this.#failure;
    const isQuiet = this.#underWay.length === 0 && this.#waiting.length === 0;
    assert(isQuiet && !this.#isSending && this.#clean === null, 'the session is busy');
  }

  /** Sends waiting runs while the window has room. One at a time: a run's frames are never mixed with another's. */
  #pump(): void {
    if (this.#isSending || this.#underWay.length >= WINDOW) return;
    const run = this.#waiting.shift();
    if (run === undefined) return;
    run.id = this.#nextId++;
    this.#underWay.push(run);
    this.#sending(() => this.#sendRun(run)).then(() => this.#pump(), ignore);
  }

  async #sendRun(run: PendingRun): Promise<void> {
    for (const file of run.spec.files) await this.#writer.file(run.id, file);
    if (run.spec.tree !== undefined) await this.#writer.tree(run.id, run.spec.tree);
    this.#writer.frame(FRAME.run, { id: run.id }, run.request);
    run.isRequested = true;
    if (run.isCancelled) return this.#sendCancel();
    run.live?.open(run.id);
    const isStopped = (): boolean => run.isCancelled;
    const onHandedOver = (): void => {
      run.isSent = true;
    };
    await this.#writer.stdin(run.id, run.spec.stdin, { isStopped, onHandedOver });
    if (this.#underWay[0] === run) this.#watchHead();
  }

  /** Does a piece of sending; a failure ends the session. */
  async #sending(work: () => Promise<void>): Promise<void> {
    this.#isSending = true;
    try {
      await work();
    } catch (error) {
      this.#abandon(toFault(error));
      throw error;
    } finally {
      this.#isSending = false;
    }
  }

  #sendCancel(): void {
    this.#writer.frame(FRAME.cancel, { id: 0 });
    this.#watchHead();
  }

  /** Starts the watchdog of the run that the supervisor is executing now, if its input is whole. */
  #watchHead(): void {
    this.#unwatch();
    const head = this.#underWay[0];
    if (head === undefined || !(head.isSent || head.isCancelled)) return;
    const { wallMs } = head.spec.limits;
    const allowedMs = withWaits(wallMs) + (this.#options.stalledAllowanceMs ?? 5000);
    const ms = (head.isCancelled ? 0 : allowedMs) + this.#graceMs;
    this.#watch(ms, () => this.#unresponsive(`run ${head.id} after ${ms} ms`));
  }

  #unresponsive(what: string): Fault {
    return new Fault('jail_unresponsive', `no answer to ${what}`);
  }

  #watch(ms: number, toFailure: () => Fault): void {
    this.#unwatch();
    this.#watchdog = this.#clock.after(ms, () => this.#abandon(toFailure()));
  }

  #unwatch(): void {
    this.#watchdog?.cancel();
    this.#watchdog = null;
  }
}

function ignore(): void {}
