/**
 * The runner protocol (runners/protocol.md) as the host speaks it: files, runs one after the other, results. A run that
 * needs a Node process is answered with cause `not started` and ENOSYS. Knows nothing of isolates.
 */
import type { Duplex } from 'node:stream';
import { constants } from 'node:os';

import { toFault } from '../../src/domain/errors.ts';
import {
  encodeFrame,
  FILE_APPEND,
  FRAME,
  FrameDecoder,
  OUTPUT_STDERR,
  OUTPUT_STDOUT,
  protocolFault,
  TO_SUPERVISOR,
  MAX_CHUNK,
} from '../../src/runner/frame.ts';
import type { Frame } from '../../src/runner/frame.ts';
import {
  encodeClean,
  encodeError,
  encodeHello,
  parseFile,
  parseRun,
} from '../../src/runner/protocol.ts';
import type { Hello, RunRequest } from '../../src/runner/protocol.ts';
import { encodeResult, NO_RESULT, type RunResult } from '../../src/runner/result.ts';
import type { Counts } from './counts.ts';
import type { Prepared, RunAnswer } from './task.ts';
import type { Threads } from './threads.ts';

/** Runs sent and not answered, as the protocol has it. */
const WINDOW = 2;
const STAGED_BYTES_MAX = 128 * 1024 * 1024;

interface Waiting {
  readonly id: number;
  readonly request: RunRequest;
  readonly hasFiles: boolean;
  readonly stdin: Buffer[];
  stdinBytes: number;
  readonly cancel: Int32Array;
}

export interface DialogueOptions {
  readonly channel: Duplex;
  readonly threads: Threads;
  readonly hello: Pick<Hello, 'cgroup' | 'features' | 'name'>;
  readonly count: () => Counts;
  /** Ends the host, and with it the jail. */
  readonly exit: (code: number) => never;
}

export class Dialogue {
  readonly #options: DialogueOptions;
  readonly #decoder = new FrameDecoder(TO_SUPERVISOR);
  readonly #files = new Map<string, Buffer>();
  #stagedBytes = 0;
  /** Files of runs whose RUN has not come; their content is not needed. */
  #strayRun = 0;
  readonly #runs: Waiting[] = [];
  #isRunning = false;
  #nextId = 1;
  #prepared: Promise<Prepared> | null = null;
  #tier = 0;
  #isTainted = false;
  #baseline: Counts = { fds: 0, mounts: 0, processes: 0, memoryBytes: 0 };

  constructor(options: DialogueOptions) {
    this.#options = options;
  }

  /** Says HELLO and answers until the channel ends. */
  start(): void {
    const { channel, hello, exit } = this.#options;
    this.#baseline = this.#options.count();
    const { fds, mounts, processes } = this.#baseline;
    this.#send(FRAME.hello, 0, encodeHello({ ...hello, baseline: { fds, mounts, processes } }));
    channel.on('data', (chunk: Uint8Array) => {
      try {
        for (const frame of this.#decoder.push(chunk)) this.#receive(frame);
      } catch (error) {
        this.#fail('protocol', toFault(error).detail);
      }
    });
    channel.on('end', () => exit(0));
    channel.on('error', () => exit(0));
  }

  #receive(frame: Frame): void {
    switch (frame.type) {
      case FRAME.file:
        return this.#file(frame);
      case FRAME.run:
        return this.#run(frame);
      case FRAME.stdin:
        return this.#stdin(frame);
      case FRAME.cancel:
        for (const run of this.#runs) Atomics.store(run.cancel, 0, 1);
        return this.#pump();
      case FRAME.reset:
        return this.#reset();
      default:
        throw protocolFault(`frame type ${frame.type}`);
    }
  }

  #file(frame: Frame): void {
    const { path, content } = parseFile(frame.payload);
    if (frame.id !== 0) {
      this.#strayRun = frame.id;
      return;
    }
    if (this.#runs.length > 0) throw protocolFault('FILE of the program during a run');
    this.#stagedBytes += content.length;
    if (this.#stagedBytes > STAGED_BYTES_MAX) throw protocolFault('FILE: too much');
    const earlier = (frame.flags & FILE_APPEND) !== 0 ? this.#files.get(path) : undefined;
    const bytes = Buffer.from(content);
    this.#files.set(path, earlier === undefined ? bytes : Buffer.concat([earlier, bytes]));
    this.#prepared = null;
  }

  #run(frame: Frame): void {
    if (frame.id !== this.#nextId) throw protocolFault('RUN out of order');
    if (this.#runs.length >= WINDOW) throw protocolFault('RUN beyond the window');
    this.#nextId += 1;
    this.#runs.push({
      id: frame.id,
      request: parseRun(frame.payload),
      hasFiles: this.#strayRun === frame.id,
      stdin: [],
      stdinBytes: 0,
      cancel: new Int32Array(new SharedArrayBuffer(4)),
    });
    this.#pump();
  }

  #stdin(frame: Frame): void {
    const run = this.#runs.find(({ id }) => id === frame.id);
    if (run === undefined) throw protocolFault('STDIN of no run');
    run.stdinBytes += frame.payload.length;
    if (run.stdinBytes > run.request.stdinBytes) throw protocolFault('STDIN: too much');
    run.stdin.push(Buffer.from(frame.payload));
    this.#pump();
  }

