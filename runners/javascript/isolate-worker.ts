/** A thread of the host: prepares programs and runs them in isolates of its own, one at a time. */
import { workerData } from 'piscina';

import { runInIsolate } from './isolate-run.ts';
import { createIsolates } from './isolates.ts';
import { prepare } from './prepare.ts';
import type { Guest, Prepared, RunAnswer, RunTask, Task } from './task.ts';

// oxlint-disable-next-line typescript/no-unsafe-assignment -- untyped by Piscina; `createThreads` gives it
const guest: Guest = workerData;
const isolates = createIsolates(guest);
isolates.makeSpare(0, memoryMbOf(560 * 1024 * 1024));

/** Does one task; Piscina calls it by its name. */
export async function work(task: Task): Promise<Prepared | RunAnswer> {
  if (task.kind === 'prepare') return prepare(task.entry, task.source);
  const { program } = task;
  switch (program.kind) {
    case 'unsupported':
      return { kind: 'unsupported', reason: program.reason, isTainted: false };
    case 'broken':
      return broken(program);
    case 'script': {
      const memoryMb = memoryMbOf(task.memoryBytes);
      const fresh = isolates.take(program.tier, memoryMb);
      const answer = await runInIsolate(fresh, { ...task, program }, isolates.sources);
      // After the answer has left this thread.
      setImmediate(() => isolates.makeSpare(program.tier, memoryMb));
      return answer;
    }
  }
}

/**
 * Half of the run's limit for the heap: whatever a program does with less fits a Node process of the whole limit, and
 * one that needs more is judged there.
 */
function memoryMbOf(bytes: number): number {
  const MIB = 1024 * 1024;
  return Math.max(8, Math.min(512, Math.floor(bytes / MIB / 2)));
}

/** Node prints the error and ends with 1, before anything of the program runs. */
function broken(program: Extract<RunTask['program'], { kind: 'broken' }>): RunAnswer {
  const stderr = `/work/${program.entry}\n\n${program.message}\n\nNode.js ${process.version}\n`;
  return {
    kind: 'ended',
    cause: 'exited',
    exitCode: 1,
    cpuUs: 0,
    wallUs: 0,
    memoryBytes: 0,
    stdout: Buffer.alloc(0),
    stderr: Buffer.from(stderr, 'utf8'),
    tier: 0,
  };
}
