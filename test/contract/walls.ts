/** The walls that the contract suite runs against, each with programs it can execute. Arranges; asserts nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ToolchainMount } from '../../src/domain/language.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { projectPath } from '../../src/lib/project.ts';
import type { RunSpec } from '../../src/runner/pending-run.ts';
import { Session } from '../../src/runner/session.ts';
import { createFakeSandbox } from '../../src/sandbox/fake/fake.ts';
import { createGvisorSandbox } from '../../src/sandbox/gvisor/gvisor.ts';
import { createNsjailSandbox } from '../../src/sandbox/nsjail/nsjail.ts';
import { probeHost } from '../../src/sandbox/probe.ts';
import { SLOWNESS } from '../support/wait.ts';
import type { CgroupBackEnd, RealWall } from '../../src/domain/wall.ts';
import type { Jail, JailPolicy, Sandbox } from '../../src/sandbox/port.ts';

const MIB = 1024 * 1024;
const clock = systemClock;

/** One behaviour, as a shell script and as a script of the fake wall. */
interface Program {
  readonly sh: string;
  readonly fake: object;
}

const PROGRAMS = {
  hello: {
    sh: 'printf hello; printf oops >&2; exit 3',
    fake: { stdout: 'hello', stderr: 'oops', exitCode: 3 },
  },
  echo: { sh: 'exec cat', fake: { echo: true } },
  sleep: { sh: 'exec sleep 60', fake: { delayMs: 60_000 } },
  silent: { sh: 'exec sleep 60', fake: { reads: false } },
  flood: { sh: 'exec cat /dev/zero', fake: { stdout: '\0', repeat: 3 * MIB } },
  crash: { sh: 'kill -SEGV $$', fake: { signal: 11 } },
  collect: { sh: 'printf 12345 > made', fake: { files: { made: '12345' } } },
} as const satisfies Record<string, Program>;

export interface Wall {
  readonly name: string;
  /** Null when this host has it, else why not. */
  readonly missing: string | null;
  create(over?: { readonly jailsMax: number }): Promise<Sandbox>;
  /** A run of that program with ordinary limits. */
  run(program: keyof typeof PROGRAMS, over?: Partial<RunSpec>): RunSpec;
  readonly policy: JailPolicy;
  /** What an idle jail may hold: a supervisor, and what the wall needs to hold it. */
  readonly idleBytes: { readonly least: number; readonly most: number };
}

/** For a suite's title: what is skipped here says why. */
export function skipNote(missing: string | null): string {
  return missing === null ? '' : ` (SKIPPED: ${missing})`;
}

/** The host's own shell and its libraries, read-only. */
const HOST_MOUNTS: readonly ToolchainMount[] = [
  ...['/usr/bin', '/usr/lib', '/usr/lib64'].map((path) => {
    return { kind: 'bind', source: path, target: path } as const;
  }),
  ...['bin', 'lib', 'lib64'].map((name) => {
    return { kind: 'symlink', source: `usr/${name}`, target: `/${name}` } as const;
  }),
];

export const POLICY: JailPolicy = {
  environment: 'contract',
  mounts: HOST_MOUNTS,
  memoryMaxBytes: 512 * MIB,
  processesMax: 128,
  stagingBytes: 64 * MIB,
  warm: null,
};

const LIMITS: RunSpec['limits'] = {
  cpuMs: 5000,
  wallMs: 10_000,
  memoryBytes: 128 * MIB,
  outputBytes: 2 * MIB,
  processes: 16,
  diskBytes: 64 * MIB,
  inodes: 1024,
  openFiles: 64,
  stackBytes: 8 * MIB,
  collectBytes: MIB,
};

export function openSession(jail: Jail, sandbox: Sandbox): Promise<Session> {
  const kill = (name: string): void => sandbox.kill(name);
  const metCap = (name: string): Promise<boolean> => sandbox.metCap(name);
  return Session.open(jail, { clock, helloTimeoutMs: 10_000 * SLOWNESS, kill, metCap });
}

function aRun(argv: readonly string[], over: Partial<RunSpec>): RunSpec {
  return {
    argv,
    env: { PATH: '/usr/bin:/bin' },
    stdin: new Uint8Array(0),
    files: [],
    limits: LIMITS,
    cpu: -1,
    warm: false,
    collect: [],
    ...over,
  };
}

