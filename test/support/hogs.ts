/** Neighbours that want every core all the time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Hogs extends AsyncDisposable {
  /** Throws where one has ended: what was measured beside them was not. */
  requireRunning(): void;
}

/** Each in a session of its own, which the scheduler treats as one of many and not as a part of the tests. */
export function startHogs(count: number): Hogs {
  const hogs: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { detached: true, stdio: 'ignore' }),
  );
  const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
    exitCode === null && signalCode === null;
  return {
    requireRunning() {
      if (!hogs.every(isRunning)) throw new Error('a neighbour has ended');
    },
    async [Symbol.asyncDispose]() {
      for (const hog of hogs.filter(isRunning)) {
        const ended = once(hog, 'exit');
        hog.kill('SIGKILL');
        await ended;
      }
    },
  };
}
