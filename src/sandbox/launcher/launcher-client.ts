/**
 * One launcher process as the service holds it: spawned early, while this process is small; its control lines, its
 * reports and the tail of its log. Knows nothing of policies or runs.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

import { Fault } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';

export interface LauncherOptions {
  readonly clock: Clock;
  /** Host path of the launcher. */
  readonly launcher: string;
  /** Its arguments that say what a connection becomes. */
  readonly wallArgs: readonly string[];
  /** Where it listens; the folder is private to this user. */
  readonly socket: string;
  /** cgroup folders, in the order that LAUNCH records count by. */
  readonly parents: readonly string[];
  readonly jailsMax: number;
  /** The last words of the one before it, of which jails may still have to be explained. */
  readonly lastWords?: string;
}

export interface LauncherClient {
  /** A connection to a launcher that waits for LAUNCH. Throws `Fault('jail_start_failed')`. */
  connect(): Promise<Socket>;
  kill(name: string): void;
  /** The launcher's process; null when it is gone. */
  pid(): number | null;
  /** The last lines of the log of launcher, walls and supervisors, and the last two. */
  logTail(): string;
  lastWords(): string;
  /** Whether the jail of that name was ended by its cap of memory; false where its end is not reported within `ms`. */
  metCap(name: string, ms: number): Promise<boolean>;
  /** Resolves at a report of an ended jail, at once when one came in the last `ms`, else after `ms`. */
  nextExit(ms: number): Promise<void>;
  /** Whether it still takes connections: one that is closed at once is reported within `ms`. */
  isResponsive(ms: number): Promise<boolean>;
  /** Kills it, and with it its jails, with that as the last word of its log; resolves when it is gone. */
  destroy(why: string): Promise<void>;
  /** Whether the launcher is gone, asked or not. */
  readonly hasEnded: boolean;
  /** Resolves when the launcher is gone, at the latest after `ms`. */
  endedWithin(ms: number): Promise<void>;
  /** Ends all jails and the launcher; resolves when they are gone. Idempotent. */
  close(): Promise<void>;
}

const READY_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 15_000;
const ENDS_KEPT = 256;
const TAIL_LINES = 20;
const LINE_CHARS = 500;

/** Starts the launcher and waits until it listens. Throws `Fault('jail_start_failed')`. */
export async function startLauncher(options: LauncherOptions): Promise<LauncherClient> {
  const { clock, socket } = options;
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
  const child = spawnLauncher(options);
  const tail = createTail(options.lastWords);
  const { say } = tail;
  const waiters = new Set<() => void>();
  /** Of those who ask how a jail ended. */
  const endWaiters = new Set<() => void>();
  /** The last jails that ended: whether by their cap. */
  const ends = new Map<string, boolean>();
  let reportedAt = Number.NEGATIVE_INFINITY;
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let hasEnded = false;

  const report = (line: string): void => {
    if (line === 'ready') return ready.resolve();
    if (noteEnd(ends, line)) return endWaiters.forEach((waiter) => waiter());
    if (!/^exit \S+ \d+$/.test(line)) return say(`unexpected report: ${line}`);
    reportedAt = clock.now();
    for (const waiter of waiters) waiter();
  };
  const end = (why: string): void => {
    say(why);
    ready.reject(new Fault('jail_start_failed', `the launcher: ${tail.text()}`));
    for (const waiter of [...waiters, ...endWaiters]) waiter();
    hasEnded = true;
    ended.resolve();
  };
  createInterface({ input: child.stdout }).on('line', report);
  createInterface({ input: child.stderr }).on('line', say);
  child.on('error', (error) => end(`it cannot be started: ${error.message}`));
  child.on('close', (code, signal) => end(`it ended, ${signal ?? `exit code ${code}`}`));

  const timer = clock.after(READY_TIMEOUT_MS, () => end(`not ready in ${READY_TIMEOUT_MS} ms`));
  await ready.promise.catch(killAndThrow(child)).finally(() => timer.cancel());
  return {
    connect: () => connectTo(socket),
    kill(name) {
      if (/^jail-\d+$/.test(name)) child.stdin.write(`kill ${name}\n`);
    },
    async metCap(name, ms) {
      const hasTold = (): boolean => ends.has(name) || hasEnded;
      await toldWithin(ms, hasTold, { waiters: endWaiters, clock });
      return ends.get(name) ?? false;
    },
    pid: () => (hasEnded ? null : (child.pid ?? null)),
    logTail: tail.text,
    lastWords: tail.last,
    async nextExit(ms) {
      if (clock.now() - reportedAt >= ms) await reportWithin(ms, { waiters, clock });
    },
    async isResponsive(ms) {
      const isReported = await reportOfProbe(socket, ms, { waiters, clock });
      return isReported && !hasEnded;
    },
    async destroy(why) {
      say(`the launcher, process ${child.pid}, ${why}; it is replaced`);
      child.kill('SIGKILL');
      await ended.promise;
    },
    get hasEnded() {
      return hasEnded;
    },
    endedWithin: (ms) => settledWithin(ended.promise, ms, clock),
    async close() {
      child.stdin.end();
      const limit = clock.after(CLOSE_TIMEOUT_MS, () => child.kill('SIGKILL'));
      await ended.promise;
      limit.cancel();
    },
  };
}

