/**
 * One run in one isolate. What ended it is decided here, from what the isolate's thread used and from the guest's own
 * calls; of a program's values only numbers and texts ever come out. Whatever cannot be told exactly is `unsupported`.
 */
import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';

import ivm from 'isolated-vm';

import type { Sources } from './guest-source.ts';
import type { Fresh } from './isolates.ts';
import { OutputCap } from './output-cap.ts';
import type { RunAnswer, RunTask } from './task.ts';

type Ended = Extract<RunAnswer, { kind: 'ended' }>;
type Script = Extract<RunTask['program'], { kind: 'script' }>;

/** How often limits are looked at, ms. */
const WATCH_MS = 5;
/** A run beyond its limit by this much is certainly over it in a Node process, which pays for its threads as well. */
const CPU_EXCESS = { factor: 1.1, ms: 50 };
/** A run that ended by itself with more than this share of its limit might not have in a Node process. */
const CPU_DOUBT = 0.5;
/** Growth of the host during a run, as a share of the heap's limit, from which the heap may be full. */
const HEAP_DOUBT = 0.4;
/** Share of its time that a run which sleeps until its wall limit may compute. */
const SLEEPER_CPU = 0.25;
/** How long an isolate may take to notice that it is disposed of, ms. */
const DISPOSE_MS = 250;
const MIB = 1024 * 1024;

/** Runs a script to its end. Never rejects. */
export async function runInIsolate(
  fresh: Fresh,
  task: RunTask & { program: Script },
  sources: Sources,
): Promise<RunAnswer> {
  if (!isUtf8(task.stdin)) {
    fresh.isolate.dispose();
    return unsupported('input that is not UTF-8');
  }
  return await new IsolateRun(fresh, task, sources).run();
}

/** The engine gives up the isolate; its thread may go on for a while, so the host is not used again. */
const OUT_OF_MEMORY: RunAnswer = { kind: 'unsupported', reason: 'out of memory', isTainted: true };

class IsolateRun {
  readonly #fresh: Fresh;
  readonly #task: RunTask & { program: Script };
  readonly #sources: Sources;
  readonly #since = performance.now();
  readonly #rssBytes = process.memoryUsage.rss();
  readonly #cpu = process.cpuUsage();
  readonly #output: OutputCap;
  readonly #answer = Promise.withResolvers<RunAnswer>();
  #isOver = false;
  #isIdle = false;
  /** Whether nothing executes in the isolate, so that it can be asked. */
  #isQuiet = false;
  #tier: number;

  constructor(fresh: Fresh, task: RunTask & { program: Script }, sources: Sources) {
    this.#fresh = fresh;
    this.#task = task;
    this.#sources = sources;
    this.#output = new OutputCap(task.outputBytes);
    this.#tier = task.program.tier;
  }

  async run(): Promise<RunAnswer> {
    const watch = setInterval(() => this.#watch(), WATCH_MS);
    try {
      const driven = this.#drive().catch((error: unknown) =>
        this.#stop(unsupported(String(error))),
      );
      const answer = await this.#answer.promise;
      // The engine ends a program between two of its own steps; one step may be long.
      const isSettled = await Promise.race([driven.then(() => true), sleep(DISPOSE_MS, false)]);
      return isSettled ? answer : { kind: 'unsupported', reason: 'stuck', isTainted: true };
    } finally {
      clearInterval(watch);
    }
  }

