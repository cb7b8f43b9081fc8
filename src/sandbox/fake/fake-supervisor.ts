/**
 * The supervisor of the fake wall: the runner protocol's other end, in process, executing scripts. It keeps to
 * the protocol as strictly as the real one, so that a session that breaks it fails here too.
 */
import type { Duplex } from 'node:stream';

import { Fault, toFault } from '../../domain/errors.ts';
import { ByteList } from '../../lib/byte-list.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import {
  COLLECTED_MORE,
  FILE_APPEND,
  FRAME,
  FrameDecoder,
  MAX_CHUNK,
  OUTPUT_STDERR,
  OUTPUT_STDOUT,
  TO_SUPERVISOR,
  encodeFrame,
} from '../../runner/frame.ts';
import type { Frame, FrameType } from '../../runner/frame.ts';
import {
  encodeClean,
  encodeCollected,
  encodeError,
  encodeHello,
  encodeTaken,
  parseFile,
  parseRun,
  parseSignal,
} from '../../runner/protocol.ts';
import type { HelloBackEnd, RunRequest } from '../../runner/protocol.ts';
import { FakeLive } from './fake-live.ts';
import { toIdleResult, toStepEnd } from './fake-run.ts';
import { parseScript } from './script.ts';
import type { FakeFault, FakeStep } from './script.ts';
import { encodeResult } from '../../runner/result.ts';
import type { RunResult } from '../../runner/result.ts';

type Files = Map<string, Uint8Array>;

interface Run {
  readonly id: number;
  readonly request: RunRequest;
  readonly files: Files;
  readonly stdin: ByteList;
  /** Of a live run that executes. */
  live: FakeLive | null;
}

export interface FakeSupervisorOptions {
  readonly clock: Clock;
  readonly name: string;
  /** The jail's number, from 1. */
  readonly number: number;
  readonly cgroup: HelloBackEnd;
  /** What CLEAN says. */
  readonly isClean: () => boolean;
}

const WINDOW = 2;
const ENOENT = 2;
const SIGKILL = 9;
const BASELINE = { fds: 4, mounts: 20, processes: 1 } as const;

export class FakeSupervisor {
  readonly #channel: Duplex;
  readonly #options: FakeSupervisorOptions;
  readonly #decoder = new FrameDecoder(TO_SUPERVISOR);
  readonly #runs: Run[] = [];
  #program: Files = new Map();
  #runFiles: Files = new Map();
  #nextId = 1;
  #current: { readonly run: Run; readonly timer: Timer } | null = null;
  /** The last live run that is answered: input for it is dropped. */
  #liveDone = 0;
  #isDeaf = false;

  constructor(channel: Duplex, options: FakeSupervisorOptions) {
    this.#channel = channel;
    this.#options = options;
  }

  /** Says HELLO and answers from then on, until the channel closes. */
  start(): void {
    const { name, cgroup } = this.#options;
    const hasCgroup = cgroup !== 'none';
    const features = {
      seccomp: true,
      ownUid: true,
      memoryByCgroup: hasCgroup,
      pidsByCgroup: hasCgroup,
      cpuByCgroup: hasCgroup,
      peakResettable: hasCgroup,
      warm: false,
      live: true,
    };
    this.#channel.on('data', (chunk: Uint8Array) => this.#take(chunk));
    this.#channel.on('end', () => this.stop());
    this.#channel.on('close', () => this.stop());
    this.#send(FRAME.hello, 0, encodeHello({ cgroup, features, baseline: BASELINE, name }));
  }

  /** Dies: nothing more is said, the channel ends. */
  stop(): void {
    this.#isDeaf = true;
    this.#current?.timer.cancel();
    this.#current = null;
    this.#channel.destroy();
  }

  #take(chunk: Uint8Array): void {
    if (this.#isDeaf) return;
    try {
      for (const frame of this.#decoder.push(chunk)) this.#receive(frame);
    } catch (error) {
      const fault = toFault(error);
      this.#send(FRAME.error, 0, encodeError({ code: 'protocol', text: fault.detail }));
      this.#isDeaf = true;
      this.#channel.end();
    }
  }

  #receive(frame: Frame): void {
    switch (frame.type) {
      case FRAME.file:
        return this.#receiveFile(frame);
      case FRAME.run:
        return this.#receiveRun(frame);
      case FRAME.stdin:
        return this.#receiveStdin(frame);
      case FRAME.end:
        return this.#receiveEnd(frame);
      case FRAME.signal:
        return this.#receiveSignal(frame);
      case FRAME.cancel:
        return this.#cancel();
      default:
        return this.#reset();
    }
  }

