/**
 * A launcher that is always there: when it ends unasked, the next connection starts another one. Its jails end with it
 * (PR_SET_PDEATHSIG), and the new one removes their control groups before it listens.
 */
import type { Socket } from 'node:net';

import { Fault } from '../../domain/errors.ts';
import { startLauncher } from './launcher-client.ts';
import type { LauncherClient, LauncherOptions } from './launcher-client.ts';

/** After a refused connection: how long the launcher may take to prove dead by itself, ms. */
const DEATH_NOTICE_MS = 2000;
/** How long a launcher may take to report a connection that was closed at once; more than any busy host needs, ms. */
const RESPONSE_MS = 10_000;

export interface StandingLauncher extends LauncherClient {
  /** To be told of a jail of which nothing was heard: a launcher that does not respond is replaced. */
  suspect(): void;
}

/** Starts the first launcher. Throws `Fault('jail_start_failed')`, then and whenever a later one does not start. */
export async function startStandingLauncher(options: LauncherOptions): Promise<StandingLauncher> {
  let client = await startLauncher(options);
  let restarting: Promise<void> | null = null;
  let checking: Promise<void> | null = null;
  let isClosed = false;

  const restart = async (): Promise<void> => {
    const successor = await startLauncher({ ...options, lastWords: client.lastWords() });
    client = successor;
    if (isClosed) await successor.close();
  };
  /** The launcher now; a new one when the last has ended. */
  const current = async (): Promise<LauncherClient> => {
    if (isClosed) throw new Fault('jail_start_failed', 'the launcher is closed');
    if (client.hasEnded) {
      restarting ??= restart().finally(() => {
        restarting = null;
      });
      await restarting;
    }
    return client;
  };
  const check = async (): Promise<void> => {
    const suspected = client;
    if (suspected.hasEnded || isClosed || (await suspected.isResponsive(RESPONSE_MS))) return;
    await suspected.destroy(`has not responded within ${RESPONSE_MS} ms`);
  };
  return {
    async connect(): Promise<Socket> {
      const first = await current();
      try {
        return await first.connect();
      } catch (error) {
        // A jail may learn of the launcher's death before we do.
        await first.endedWithin(DEATH_NOTICE_MS);
        if (isClosed) throw error;
        // It lives and cannot be reached: its socket is gone, and with it all it is good for.
        if (!first.hasEnded && !(await first.isResponsive(RESPONSE_MS)))
          await first.destroy('cannot be reached');
        return await (await current()).connect();
      }
    },
    suspect() {
      checking ??= check().finally(() => {
        checking = null;
      });
    },
    isResponsive: (ms) => client.isResponsive(ms),
    destroy: (why) => client.destroy(why),
    get hasEnded() {
      return client.hasEnded;
    },
    kill: (name) => client.kill(name),
    metCap: (name, ms) => client.metCap(name, ms),
    pid: () => client.pid(),
    logTail: () => client.logTail(),
    lastWords: () => client.lastWords(),
    nextExit: (ms) => client.nextExit(ms),
    endedWithin: (ms) => client.endedWithin(ms),
    async close() {
      isClosed = true;
      // A failed restart has left nothing to close.
      await restarting?.catch(() => undefined);
      await client.close();
      await checking;
    },
  };
}
