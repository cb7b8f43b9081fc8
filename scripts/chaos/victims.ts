/** Whom chaos kills: parts of replicas, whole replicas and Redis. What is dead comes again by itself or is started again here. */
import { setTimeout as sleep } from 'node:timers/promises';

import { ownedProcesses, processFacts } from '../../test/support/process-tree.ts';
import { startRedis, type TestRedis } from '../../test/support/redis.ts';
import type { RunningService, ServiceOptions } from '../../test/support/service.ts';

const START_MS = 240_000;

/** A replica in its place, dead or alive. */
export class Place {
  readonly #start: (stateDir: string | undefined) => Promise<RunningService>;
  #service: RunningService | null = null;

  constructor(start: (stateDir: string | undefined) => Promise<RunningService>) {
    this.#start = start;
  }

  get service(): RunningService | null {
    return this.#service;
  }

  async begin(): Promise<void> {
    this.#service = await this.#start(undefined);
  }

  /** As a crash does; another takes its place and its state folder. */
  async crash(): Promise<void> {
    const service = this.#service;
    if (service === null) return;
    this.#service = null;
    service.kill('SIGKILL');
    await service.exited(START_MS);
    this.#service = await this.#start(service.stateDir);
  }
}

export function replicaOptions(
  port: number,
  { redisUrl, tenants }: { readonly redisUrl: string; readonly tenants: string },
): ServiceOptions {
  return {
    languages: ['python'],
    port,
    startTimeoutMs: START_MS,
    flags: {
      '--self-test': 'none',
      '--anonymous': 'none',
      '--slots': '1',
      '--log-level': 'error',
      '--tenants': tenants,
      '--redis-url': redisUrl,
      '--redis-timeout-ms': '1000',
    },
  };
}

/** A Redis that comes again a second after it was killed, with what it had said that it has. */
export class LastingRedis {
  readonly #folder: string;
  #server: TestRedis | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  async begin(): Promise<void> {
    this.#server = await startRedis({ folder: this.#folder });
  }

  /** False while it is down. */
  get isUp(): boolean {
    return this.#server !== null;
  }

  async crash(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    await server.stop('SIGKILL');
    await sleep(1000);
    this.#server = await startRedis({ port: server.port, folder: this.#folder });
  }

  async stop(): Promise<void> {
    await this.#server?.stop('SIGTERM');
  }
}

type Pick = (service: RunningService) => readonly number[];

/** Parts of a replica, by name. */
export const PARTS: Readonly<Record<string, Pick>> = {
  jail: ({ pid }) => ownedProcesses(pid).nsjails,
  supervisor: ({ pid }) => ownedProcesses(pid).supervisors,
  'warm runtime': ({ pid }) => ownedProcesses(pid).warmRuntimes,
  launcher: ({ pid }) => ownedProcesses(pid).launchers,
};

/** Kills one of these, chosen by a number from 0 to 1; false where there is none. */
export function killOne(pids: readonly number[], chance: number): boolean {
  const pid = pids[Math.floor(chance * pids.length)];
  if (pid === undefined || processFacts(pid) === null) return false;
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // It ended meanwhile.
    return false;
  }
}

/** A process by its number and the time of its start: numbers come again within minutes. Null when it is gone. */
export function identityOf(pid: number): string | null {
  const facts = processFacts(pid);
  return facts === null || facts.state === 'Z' ? null : `${pid} ${facts.started}`;
}