  #receiveFile({ id, flags, payload }: Frame): void {
    const { path, content } = parseFile(payload);
    require(id === 0 ? this.#runs.length === 0 : id === this.#nextId, 'FILE out of order');
    const files = id === 0 ? this.#program : this.#runFiles;
    const before = (flags & FILE_APPEND) !== 0 ? files.get(path) : new Uint8Array(0);
    if (before === undefined) throw new Fault('protocol_error', 'FILE appended to nothing');
    files.set(path, Buffer.concat([before, content]));
  }

  #receiveRun({ id, payload }: Frame): void {
    const request = parseRun(payload);
    require(id === this.#nextId, 'RUN out of order');
    require(this.#runs.length < WINDOW, 'RUN beyond the window');
    require(!request.live || this.#runs.length === 0, 'a live run beside another');
    require(this.#runs[0]?.request.live !== true, 'RUN during a live run');
    require(this.#runs.every((run) => isWhole(run)), 'RUN before the input was whole');
    this.#nextId += 1;
    this.#runs.push({ id, request, files: this.#runFiles, stdin: new ByteList(), live: null });
    this.#runFiles = new Map();
    this.#next();
  }

  #receiveStdin({ id, payload }: Frame): void {
    if (id === this.#liveDone) return;
    const run = this.#runs.at(-1);
    if (run?.live) return this.#receiveLive(run, run.live, payload);
    if (run?.id !== id) throw new Fault('protocol_error', 'STDIN of no run');
    run.stdin.append(Buffer.from(payload));
    require(run.stdin.length <= run.request.stdinBytes, 'STDIN too long');
    this.#next();
  }

  #receiveLive(run: Run, live: FakeLive, payload: Uint8Array): void {
    const { said, taken } = live.input(payload);
    if (taken > 0) this.#send(FRAME.taken, run.id, encodeTaken(taken));
    run.stdin.append(Buffer.from(said));
    this.#output(run.id, OUTPUT_STDOUT, said);
  }

  #receiveEnd({ id }: Frame): void {
    if (id === this.#liveDone) return;
    const run = this.#runs.at(-1);
    if (run?.id !== id || run.live === null) throw new Fault('protocol_error', 'END of no run');
    if (run.live.step.reads) this.#endLive(run, run.live, {});
  }

  /** Its default action: the end. */
  #receiveSignal({ id, payload }: Frame): void {
    if (id === this.#liveDone) return;
    const run = this.#runs.at(-1);
    if (run?.id !== id || run.live === null) throw new Fault('protocol_error', 'SIGNAL of no run');
    const signal = parseSignal(payload);
    this.#endLive(run, run.live, { cause: 'signalled', exitCode: null, signal, stdinUnread: true });
  }

  #startLive(run: Run, step: FakeStep): void {
    const live = new FakeLive(step);
    run.live = live;
    const onWall = (): void =>
      this.#endLive(run, live, {
        cause: 'wall',
        exitCode: null,
        signal: SIGKILL,
        stdinUnread: true,
      });
    this.#current = { run, timer: this.#options.clock.after(run.request.limits.wallMs, onWall) };
    if (run.stdin.length > 0) this.#receiveLive(run, live, run.stdin.join());
  }