  /** Calls the guest, a turn at a time, until something ends the run. */
  async #drive(): Promise<void> {
    const { context, isolate, entry } = this.#fresh;
    const { program } = this.#task;
    this.#boot();
    const script = isolate.compileScriptSync(program.code, {
      filename: `/work/${program.entry}`,
      columnOffset: -program.offset,
    });
    const main = script.runSync(context, { reference: true, timeout: WATCH_MS * 20 });
    let call: Promise<unknown> = entry.apply(
      undefined,
      ['main', main.derefInto(), program.isSynchronous],
      {
        result: { copy: true },
      },
    );
    while (!this.#isOver) {
      const waitMs = await call.catch((error: unknown) => this.#thrown(error));
      if (this.#isOver) return;
      if (typeof waitMs === 'number' && waitMs < 0) {
        this.#isQuiet = true;
        return this.#exited(-1 - waitMs);
      }
      if (typeof waitMs === 'number' && waitMs > 0) {
        this.#isIdle = true;
        await sleep(Math.min(waitMs, this.#leftMs() + WATCH_MS));
        this.#isIdle = false;
      }
      if (this.#isOver) return;
      call = entry.apply(undefined, ['loop'], { result: { copy: true } });
    }
  }

  #boot(): void {
    const { argv, env, stdin, outputBytes, program } = this.#task;
    const config = {
      argv,
      env,
      outputBytes,
      entry: program.entry,
      isModule: program.isModule,
      pid: 2,
      stdin: Buffer.from(stdin).toString('utf8'),
    };
    this.#fresh.entry.applySync(undefined, [
      'boot',
      new ivm.ExternalCopy(config).copyInto({ release: true }),
      new ivm.Callback((...said: unknown[]) => this.#told(said), { ignored: true }),
      new ivm.Callback((...said: unknown[]) => this.#told(said)),
      new ivm.Callback(() => performance.timeOrigin + performance.now()),
    ]);
  }

  /** What the guest says. A program that got hold of these calls could say no more than it can do anyway. */
  #told([what, ...rest]: unknown[]): string | undefined {
    if (this.#isOver) return undefined;
    const [first, second, third] = rest;
    switch (what) {
      case 'output':
        this.#write(first, second);
        return undefined;
      case 'exit':
        this.#write(second, third);
        if (!this.#isOver) this.#exited(Number(first) & 255);
        return undefined;
      case 'source':
        // Loaded on the way: the next run of this program gets it with its isolate.
        this.#tier = Math.max(this.#tier, tierWith(String(first)));
        return Object.hasOwn(this.#sources, String(first))
          ? this.#sources[String(first)]
          : undefined;
      default:
        this.#stop(unsupported(String(first).slice(0, 200)));
        return undefined;
    }
  }

  #write(out: unknown, err: unknown): void {
    this.#output.add('stdout', String(out));
    this.#output.add('stderr', String(err));
    if (this.#output.isOver) this.#end('output');
  }

  #exited(code: number): void {
    if (this.#cpuUs() > this.#task.cpuMs * 1000 * CPU_DOUBT)
      this.#stop(unsupported('close to its CPU limit'));
    else this.#end('exited', code);
  }

  /** A turn threw: the isolate is gone, or a rejected promise was not handled. */
  async #thrown(error: unknown): Promise<number> {
    if (this.#isOver) return 0;
    if (this.#fresh.isolate.isDisposed) {
      this.#stop(OUT_OF_MEMORY);
      return 0;
    }
    // Below the boundary are the host's own frames.
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const text = stack.split('\n    at (<isolated-vm boundary>)', 1)[0] ?? '';
    if (text.includes('call stack')) {
      this.#stop(unsupported('a stack overflow'));
      return 0;
    }
    await this.#fresh.entry.apply(undefined, ['rejected', text.slice(0, 65_536)], {
      result: { copy: true },
    });
    return 0;
  }

  #watch(): void {
    if (this.#isOver) return;
    const { cpuMs, cancel, wallMs } = this.#task;
    if (this.#fresh.isolate.isDisposed) return this.#stop(OUT_OF_MEMORY);
    const cpuUs = this.#cpuUs();
    if (Atomics.load(cancel, 0) !== 0) this.#end('cancelled');
    else if (cpuUs > (cpuMs * CPU_EXCESS.factor + CPU_EXCESS.ms) * 1000) this.#overCpu();
    else if (this.#leftMs() <= 0) {
      const isSleeper = this.#isIdle && cpuUs < wallMs * 1000 * SLEEPER_CPU;
      if (isSleeper) this.#end('wall');
      else this.#stop(unsupported('its wall limit, on a busy host'));
    }
  }

  /** Near its heap's limit an isolate spends its time on collecting, where a process still has room. */
  #overCpu(): void {
    const grown = process.memoryUsage.rss() - this.#rssBytes;
    const isFull = grown > this.#fresh.memoryMb * MIB * HEAP_DOUBT;
    if (isFull) this.#stop(unsupported('its CPU limit, with a full heap'));
    else this.#end('cpu');
  }

  #leftMs(): number {
    return this.#task.wallMs - (performance.now() - this.#since);
  }

  /**
   * The engine's clock of an isolate goes on while its thread waits for a core; the host's counts what its other thread does
   * meanwhile. Neither is too low, so the lower one is the nearer.
   */
  #cpuUs(): number {
    const { isolate } = this.#fresh;
    if (isolate.isDisposed) return 0;
    const { user, system } = process.cpuUsage(this.#cpu);
    return Math.min(Number(isolate.cpuTime / 1000n), user + system);
  }

  #end(cause: Ended['cause'], exitCode: number | null = null): void {
    const { isolate } = this.#fresh;
    if (isolate.isDisposed) return this.#stop(OUT_OF_MEMORY);
    const cpuUs = this.#cpuUs();
    this.#stop({
      kind: 'ended',
      cause,
      exitCode,
      cpuUs,
      wallUs: Math.round((performance.now() - this.#since) * 1000),
      memoryBytes: cause === 'exited' && this.#isQuiet ? heapBytes(isolate) : 0,
      stdout: this.#output.bytes('stdout'),
      stderr: this.#output.bytes('stderr'),
      tier: this.#tier,
    });
  }

  /** The first end counts. The isolate is ended, and the answer given once it is. */
  #stop(answer: RunAnswer): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { isolate } = this.#fresh;
    if (!isolate.isDisposed) isolate.dispose();
    this.#answer.resolve(answer);
  }
}

/** Modules of Node that only a higher tier has. */
function tierWith(id: string): number {
  return /stream|readline|events|^util$|string_decoder/.test(id) ? 2 : 1;
}

function heapBytes(isolate: ivm.Isolate): number {
  const { total_heap_size, externally_allocated_size, malloced_memory } =
    isolate.getHeapStatisticsSync();
  return total_heap_size + externally_allocated_size + malloced_memory;
}

function unsupported(reason: string): RunAnswer {
  return { kind: 'unsupported', reason, isTainted: false };
}
