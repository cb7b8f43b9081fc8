/**
 * A deterministic wall in this process, for tests of everything above the port: real protocol, scripted programs
 * (`script.ts`), faults on demand. It holds nothing in: never for submitted code.
 */
import { duplexPair } from 'node:stream';

import { Fault } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { createChannelJail } from '../channel-jail.ts';
import type { ChannelJail } from '../channel-jail.ts';
import type { CgroupBackEnd } from '../../domain/wall.ts';
import type { JailPolicy, Sandbox } from '../port.ts';
import { FakeSupervisor } from './fake-supervisor.ts';

/** How the start of a jail goes: well, refused, or without ever a HELLO. */
type FakeStart = 'ok' | 'refused' | 'silent';

export interface FakeSandboxOptions {
  readonly clock: Clock;
  readonly cgroup?: CgroupBackEnd;
  /** Called at each start with the jail's number, from 1. Default: all go well. */
  readonly onStart?: (number: number, policy: JailPolicy) => FakeStart;
  /** What CLEAN says for the jail of that number. Default: clean. */
  readonly isClean?: (number: number) => boolean;
  /** What `measure` tells of the jail of that number. Default: null, nothing is known. */
  readonly size?: (number: number) => number | null;
}

export interface FakeSandbox extends Sandbox {
  /** Jails started and not yet closed. */
  readonly jailCount: number;
  /** Jails ever started. */
  readonly startCount: number;
  /** Names given to `kill`, in order. */
  readonly killed: readonly string[];
}

export function createFakeSandbox(options: FakeSandboxOptions): FakeSandbox {
  const { clock, cgroup = 'none' } = options;
  const jails = new Map<
    string,
    { readonly jail: ChannelJail; readonly supervisor: FakeSupervisor }
  >();
  const killed: string[] = [];
  let startCount = 0;
  let isClosed = false;
  return {
    wall: 'fake',
    cgroup,
    hasHosts: true,
    killed,
    get jailCount() {
      return jails.size;
    },
    get startCount() {
      return startCount;
    },
    async start(policy) {
      if (isClosed) throw new Fault('jail_start_failed', 'the sandbox is closed');
      startCount += 1;
      const number = startCount;
      const outcome = options.onStart?.(number, policy) ?? 'ok';
      if (outcome === 'refused') throw new Fault('jail_start_failed', 'refused as scripted');
      const name = `jail-${number}`;
      const [ours, theirs] = duplexPair();
      const jail = createChannelJail(ours);
      const isClean = (): boolean => options.isClean?.(number) ?? true;
      const supervisor = new FakeSupervisor(theirs, { clock, name, number, cgroup, isClean });
      // A pair of streams does not hand on a destroy as sockets do.
      theirs.on('close', () => ours.destroy());
      ours.on('close', () => supervisor.stop());
      jails.set(name, { jail, supervisor });
      void jail.closed.then(() => jails.delete(name));
      if (outcome === 'ok') supervisor.start();
      return jail;
    },
    metCap: async () => false,
    kill(name) {
      killed.push(name);
      const entry = jails.get(name);
      entry?.jail.explain('killed');
      entry?.supervisor.stop();
    },
    async measure(name) {
      return jails.has(name) ? (options.size?.(Number(name.slice('jail-'.length))) ?? null) : null;
    },
    async close() {
      isClosed = true;
      await Promise.all([...jails.values()].map(({ jail }) => jail.close()));
    },
  };
}