  /** A live run's end: what it says last, and figures over all that it said. */
  #endLive(run: Run, live: FakeLive, over: Partial<RunResult>): void {
    this.#current?.timer.cancel();
    const echoed = run.stdin.length;
    const end = toStepEnd({ ...live.step, echo: false }, new Uint8Array(0), run.request.limits);
    this.#output(run.id, OUTPUT_STDOUT, end.stdout);
    const stdoutBytes = echoed + end.stdout.length;
    this.#finish(run, { ...end.result, stdoutBytes, stderrBytes: 0, ...over });
  }

  #cancel(): void {
    this.#current?.timer.cancel();
    this.#current = null;
    for (const run of this.#runs.splice(0)) {
      if (run.request.live) this.#liveDone = run.id;
      this.#send(FRAME.result, run.id, encodeResult(toIdleResult({ cause: 'cancelled' })));
    }
  }

  #reset(): void {
    require(this.#runs.length === 0, 'RESET during a run');
    this.#liveDone = 0;
    this.#program = new Map();
    this.#runFiles = new Map();
    this.#nextId = 1;
    const report = { clean: this.#options.isClean(), ...BASELINE, memoryBytes: 0 };
    this.#send(FRAME.clean, 0, encodeClean(report));
  }

  /** Starts the first run if its input is whole and none executes. */
  #next(): void {
    const run = this.#runs[0];
    if (run === undefined || this.#current !== null || !isWhole(run)) return;
    const work: Files = new Map([...this.#program, ...run.files]);
    const name = run.request.argv
      .map((arg) => arg.replace(/^\.\//, ''))
      .find((arg) => work.has(arg));
    const content = name === undefined ? undefined : work.get(name);
    if (content === undefined) {
      return this.#finish(run, toIdleResult({ cause: 'not_started', startErrno: ENOENT }));
    }
    const script = parseScript(content);
    const stdin = run.stdin.join();
    // A compile step has its source to itself.
    const compile = name !== undefined && run.files.has(name) ? script.compile : undefined;
    const step = compile ?? script.byStdin[Buffer.from(stdin).toString('utf8')] ?? script;
    if (this.#failAsAsked(step, run)) return;
    if (run.request.live) return this.#startLive(run, step);
    const end = toStepEnd(step, stdin, run.request.limits);
    for (const [path, text] of Object.entries(step.files)) work.set(path, Buffer.from(text));
    const finish = (): void => {
      this.#output(run.id, OUTPUT_STDOUT, end.stdout);
      this.#output(run.id, OUTPUT_STDERR, end.stderr);
      this.#collect(run, work);
      this.#finish(run, end.result);
    };
    if (end.delayMs === 0) return finish();
    this.#current = { run, timer: this.#options.clock.after(end.delayMs, finish) };
  }

  #finish(run: Run, result: RunResult): void {
    this.#current = null;
    this.#runs.shift();
    if (run.request.live) this.#liveDone = run.id;
    this.#send(FRAME.result, run.id, encodeResult(result));
    this.#next();
  }

  #failAsAsked(step: FakeStep, run: Run): boolean {
    const { fault, faultJails } = step;
    if (fault === null || faultJails?.includes(this.#options.number) === false) return false;
    const actions: Record<FakeFault, () => void> = {
      die: () => this.stop(),
      hang: () => undefined,
      garbage: () => void this.#channel.write(Buffer.alloc(64, 0xff)),
      error: () =>
        this.#send(FRAME.error, run.id, encodeError({ code: 'system_call', text: 'as scripted' })),
      wrong_id: () => this.#send(FRAME.result, run.id + 7, encodeResult(toIdleResult({}))),
    };
    actions[fault]();
    this.#isDeaf = true;
    return true;
  }

  #collect(run: Run, work: Files): void {
    let room = run.request.limits.collectBytes;
    for (const [index, path] of run.request.collect.entries()) {
      const content = work.get(path);
      const isFitting = content !== undefined && content.length <= room;
      if (content === undefined || !isFitting) {
        const status = content === undefined ? 'missing' : 'too_large';
        this.#collected(run.id, 0, { index, status, content: new Uint8Array(0) });
        continue;
      }
      room -= content.length;
      for (let at = 0; at === 0 || at < content.length; at += MAX_CHUNK) {
        const flags = at + MAX_CHUNK < content.length ? COLLECTED_MORE : 0;
        const piece = content.subarray(at, at + MAX_CHUNK);
        this.#collected(run.id, flags, { index, status: 'ok', content: piece });
      }
    }
  }

  #collected(id: number, flags: number, part: Parameters<typeof encodeCollected>[0]): void {
    this.#channel.write(encodeFrame(FRAME.collected, { id, flags }, encodeCollected(part)));
  }

  #output(id: number, flags: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MAX_CHUNK) {
      const piece = bytes.subarray(at, at + MAX_CHUNK);
      this.#channel.write(encodeFrame(FRAME.output, { id, flags }, piece));
    }
  }

  #send(type: FrameType, id: number, payload: Uint8Array): void {
    if (!this.#channel.writableEnded) this.#channel.write(encodeFrame(type, { id }, payload));
  }
}

function isWhole(run: Run): boolean {
  return run.stdin.length === run.request.stdinBytes;
}

function require(condition: boolean, what: string): void {
  if (!condition) throw new Fault('protocol_error', what);
}
