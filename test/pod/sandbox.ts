/**
 * A pod as a node with gVisor makes one (RuntimeClass `gvisor`): a command in a runsc sandbox, as root with the capabilities
 * that ours has, this host's files beneath an overlay in memory, no network but loopback.
 */
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { PROJECT_ROOT } from '../support/project.ts';
import { childEnvironment, temporaryFolder } from '../support/service.ts';
import { within } from '../support/wait.ts';
import type { PodAnswer, PodLeft, PodLine } from './programs.ts';

/** Those of deploy/kubernetes. */
const CAPABILITIES = [
  ...['SYS_ADMIN', 'SETUID', 'SETGID', 'SYS_RESOURCE', 'KILL'],
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
].map((name) => `CAP_${name}`);
const FLAGS = [
  ...['--platform=systrap', '--network=none', '--overlay2=root:memory', '--ignore-cgroups'],
  ...['--file-access-mounts=exclusive', '--host-settings=ignore'],
];
const STOP_TIMEOUT_MS = 20_000;

export interface PodOptions {
  readonly runsc: string;
  /** Whether the pod may make cgroups of its own, as no pod may whose /sys/fs/cgroup is mounted read-only. */
  readonly hasCgroups: boolean;
  /** Called with what `inside.ts` says, as it comes. */
  readonly onAnswer: (answer: PodAnswer) => void;
  readonly onLeft: (left: PodLeft) => void;
  readonly timeoutMs: number;
}

/** Runs a script of this project in a pod of its own; throws where it fails, with what was said. */
export async function inPod(
  script: readonly string[],
  { runsc, hasCgroups, onAnswer, onLeft, timeoutMs }: PodOptions,
): Promise<void> {
  const folder = await temporaryFolder();
  const [bundle, state] = [path.join(folder, 'bundle'), path.join(folder, 'state')];
  await mkdir(bundle);
  await writeFile(path.join(bundle, 'config.json'), JSON.stringify(toConfig(script, hasCgroups)));
  const name = `pod-${process.pid}`;
  const child = spawn(runsc, [`--root=${state}`, ...FLAGS, 'run', `--bundle=${bundle}`, name], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const said = JSON.parse(line) as PodLine; // inside.ts prints nothing else
      if ('answer' in said) onAnswer(said.answer);
      else onLeft(said.left);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-4000);
  });
  const end = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  try {
    const code = await within(end, { what: 'the end of the pod', timeoutMs });
    if (code !== 0) throw new Error(`the pod ended with ${code}: ${rest}\n${errors}`);
  } finally {
    if (child.exitCode === null) {
      // `runsc run` ends its sandbox when it is told to end.
      child.kill('SIGTERM');
      await within(end, { what: 'the end of the pod', timeoutMs: STOP_TIMEOUT_MS });
    }
    await rm(folder, { recursive: true, force: true });
  }
}

function toConfig(script: readonly string[], hasCgroups: boolean) {
  const { PATH, HOME, LANG } = childEnvironment();
  const isReadOnly = hasCgroups ? [] : ['ro'];
  return {
    ociVersion: '1.0.2',
    hostname: 'pod',
    process: {
      user: { uid: 0, gid: 0 },
      args: [process.execPath, ...script],
      cwd: PROJECT_ROOT,
      env: Object.entries({ PATH, HOME, LANG }).map(([key, value]) => `${key}=${value}`),
      capabilities: {
        bounding: CAPABILITIES,
        effective: CAPABILITIES,
        permitted: CAPABILITIES,
      },
      rlimits: [{ type: 'RLIMIT_NOFILE', soft: 65_536, hard: 65_536 }],
    },
    root: { path: '/', readonly: false },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs' },
      { destination: '/sys', type: 'sysfs', source: 'sysfs' },
      {
        destination: '/sys/fs/cgroup',
        type: 'cgroup',
        source: 'cgroup',
        options: ['nosuid', 'noexec', 'nodev', ...isReadOnly],
      },
      // A checkout that lies there would not be seen.
      ...(PROJECT_ROOT.startsWith('/tmp/')
        ? []
        : [{ destination: '/tmp', type: 'tmpfs', source: 'tmpfs' }]),
    ],
    linux: {
      namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
    },
  };
}