interface Tail {
  readonly say: (line: string) => void;
  readonly text: () => string;
  /** The last two lines: why it was ended, and how it did. */
  readonly last: () => string;
}

/** The last lines of a log. */
function createTail(first: string | undefined): Tail {
  const lines: string[] = first === undefined ? [] : [first];
  return {
    say(line) {
      lines.push(line.slice(0, LINE_CHARS));
      if (lines.length > TAIL_LINES) lines.shift();
    },
    text: () => lines.join(' | '),
    last: () => lines.slice(-2).join(' | ').slice(-LINE_CHARS),
  };
}

function killAndThrow(child: ChildProcessWithoutNullStreams): (error: unknown) => never {
  return (error) => {
    child.kill('SIGKILL');
    throw error;
  };
}

interface Reports {
  /** Called at each report, and when the launcher ends. */
  readonly waiters: Set<() => void>;
  readonly clock: Clock;
}

/** Notes whether a jail was ended by its cap, for the last of them; false for another line. */
function noteEnd(ends: Map<string, boolean>, line: string): boolean {
  const [, name, how] = /^end (\S+) (cap|other)$/.exec(line) ?? [];
  if (name === undefined) return false;
  ends.set(name, how === 'cap');
  for (const oldest of ends.keys()) if (ends.size > ENDS_KEPT) ends.delete(oldest);
  return true;
}

/** Waits for reports until one has told what is asked for, at most for `ms`. */
async function toldWithin(ms: number, hasTold: () => boolean, reports: Reports): Promise<void> {
  const until = reports.clock.now() + ms;
  while (!hasTold() && reports.clock.now() < until)
    await reportWithin(until - reports.clock.now(), reports);
}

/** Whether the next report comes within `ms`; `givenUp` ends the waiting with no. */
async function reportWithin(
  ms: number,
  { waiters, clock }: Reports,
  givenUp?: Promise<void>,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const waiter = (): void => resolve(true);
  waiters.add(waiter);
  const limit = clock.after(ms, () => resolve(false));
  void givenUp?.then(() => resolve(false));
  try {
    return await promise;
  } finally {
    limit.cancel();
    waiters.delete(waiter);
  }
}

/** Whether a report comes within `ms` of a connection that is closed at once; not if there can be no connection. */
async function reportOfProbe(path: string, ms: number, reports: Reports): Promise<boolean> {
  const refused = Promise.withResolvers<void>();
  connectTo(path).then(
    (probe) => probe.destroy(),
    () => refused.resolve(),
  );
  return await reportWithin(ms, reports, refused.promise);
}

function spawnLauncher(options: LauncherOptions): ChildProcessWithoutNullStreams {
  const { launcher, wallArgs, socket, parents, jailsMax } = options;
  const args = ['--socket', socket, ...wallArgs, '--max-jails', String(jailsMax)];
  for (const parent of parents) args.push('--cgroup', parent);
  const child = spawn(launcher, args, {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    // A session of its own (setsid(2)): Ctrl-C signals the terminal's foreground group, and what runs is to end well.
    // It still ends with this process, because its standard input does.
    detached: true,
  });
  // A write to a launcher that has ended fails here; its end is told by `close`.
  child.stdin.on('error', () => {});
  return child;
}

/** Resolves when the promise does, or after `ms`. */
async function settledWithin(settled: Promise<void>, ms: number, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const limit = clock.after(ms, resolve);
  await Promise.race([settled, promise]);
  limit.cancel();
}

async function connectTo(path: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ path });
  const onError = (error: Error): void =>
    reject(new Fault('jail_start_failed', `the launcher cannot be reached: ${error.message}`));
  socket.once('error', onError);
  socket.once('connect', () => {
    socket.off('error', onError);
    resolve(socket);
  });
  return promise;
}
