/** Threads for work that would hold the event loop: made with the first task, ended when idle, with a bounded queue. */
import { Piscina } from 'piscina';

interface WorkerPoolOptions {
  /** URL of the worker's module (`workerUrl`). */
  readonly filename: string;
  readonly threadsMax: number;
  /** Waiting tasks beyond the threads. */
  readonly queueMax: number;
  /** Heap of a thread, MiB; by default the engine's own bound. */
  readonly heapMbMax?: number;
}

const IDLE_MS = 10_000;

export class WorkerPool<Task, Result> {
  readonly #options: WorkerPoolOptions;
  #threads: Piscina<Task, Result> | null = null;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether one more task would be refused. */
  get isFull(): boolean {
    return (this.#threads?.queueSize ?? 0) >= this.#options.queueMax;
  }

  /** Rejects with what the worker throws, or when its thread breaks. Precondition: neither closed nor full. */
  async run(task: Task, transferList: ArrayBuffer[] = []): Promise<Result> {
    const { filename, threadsMax, queueMax, heapMbMax } = this.#options;
    this.#threads ??= new Piscina({
      filename,
      minThreads: 0,
      maxThreads: threadsMax,
      maxQueue: queueMax,
      concurrentTasksPerWorker: 1,
      idleTimeout: IDLE_MS,
      env: {},
      ...(heapMbMax === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMbMax } }),
    });
    return await this.#threads.run(task, { transferList });
  }

  /** Ends the threads; tasks under way are rejected. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const threads = this.#threads;
    this.#threads = null;
    await threads?.destroy();
  }
}
