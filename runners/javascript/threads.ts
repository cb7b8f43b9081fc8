/**
 * The host's two threads, used in turn: while one runs a program, the other makes its next isolate. Programs never run
 * side by side.
 */
import { Piscina } from 'piscina';

import type { Guest, Prepared, RunAnswer, RunTask, Task } from './task.ts';

export interface Threads {
  /** Resolves once both threads can run a program. Rejects when the guest does not load on this Node. */
  ready(): Promise<void>;
  prepare(entry: string, source: Uint8Array): Promise<Prepared>;
  run(task: Omit<RunTask, 'kind'>): Promise<RunAnswer>;
}

/** Touches what most programs do. */
const WARM_UP = `require('readline').createInterface({ input: process.stdin }).on('line', (line) =>
  setTimeout(() => console.log([line], new Map([[1, { a: 2 }]])), 1));`;
const WARM_UP_RUN = {
  argv: [process.execPath, '/work/main.js'],
  env: {},
  stdin: Buffer.from('1\n2\n'),
  cpuMs: 60_000,
  wallMs: 60_000,
  memoryBytes: 512 * 1024 * 1024,
  outputBytes: 4096,
  cancel: new Int32Array(1),
} as const;
const THREADS = 2;
const STACK_MB = 4;

export function createThreads(guest: Guest): Threads {
  const filename = new URL('isolate-worker.ts', import.meta.url).href;
  const threads = Array.from(
    { length: THREADS },
    () =>
      new Piscina<Task, Prepared | RunAnswer>({
        filename,
        name: 'work',
        workerData: guest,
        minThreads: 1,
        maxThreads: 1,
        // With Atomics a thread sleeps between tasks, and would make no isolate ahead.
        atomics: 'disabled',
        resourceLimits: { stackSizeMb: STACK_MB },
      }),
  );
  let turn = 0;
  const pool = (thread: number): Piscina<Task, Prepared | RunAnswer> => {
    const found = threads[thread % THREADS];
    if (found === undefined) throw new RangeError('no thread');
    return found;
  };
  const prepare = async (entry: string, source: Uint8Array, thread: number): Promise<Prepared> => {
    const answer = await pool(thread).run({ kind: 'prepare', entry, source });
    if (answer.kind === 'ended' || 'isTainted' in answer) throw new TypeError('no preparation');
    return answer;
  };
  const warmUp = async (thread: number): Promise<void> => {
    const program = await prepare('main.js', Buffer.from(WARM_UP), thread);
    const answer = await pool(thread).run({ kind: 'run', program, ...WARM_UP_RUN });
    if (answer.kind !== 'ended' || answer.exitCode !== 0) throw new Error(JSON.stringify(answer));
  };
  return {
    async ready() {
      // A first run opens what later ones find open, so that descriptors can be counted.
      await Promise.all(threads.map((_, index) => warmUp(index)));
    },
    prepare: (entry, source) => prepare(entry, source, turn),
    async run(task) {
      const answer = await pool(turn++).run({ kind: 'run', ...task });
      if (answer.kind === 'ended' || 'isTainted' in answer) return answer;
      throw new TypeError('no answer');
    },
  };
}
