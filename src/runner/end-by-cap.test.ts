/** A jail that dies by its cap, or that nobody can close: whose fault it was, and that the service goes on. */
import { duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';

import { Fault } from '../domain/errors.ts';
import { ByteWriter } from '../lib/binary.ts';
import { createFakeClock } from '../lib/fake-clock.ts';
import { createChannelJail } from '../sandbox/channel-jail.ts';
import { FRAME, encodeFrame } from './frame.ts';
import type { RunSpec } from './pending-run.ts';
import { encodeCollected, encodeHello } from './protocol.ts';
import { Session } from './session.ts';

const KIB = 1024;
const SPEC: RunSpec = {
  ...{ argv: ['./main'], env: {}, stdin: new Uint8Array(0), files: [] },
  limits: {
    ...{ cpuMs: 1000, wallMs: 3000, memoryBytes: 64 * KIB, outputBytes: KIB, processes: 16 },
    ...{ diskBytes: KIB, inodes: 100, openFiles: 64, stackBytes: KIB, collectBytes: KIB },
  },
  ...{ cpu: -1, warm: false, collect: [] },
};
const FEATURES = {
  ...{ seccomp: true, ownUid: true, memoryByCgroup: false, pidsByCgroup: false },
  ...{ cpuByCgroup: false, peakResettable: false, warm: false, live: true },
};

async function open(options: { readonly metCap?: () => Promise<boolean> } = {}) {
  const [ours, theirs] = duplexPair();
  const baseline = { fds: 1, mounts: 1, processes: 1 };
  const hello = encodeHello({ cgroup: 'none', features: FEATURES, baseline, name: 'jail-1' });
  theirs.write(encodeFrame(FRAME.hello, { id: 0 }, hello));
  theirs.resume();
  const jail = createChannelJail(ours);
  const clock = createFakeClock();
  const session = await Session.open(jail, { clock, helloTimeoutMs: 100, ...options });
  return { jail, theirs, session };
}

/** Lets streams and promises that are ready do their work. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const faultCode = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? error.code : String(error)),
  );

describe('the end of a jail', () => {
  const folder = new ByteWriter().u8(2).u16(0o755).u64(0).u16(1).bytes(Buffer.from('a')).finish();
  const missing = encodeCollected({ index: 0, status: 'missing', content: new Uint8Array(0) });

  it.each([
    ['TREE', FRAME.tree, folder, { tree: [] }],
    ['COLLECTED', FRAME.collected, missing, { collect: ['x'] }],
  ])('by its cap is a fault once %s has come: the run was over', async (_, type, payload, over) => {
    const { theirs, session } = await open({ metCap: async () => true });
    const code = faultCode(session.run({ ...SPEC, ...over }));
    await settle();
    theirs.end(encodeFrame(type, { id: 1 }, payload));
    expect(await code).toBe('jail_died');
  });

  it('by its cap is the memory of a run that was not over', async () => {
    const { theirs, session } = await open({ metCap: async () => true });
    const exit = session.run({ ...SPEC, tree: [] });
    await settle();
    theirs.end();
    const { cause, tree } = await exit;
    expect({ cause, tree }).toEqual({ cause: 'memory', tree: undefined });
  });

  it('is told also where the jail does not close', async () => {
    const { jail, theirs, session } = await open();
    jail.close = () => Promise.reject(new Error('it does not close'));
    const code = faultCode(session.run(SPEC));
    theirs.destroy();
    expect(await code).toBe('jail_died');
  });
});