const fakeWall: Wall = {
  name: 'fake',
  missing: null,
  create: async () => createFakeSandbox({ clock, size: () => MIB }),
  run(program, over = {}) {
    const content = Buffer.from(JSON.stringify(PROGRAMS[program].fake));
    const file = { path: 'script', content, executable: false };
    return aRun(['./script'], { ...over, files: [file, ...(over.files ?? [])] });
  },
  policy: POLICY,
  idleBytes: { least: MIB / 4, most: 32 * MIB },
};

/** Where set-up puts the programs; NSJAIL names another nsjail. */
export const nsjailPaths = {
  nsjail: process.env['NSJAIL'] ?? projectPath('.assay/bin/nsjail'),
  launcher: projectPath('runners/build/launcher'),
  supervisor: projectPath('runners/build/supervisor'),
  confine: projectPath('runners/build/confine'),
};

/** A sandbox with a state folder of its own, which goes with it. */
async function inFolder(create: (folder: string) => Promise<Sandbox>): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-contract-'));
  const sandbox = await create(folder);
  return {
    ...sandbox,
    async close() {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A wall of this host, with what makes it. */
interface HostWall extends Wall {
  readonly kind: RealWall;
  /** Path of nsjail or runsc; "" where there is none. */
  readonly program: string;
}

/** nsjail with one cgroup back end; what the host lacks is the probe's word. */
export async function nsjailWall(cgroup: CgroupBackEnd): Promise<HostWall> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-probe-'));
  const probe = await probeHost({
    clock,
    ...nsjailPaths,
    wall: 'nsjail',
    program: nsjailPaths.nsjail,
    searchPath: '',
    enclose: '',
    podSandbox: '',
    ownProgram: '',
    stateDir: folder,
    cgroup,
    readHello: async (jail) => (await Session.open(jail, { clock, helloTimeoutMs: 10_000 })).hello,
  });
  await rm(folder, { recursive: true });
  return {
    kind: 'nsjail',
    program: nsjailPaths.nsjail,
    name: `nsjail, cgroup ${cgroup}`,
    missing: probe.available ? null : probe.problems.join('; '),
    create: (over) =>
      inFolder((stateDir) =>
        createNsjailSandbox({ clock, ...nsjailPaths, stateDir, cgroup, ...over }),
      ),
    run: (program, over = {}) => aRun(['/bin/sh', '-c', PROGRAMS[program].sh], over),
    policy: POLICY,
    idleBytes: { least: MIB / 4, most: 32 * MIB },
  };
}

/** Any command in a jail of nsjail. */
export function aCommand(argv: readonly string[], over: Partial<RunSpec> = {}): RunSpec {
  return aRun(argv, over);
}

/** gVisor, by our own build of runsc or the one that RUNSC names; missing where there is none, as where there is no Go. */
export async function gvisorWall(cgroup: CgroupBackEnd | 'auto'): Promise<HostWall> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-probe-'));
  const probe = await probeHost({
    clock,
    ...nsjailPaths,
    wall: 'gvisor',
    program: process.env['RUNSC'] ?? '',
    searchPath: process.env['PATH'] ?? '',
    enclose: '',
    podSandbox: '',
    ownProgram: projectPath('.assay/gvisor/runsc'),
    stateDir: folder,
    cgroup,
    readHello: async (jail) => (await Session.open(jail, { clock, helloTimeoutMs: 20_000 })).hello,
  });
  await rm(folder, { recursive: true });
  const program = probe.program ?? '';
  return {
    kind: 'gvisor',
    program,
    name: `gVisor, cgroup ${cgroup}`,
    missing: probe.available ? null : probe.problems.join('; '),
    create: (over) =>
      inFolder((stateDir) =>
        createGvisorSandbox({
          clock,
          ...nsjailPaths,
          runsc: program,
          stateDir,
          cgroup,
          ...over,
        }),
      ),
    run: (name, over = {}) => aRun(['/bin/sh', '-c', PROGRAMS[name].sh], over),
    policy: POLICY,
    idleBytes: { least: 8 * MIB, most: 256 * MIB },
  };
}

export async function allWalls(): Promise<Wall[]> {
  const walls = [fakeWall];
  // One after the other: each probe starts a jail of its own.
  for (const cgroup of ['v1', 'v2', 'none'] as const) walls.push(await nsjailWall(cgroup));
  for (const cgroup of ['auto', 'none'] as const) walls.push(await gvisorWall(cgroup));
  return walls;
}
