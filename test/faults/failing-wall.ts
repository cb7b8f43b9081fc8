/**
 * The fake wall with a fault in it: the nth use of the port fails, counted over starts of jails and over chunks written
 * to and read from their channels.
 */
import type { Jail, Sandbox } from '../../src/sandbox/port.ts';
import { Fault } from '../../src/domain/errors.ts';

export interface FaultPlan {
  /** Whether the use of that number, from 1, fails. */
  readonly fails: (use: number) => boolean;
}

export interface FailingSandbox extends Sandbox {
  /** Uses of the port so far. */
  readonly uses: number;
  /** Uses that failed. */
  readonly failures: number;
}

/** Wraps a sandbox; a failing start is refused, a failing write or read ends the channel. */
export function createFailingSandbox(inner: Sandbox, plan: FaultPlan): FailingSandbox {
  let uses = 0;
  let failures = 0;
  const use = (): 'works' | 'fails' => {
    uses += 1;
    if (!plan.fails(uses)) return 'works';
    failures += 1;
    return 'fails';
  };
  return {
    wall: inner.wall,
    cgroup: inner.cgroup,
    hasHosts: inner.hasHosts,
    get uses() {
      return uses;
    },
    get failures() {
      return failures;
    },
    async start(policy) {
      if (use() === 'fails') throw new Fault('jail_start_failed', 'as planned');
      const jail = await inner.start(policy);
      sabotage(jail, use);
      return jail;
    },
    kill: (name) => inner.kill(name),
    metCap: (name) => inner.metCap(name),
    measure: (name) => inner.measure(name),
    close: () => inner.close(),
  };
}

function sabotage({ channel }: Jail, use: () => 'works' | 'fails'): void {
  const write = channel.write.bind(channel);
  const push = channel.push.bind(channel);
  const planned = (): boolean => {
    if (use() === 'works') return false;
    channel.destroy(new Error('as planned'));
    return true;
  };
  channel.write = (chunk: unknown): boolean => (planned() ? false : write(chunk));
  channel.push = (chunk: unknown): boolean => (planned() ? false : push(chunk));
}