  #reset(): void {
    if (this.#runs.length > 0) throw protocolFault('RESET during a run');
    this.#files.clear();
    this.#stagedBytes = 0;
    this.#prepared = null;
    this.#nextId = 1;
    this.#strayRun = 0;
    const counts = this.#options.count();
    const isSame =
      counts.mounts === this.#baseline.mounts && counts.processes === this.#baseline.processes;
    this.#send(FRAME.clean, 0, encodeClean({ ...counts, clean: isSame && !this.#isTainted }));
  }

  /** Starts the first run once its input is whole; a cancelled one needs none. */
  #pump(): void {
    const run = this.#runs[0];
    if (run === undefined || this.#isRunning) return;
    const isCancelled = Atomics.load(run.cancel, 0) !== 0;
    if (!isCancelled && run.stdinBytes < run.request.stdinBytes) return;
    this.#isRunning = true;
    this.#execute(run, isCancelled)
      .then((answer) => {
        this.#answer(run, answer);
        this.#runs.shift();
        this.#isRunning = false;
        this.#pump();
      })
      .catch((error: unknown) => this.#fail('assertion', String(error)));
  }

  async #execute(run: Waiting, isCancelled: boolean): Promise<RunAnswer | 'cancelled'> {
    if (isCancelled) return 'cancelled';
    const { argv, env, limits, collect } = run.request;
    const at = argv.findIndex((text, index) => index > 0 && this.#files.has(plainPath(text)));
    const entry = plainPath(argv[at] ?? '');
    const source = this.#files.get(entry);
    if (source === undefined) return needsNode('no entry');
    if (collect.length > 0 || run.hasFiles) return needsNode('files of the run');
    if (this.#files.has('package.json')) return needsNode('package.json');
    if (this.#prepared === null) {
      this.#prepared = this.#options.threads.prepare(entry, source);
      this.#tier = 0;
    }
    const prepared = await this.#prepared;
    const program =
      prepared.kind === 'script'
        ? { ...prepared, tier: Math.max(prepared.tier, this.#tier) }
        : prepared;
    const answer = await this.#options.threads.run({
      program,
      argv: [argv[0] ?? '', `/work/${entry}`, ...argv.slice(at + 1)],
      env: Object.fromEntries(env.map(splitVariable)),
      stdin: Buffer.concat(run.stdin),
      cpuMs: limits.cpuMs,
      wallMs: limits.wallMs,
      memoryBytes: limits.memoryBytes,
      outputBytes: limits.outputBytes,
      cancel: run.cancel,
    });
    if (answer.kind === 'ended') this.#tier = Math.max(this.#tier, answer.tier);
    return answer;
  }

  #answer(run: Waiting, answer: RunAnswer | 'cancelled'): void {
    if (answer === 'cancelled') return this.#result(run.id, { ...NO_RESULT, cause: 'cancelled' });
    if (answer.kind === 'unsupported') {
      this.#isTainted ||= answer.isTainted;
      return this.#result(run.id, {
        ...NO_RESULT,
        cause: 'not_started',
        startErrno: constants.errno.ENOSYS,
      });
    }
    const cap = run.request.limits.outputBytes;
    const sent = answer.cause === 'cancelled' ? 0 : cap;
    this.#output(run.id, OUTPUT_STDOUT, answer.stdout.subarray(0, sent));
    this.#output(run.id, OUTPUT_STDERR, answer.stderr.subarray(0, sent));
    this.#result(run.id, {
      ...NO_RESULT,
      cause: answer.cause,
      exitCode: answer.exitCode,
      signal: answer.cause === 'exited' ? null : constants.signals.SIGKILL,
      cpuUs: answer.cpuUs,
      wallUs: answer.wallUs,
      memoryBytes: answer.memoryBytes,
      memorySource: answer.memoryBytes === 0 ? 'unknown' : 'polled',
      stdoutBytes: answer.stdout.length,
      stderrBytes: answer.stderr.length,
      stdoutTruncated: answer.stdout.length > sent,
      stderrTruncated: answer.stderr.length > sent,
    });
  }

  #output(id: number, flag: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MAX_CHUNK) {
      this.#send(FRAME.output, id, bytes.subarray(at, at + MAX_CHUNK), flag);
    }
  }

  #result(id: number, result: RunResult): void {
    this.#send(FRAME.result, id, encodeResult(result));
  }

  #send(
    type: (typeof FRAME)[keyof typeof FRAME],
    id: number,
    payload: Uint8Array,
    flags = 0,
  ): void {
    this.#options.channel.write(encodeFrame(type, { id, flags }, payload));
  }

  #fail(code: 'protocol' | 'assertion', text: string): void {
    const { channel, exit } = this.#options;
    this.#send(FRAME.error, 0, encodeError({ code, text }));
    channel.end(() => exit(1));
  }
}

function needsNode(reason: string): RunAnswer {
  return { kind: 'unsupported', reason, isTainted: false };
}

function plainPath(text: string): string {
  return text.startsWith('./') ? text.slice(2) : text;
}

function splitVariable(text: string): [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}
