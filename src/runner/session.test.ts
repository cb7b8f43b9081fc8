/** The session against the fake wall: order, window, cancel, watchdog, back-pressure, and a supervisor that misbehaves. */
import { Duplex, duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';

import { Fault } from '../domain/errors.ts';
import { createFakeClock } from '../lib/fake-clock.ts';
import { createChannelJail } from '../sandbox/channel-jail.ts';
import { createFakeSandbox } from '../sandbox/fake/fake.ts';
import type { FakeSandboxOptions } from '../sandbox/fake/fake.ts';
import { FRAME, FrameDecoder, TO_SUPERVISOR, encodeFrame } from './frame.ts';
import type { OutputListener } from './live-stream.ts';
import type { RunSpec } from './pending-run.ts';
import { encodeHello } from './protocol.ts';
import { Session } from './session.ts';

const MIB = 1024 * 1024;
const policy = {
  environment: 'test',
  mounts: [],
  memoryMaxBytes: 512 * MIB,
  processesMax: 64,
  stagingBytes: 64 * MIB,
  warm: null,
};

function aRun(script: object, over: Partial<RunSpec> = {}): RunSpec {
  return {
    argv: ['./main'],
    env: {},
    stdin: new Uint8Array(0),
    files: [{ path: 'main', content: Buffer.from(JSON.stringify(script)), executable: false }],
    limits: {
      cpuMs: 1000,
      wallMs: 3000,
      memoryBytes: 64 * MIB,
      outputBytes: 64 * 1024,
      processes: 16,
      diskBytes: MIB,
      inodes: 100,
      openFiles: 64,
      stackBytes: MIB,
      collectBytes: MIB,
    },
    cpu: -1,
    warm: false,
    collect: [],
    ...over,
  };
}

async function openSession(options: Partial<FakeSandboxOptions> = {}) {
  const clock = createFakeClock();
  const sandbox = createFakeSandbox({ clock, ...options });
  const jail = await sandbox.start(policy);
  const kill = (name: string): void => sandbox.kill(name);
  const session = await Session.open(jail, { clock, helloTimeoutMs: 1000, kill });
  return { clock, sandbox, jail, session };
}

/** Lets streams and promises that are ready do their work. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function faultCode(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? error.code : String(error)),
  );
}

describe('session', () => {
  it('takes HELLO, stages, runs, and joins what came in pieces', async () => {
    const { session } = await openSession();
    expect(session.hello).toMatchObject({ name: 'jail-1', cgroup: 'none' });
    const script = { echo: true, stdout: 'x'.repeat(10), repeat: 20_000, stderr: 'e', exitCode: 3 };
    await session.stage([
      { path: 'main', content: Buffer.from(JSON.stringify(script)), executable: false },
      { path: 'data/big', content: Buffer.alloc(600_000, 7), executable: false },
    ]);
    const spec = aRun({}, { files: [], stdin: Buffer.from('in:'), collect: ['data/big', 'none'] });
    const limits = { ...spec.limits, outputBytes: MIB };
    const exit = await session.run({ ...spec, limits });
    expect(exit).toMatchObject({ cause: 'exited', exitCode: 3, stdoutBytes: 200_003 });
    expect(Buffer.from(exit.stdout).toString()).toBe(`in:${'x'.repeat(200_000)}`);
    expect(Buffer.from(exit.stderr).toString()).toBe('e');
    expect(
      exit.collected.map(({ path, status, content }) => [path, status, content.length]),
    ).toEqual([
      ['data/big', 'ok', 600_000],
      ['none', 'missing', 0],
    ]);
  });

  it('keeps two runs under way and one waiting, in order; a fourth is an assertion', async () => {
    const { session, clock } = await openSession();
    const order: number[] = [];
    const runs = [1, 2, 3].map(async (n) => {
      await session.run(aRun({ delayMs: 10 }));
      order.push(n);
    });
    await expect(session.run(aRun({}))).rejects.toThrow('too many runs');
    for (let turn = 0; turn < 3; turn++) {
      await settle();
      clock.advance(10);
    }
    await Promise.all(runs);
    expect(order).toEqual([1, 2, 3]);
  });

  it('cancels the current, the sent and the waiting run, and works on', async () => {
    const { session } = await openSession();
    const runs = [0, 1, 2].map(() => session.run(aRun({ delayMs: 1e6 })));
    await settle();
    session.cancel();
    const exits = await Promise.all(runs);
    expect(exits.map(({ cause }) => cause)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(await session.run(aRun({ stdout: 'on' }))).toMatchObject({ cause: 'exited' });
  });

  it('cancels by signal, also before anything is sent, and leaves no listener on it', async () => {
    const { session } = await openSession();
    const controller = new AbortController();
    const run = session.run(aRun({ delayMs: 1e6 }), { signal: controller.signal });
    await settle();
    controller.abort();
    expect((await run).cause).toBe('cancelled');
    expect((await session.run(aRun({}), { signal: controller.signal })).cause).toBe('cancelled');
  });

  it('cancels in the middle of a large input', async () => {
    const { session } = await openSession();
    const run = session.run(aRun({ echo: true }, { stdin: Buffer.alloc(32 * MIB) }));
    session.cancel();
    expect((await run).cause).toBe('cancelled');
    expect((await session.run(aRun({}))).cause).toBe('exited');
  });

  it('resets, forgets the program and counts runs from 1 again', async () => {
    const { session } = await openSession();
    await session.stage([{ path: 'main', content: Buffer.from('{}'), executable: false }]);
    expect((await session.run(aRun({}, { files: [] }))).cause).toBe('exited');
    expect(await session.reset()).toMatchObject({ clean: true, fds: 4, mounts: 20, processes: 1 });
    expect((await session.run(aRun({}, { files: [] }))).cause).toBe('not_started');
  });

  it.each([
    ['die', 'jail_died'],
    ['garbage', 'protocol_error'],
    ['wrong_id', 'protocol_error'],
    ['error', 'supervisor_error'],
  ])('a supervisor that does %s is the fault %s for all runs', async (fault, code) => {
    const { session, sandbox } = await openSession();
    const runs = [aRun({ fault }), aRun({})].map((spec) => faultCode(session.run(spec)));
    expect(await Promise.all(runs)).toEqual([code, code]);
    expect(await faultCode(session.run(aRun({})))).toBe(code);
    expect(await faultCode(session.stage([]))).toBe(code);
    await settle();
    expect(sandbox.jailCount).toBe(0);
  });

  it.each([true, false])('asks whose the death of a jail was: its cap met is %s', async (met) => {
    const clock = createFakeClock();
    const sandbox = createFakeSandbox({ clock });
    const asked: string[] = [];
    const metCap = async (name: string): Promise<boolean> => {
      asked.push(name);
      return met;
    };
    const jail = await sandbox.start(policy);
    const session = await Session.open(jail, { clock, helloTimeoutMs: 1000, metCap });
    const head = session.run(aRun({ fault: 'die' }, { collect: ['made'] }));
    const behind = faultCode(session.run(aRun({})));
    if (met) {
      expect(await head).toMatchObject({
        ...{ cause: 'memory', signal: 9, limitHits: 1, memorySource: 'unknown', stdoutBytes: 0 },
        collected: [{ path: 'made', status: 'missing' }],
      });
    } else expect(await faultCode(head)).toBe('jail_died');
    expect(await behind).toBe('jail_died');
    expect(await faultCode(session.run(aRun({})))).toBe('jail_died');
    expect(asked).toEqual(['jail-1']);
  });

  it('calls a silent supervisor unresponsive after its wall limit four times, allowance and grace, and kills it', async () => {
    const { session, sandbox, clock } = await openSession();
    const code = faultCode(session.run(aRun({ fault: 'hang' })));
    await settle();
    clock.advance(4 * 3000 + 5000 + 10_000 - 1);
    await settle();
    expect(session.failure).toBeNull();
    clock.advance(1);
    expect(await code).toBe('jail_unresponsive');
    expect(sandbox.killed).toEqual(['jail-1']);
  });

  it('rejects runs under way when it is closed', async () => {
    const { session, sandbox } = await openSession();
    const code = faultCode(session.run(aRun({ delayMs: 1e6 })));
    await settle();
    await session.close();
    expect(await code).toBe('jail_died');
    expect(sandbox.jailCount).toBe(0);
  });

  it('gives up on a HELLO that does not come, or an end before it', async () => {
    const clock = createFakeClock();
    const sandbox = createFakeSandbox({ clock, onStart: () => 'silent' });
    const code = faultCode(
      Session.open(await sandbox.start(policy), { clock, helloTimeoutMs: 50 }),
    );
    clock.advance(50);
    expect(await code).toBe('jail_start_failed');
    const jail = await sandbox.start(policy);
    const second = faultCode(Session.open(jail, { clock, helloTimeoutMs: 50 }));
    sandbox.kill('jail-2');
    expect(await second).toBe('jail_start_failed');
  });

  it('refuses what does not fit the protocol before anything is sent, and works on', async () => {
    const { session } = await openSession();
    const bad = { path: '../x', content: new Uint8Array(0), executable: false };
    await expect(session.stage([bad])).rejects.toThrow(RangeError);
    await expect(session.run(aRun({}, { files: [bad] }))).rejects.toThrow(RangeError);
    await expect(session.run(aRun({}, { argv: [] }))).rejects.toThrow(RangeError);
    expect((await session.run(aRun({}))).cause).toBe('exited');
  });
});

/** A supervisor that says HELLO and then reads nothing until it is told to. */
async function openAgainstReader() {
  const clock = createFakeClock();
  const [ours, theirs] = duplexPair({ highWaterMark: 65_536 });
  const features = {
    seccomp: true,
    ownUid: true,
    memoryByCgroup: false,
    pidsByCgroup: false,
    cpuByCgroup: false,
    peakResettable: false,
    warm: false,
    live: true,
  };
  const baseline = { fds: 1, mounts: 1, processes: 1 };
  const hello = encodeHello({ cgroup: 'none', features, baseline, name: 'jail-1' });
  theirs.write(encodeFrame(FRAME.hello, { id: 0 }, hello));
  const jail = createChannelJail(ours);
  const session = await Session.open(jail, { clock, helloTimeoutMs: 100, graceMs: 100 });
  return { clock, ours, theirs, session };
}

describe('session against back-pressure', () => {
  it('holds only a little of a large input, and sends all of it once it is taken', async () => {
    const { session, ours, theirs } = await openAgainstReader();
    const run = faultCode(session.run(aRun({}, { stdin: Buffer.alloc(8 * MIB, 1) })));
    await settle();
    expect(ours.writableLength + theirs.readableLength).toBeLessThan(512 * 1024);
    let received = 0;
    const decoder = new FrameDecoder(TO_SUPERVISOR);
    theirs.on('data', (chunk: Uint8Array) => {
      for (const frame of decoder.push(chunk)) {
        if (frame.type === FRAME.stdin) received += frame.payload.length;
      }
    });
    await settle();
    for (let turn = 0; turn < 50 && received < 8 * MIB; turn++) await settle();
    expect(received).toBe(8 * MIB);
    await session.close();
    expect(await run).toBe('jail_died');
  });

  it('gives up on a supervisor that takes no input', async () => {
    const { clock, session } = await openAgainstReader();
    const code = faultCode(session.run(aRun({}, { stdin: Buffer.alloc(8 * MIB) })));
    await settle();
    clock.advance(100);
    expect(await code).toBe('jail_unresponsive');
  });

  it('leaves no listener of its own behind', async () => {
    const { ours, session } = await openAgainstReader();
    await session.close();
    await settle();
    expect(ours.destroyed).toBe(true);
    for (const event of ['data', 'end', 'drain']) expect(ours.listenerCount(event)).toBe(0);
    expect(ours).toBeInstanceOf(Duplex);
  });
});

describe('a live run', () => {
  const heard = (): { text: () => string; onOutput: OutputListener } => {
    const parts: Buffer[] = [];
    return {
      text: () => Buffer.concat(parts).toString(),
      onOutput: (stream, bytes) => {
        parts.push(Buffer.from(stream === 'stdout' ? bytes : []));
        return undefined;
      },
    };
  };

  it('hears at once what comes of what is said, and ends at the end of its input', async () => {
    const { session } = await openSession();
    const { text, onOutput } = heard();
    const talk = session.converse(aRun({ echo: true, stdout: 'bye' }), { onOutput });
    await talk.write(Buffer.from('one'));
    await settle();
    expect(text()).toBe('one');
    await talk.write(Buffer.from('two'));
    talk.end();
    expect(await talk.exit).toMatchObject({ cause: 'exited', stdoutBytes: 9 });
    expect(text()).toBe('onetwobye');
    await talk.write(Buffer.from('nobody'));
    expect(await session.run(aRun({ stdout: 'on' }))).toMatchObject({ cause: 'exited' });
  });

  it('passes signals on, also before it has begun and after the end of its input', async () => {
    const { session } = await openSession();
    const { onOutput } = heard();
    const early = session.converse(aRun({ reads: false }), { onOutput });
    early.signal(15);
    expect(await early.exit).toMatchObject({ cause: 'signalled', signal: 15 });
    const late = session.converse(aRun({ reads: false }), { onOutput });
    late.end();
    await settle();
    late.signal(9);
    expect(await late.exit).toMatchObject({ cause: 'signalled', signal: 9 });
    late.signal(9);
    expect(await session.run(aRun({ stdout: 'on' }))).toMatchObject({ cause: 'exited' });
  });

  it('carries more than the buffer, in order', async () => {
    const { session } = await openSession();
    const { text, onOutput } = heard();
    const spec = aRun({ echo: true });
    const limits = { ...spec.limits, outputBytes: 4 * MIB };
    const talk = session.converse({ ...spec, limits }, { onOutput });
    const data = Buffer.from('0123456789abcdef'.repeat(65_536));
    await Promise.all([talk.write(data), talk.write(Buffer.from('end'))]);
    talk.end();
    await talk.exit;
    expect(text()).toBe(`${data.toString()}end`);
  });

  it('keeps a writer waiting while nothing is taken, until the run ends', async () => {
    const { session, clock } = await openSession();
    const { onOutput } = heard();
    const talk = session.converse(aRun({ reads: false }), { onOutput });
    let isWritten = false;
    const written = talk.write(Buffer.alloc(MIB))?.then(() => (isWritten = true));
    await settle();
    expect(isWritten).toBe(false);
    clock.advance(3000);
    expect(await talk.exit).toMatchObject({ cause: 'wall' });
    await written;
  });

  it('reads no more while the listener waits, and drops the rest a second after the latest end', async () => {
    const { session, clock } = await openSession();
    let calls = 0;
    const onOutput = (): Promise<void> => {
      calls += 1;
      return new Promise(() => {});
    };
    const talk = session.converse(aRun({ echo: true }), { onOutput });
    await talk.write(Buffer.from('a'));
    await settle();
    await talk.write(Buffer.from('b'));
    await settle();
    clock.advance(4 * 3000);
    await settle();
    expect(calls).toBe(1);
    clock.advance(1000);
    expect(await talk.exit).toMatchObject({ cause: 'wall', stdoutBytes: 2 });
    expect(calls).toBe(1);
    expect(session.failure).toBeNull();
  });

  it('is cancelled by signal, and alone', async () => {
    const { session } = await openSession();
    const controller = new AbortController();
    const talk = session.converse(aRun({}), { ...heard(), signal: controller.signal });
    await settle();
    await expect(session.run(aRun({}))).rejects.toThrow('beside a live one');
    controller.abort();
    expect((await talk.exit).cause).toBe('cancelled');
    expect((await session.run(aRun({}))).cause).toBe('exited');
  });

  it('ends the jail when its listener fails, and rejects', async () => {
    const { session } = await openSession();
    const onOutput = (): Promise<void> => Promise.reject(new Error('no listener'));
    const talk = session.converse(aRun({ echo: true }), { onOutput });
    await talk.write(Buffer.from('a'));
    expect(await faultCode(talk.exit)).toBe('internal');
  });
});
