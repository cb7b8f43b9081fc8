/**
 * Tries one wall: a jail of its own, in it a program of ours that looks for ways out, and on the host what would see it
 * come (`verdict.ts` says what follows). Takes no slot and no pool, so it needs no language and nobody waits for it.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { toFault } from '../../domain/errors.ts';
import type { RawExit } from '../../domain/outcome.ts';
import { createCancelScope, unlessAborted } from '../../lib/cancel.ts';
import type { Clock } from '../../lib/clock.ts';
import type { RunSpec } from '../../runner/pending-run.ts';
import { Session } from '../../runner/session.ts';
import type { JailPolicy, Sandbox } from '../../sandbox/port.ts';
import { listenForProbe, type Listeners } from './listeners.ts';
import { judgeWall, type Observed, type WallTest } from './verdict.ts';

export interface WallTestParts {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  /** Host path of the static program that tries. */
  readonly probe: string;
  /** Ends the test with the service. */
  readonly signal: AbortSignal;
}

const MIB = 1024 * 1024;
/** For all of it, ms: a test takes a fifth of a second, and behind gVisor half of one; a busy host needs longer. */
const TEST_MS = 20_000;
const HELLO_MS = 10_000;

const PROCESSES_MAX = 16;
const MEMORY_BYTES = 32 * MIB;
/** What the program fills, MiB; more than every wall's slack, and less than its jail may have. */
const FILLED_MIB = 128;
const SHOWN = '/shown';

const LIMITS: RunSpec['limits'] = {
  cpuMs: 3000,
  wallMs: 4000,
  memoryBytes: MEMORY_BYTES,
  outputBytes: MIB / 16,
  processes: PROCESSES_MAX,
  diskBytes: 4 * MIB,
  inodes: 64,
  openFiles: 64,
  stackBytes: MIB,
  collectBytes: 0,
};

/** Never throws: what stands in the way is the reason of an `unknown`. */
export async function testWall(parts: WallTestParts): Promise<WallTest> {
  const { sandbox, clock } = parts;
  const [at, startedAt] = [clock.date(), clock.now()];
  const told = { wall: sandbox.wall, at };
  const finding = await observe(parts).then(judgeWall, (error: unknown) => ({
    state: 'unknown' as const,
    tried: [],
    holes: [],
    reason: toFault(error).detail,
  }));
  return { ...told, ms: clock.now() - startedAt, ...finding };
}

async function observe({ sandbox, clock, probe, signal }: WallTestParts): Promise<Observed> {
  using scope = createCancelScope({
    clock,
    sources: [{ signal, reason: () => new Error('the service is stopping') }],
    deadline: { ms: TEST_MS, reason: () => new Error(`it took longer than ${TEST_MS} ms`) },
  });
  const tokens = { probe: randomUUID(), own: randomUUID() };
  await using bait = await layBait(tokens.probe);
  await using listeners = await listenForProbe(tokens);
  const program = { path: 'wall-probe', content: await readFile(probe), executable: true };
  // A start has a limit of its own.
  const jail = await sandbox.start(toPolicy(bait.shown));
  try {
    const kill = (name: string): void => sandbox.kill(name);
    const session = await Session.open(jail, { clock, helloTimeoutMs: HELLO_MS, kill });
    await unlessAborted(session.stage([program]), scope.signal);
    const run = (...args: readonly string[]): Promise<RawExit> =>
      session.run(toRun(args, tokens.probe), { signal: scope.signal });
    const tried = await run('try', ...toArguments(bait, listeners, tokens.probe));
    const looked = await run('look');
    const processes = await run('processes');
    const memory = await run('memory', `mib=${FILLED_MIB}`);
    scope.signal.throwIfAborted();
    return {
      ...{ tried, looked, memory, processes },
      listened: [...listeners.places.keys()],
      arrived: await listeners.arrived(scope.signal),
      changed: await bait.changed(),
      processesMax: PROCESSES_MAX,
    };
  } finally {
    await jail.close();
  }
}

function toPolicy(shown: string): JailPolicy {
  return {
    environment: 'wall-test',
    mounts: [{ kind: 'bind', source: shown, target: SHOWN }],
    memoryMaxBytes: 256 * MIB,
    processesMax: 4 * PROCESSES_MAX,
    stagingBytes: 16 * MIB,
    warm: null,
  };
}

function toRun(args: readonly string[], token: string): RunSpec {
  return {
    argv: ['./wall-probe', ...args],
    env: { TOKEN: token },
    stdin: new Uint8Array(0),
    files: [],
    limits: LIMITS,
    cpu: -1,
    warm: false,
    collect: [],
  };
}

function toArguments(bait: Bait, { places }: Listeners, token: string): string[] {
  const named = { token, hidden: bait.hidden, shown: SHOWN };
  return [...Object.entries(named), ...places].map(([name, value]) => `${name}=${value}`);
}

/** Files of the host for the probe to read or to change. */
interface Bait extends AsyncDisposable {
  /** A file outside of every jail, that anybody of this host may read. */
  readonly hidden: string;
  /** A folder that the jail sees read-only. */
  readonly shown: string;
  /** What became of the folder; null where it is as it was. */
  changed(): Promise<string | null>;
}

/** Open to everybody: nothing but the wall is to stand in the way. */
const FILE_MODE = 0o666;
const FOLDER_MODE = 0o777;

async function layBait(token: string): Promise<Bait> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-wall-test-'));
  const hidden = path.join(folder, 'hidden');
  const shown = path.join(folder, 'shown');
  const file = path.join(shown, 'file');
  await mkdir(shown);
  for (const each of [hidden, file]) {
    await writeFile(each, token);
    await chmod(each, FILE_MODE);
  }
  for (const each of [folder, shown]) await chmod(each, FOLDER_MODE);
  return {
    hidden,
    shown,
    async changed() {
      const names = await readdir(shown);
      if (names.join() !== 'file') return `it holds ${names.length} entries and held one`;
      const { mode } = await stat(file);
      if ((mode & 0o777) !== FILE_MODE) return 'the mode of its file was changed';
      return (await readFile(file, 'utf8')) === token ? null : 'its file was written';
    },
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  };
}
