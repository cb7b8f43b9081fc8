/**
 * go-judge (criyle/go-judge) as a peer: a server of its own with its own cgroup prefix and temporary folder, ended by
 * its process id, and the few requests of its REST interface that a grader needs. Built by hand, outside this
 * repository; `ASSAY_BENCH_GO_JUDGE` names the binary.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { HttpClient } from './http-client.ts';
import { freePort } from './service.ts';

export const GO_JUDGE_VARIABLE = 'ASSAY_BENCH_GO_JUDGE';

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;
const LOG_BYTES_KEPT = 4000;
const CGROUPS = '/sys/fs/cgroup';
/** Where it keeps files by default, and where its own documentation wants them. */
const MEMORY_FOLDER = '/dev/shm';
const CGROUP_PREFIX = `bench-go-judge-${process.pid}`;
const MIB = 1024 * 1024;
const SECOND_NS = 1e9;

type File = { readonly content: string } | { readonly fileId: string };

export interface GoJudgeCommand {
  readonly args: readonly string[];
  readonly stdin: string;
  /** What lies in the working folder. */
  readonly copyIn: Readonly<Record<string, File>>;
  /** What is kept at the server, by name. */
  readonly keep?: readonly string[];
}

export interface GoJudgeResult {
  readonly status: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly fileIds?: Readonly<Record<string, string>>;
}

export class GoJudge implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #client: HttpClient;
  readonly #folder: string;
  readonly #places: readonly Place[];
  /** It would outlive a benchmark that is ended half-way. */
  readonly #endWithUs = (): void => void this.#child.kill('SIGKILL');
  #log = '';

  private constructor(child: ChildProcess, facts: Facts) {
    this.#child = child;
    this.#client = new HttpClient(facts.url);
    this.#folder = facts.folder;
    this.#places = facts.places;
    const keep = (chunk: unknown): void => {
      this.#log = (this.#log + String(chunk)).slice(-LOG_BYTES_KEPT);
    };
    process.once('exit', this.#endWithUs);
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  /** `programs` are what commands will start; those outside /usr are bound into its containers. */
  static async start(options: {
    readonly binary: string;
    readonly parallelism: number;
    readonly programs: readonly string[];
  }): Promise<GoJudge> {
    const port = await freePort();
    const parent = existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir();
    const folder = mkdtempSync(join(parent, 'assay-go-judge-'));
    const places = toPlaces(options.programs);
    mkdirSync(join(folder, 'files'));
    const mounts = join(folder, 'mount.yaml');
    // JSON is YAML.
    writeFileSync(mounts, JSON.stringify(mountConfig(places)));
    const settings = {
      'http-addr': `127.0.0.1:${port}`,
      parallelism: options.parallelism,
      'pre-fork': options.parallelism,
      dir: join(folder, 'files'),
      'cgroup-prefix': CGROUP_PREFIX,
      'mount-conf': mounts,
    };
    const args = Object.entries(settings).map(([name, value]) => `-${name}=${value}`);
    const child = spawn(options.binary, [...args, '-silent'], {
      cwd: folder,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const judge = new GoJudge(child, { url: `http://127.0.0.1:${port}`, folder, places });
    child.once('error', (error) => {
      judge.#log += String(error);
    });
    try {
      await judge.#whenReady();
      return judge;
    } catch (error) {
      await judge[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Version and what limits memory and processes, in one line. */
  async describe(): Promise<string> {
    const [version, config] = await Promise.all([
      this.#client.get('/version'),
      this.#client.get('/config'),
    ]);
    const cgroup = /"cgroupType":(\d+|"[^"]*")/.exec(config.body.toString('utf8'))?.[1];
    const name = /"buildVersion":"([^"]*)"/.exec(version.body.toString('utf8'))?.[1];
    return `go-judge ${name ?? '?'}, cgroup type ${cgroup ?? '?'}`;
  }

  async run(command: GoJudgeCommand): Promise<GoJudgeResult> {
    const [first = '', ...rest] = command.args;
    const place = this.#places.find(({ host }) => first.startsWith(`${host}/`));
    const program = place === undefined ? first : place.inside + first.slice(place.host.length);
    const cmd = {
      args: [program, ...rest],
      env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/w'],
      files: [
        { content: command.stdin },
        { name: 'stdout', max: MIB },
        { name: 'stderr', max: MIB },
      ],
      cpuLimit: 10 * SECOND_NS,
      clockLimit: 30 * SECOND_NS,
      memoryLimit: 1024 * MIB,
      procLimit: 64,
      copyIn: command.copyIn,
      ...(command.keep === undefined ? {} : { copyOutCached: command.keep }),
    };
    const answer = await this.#client.post('/run', { cmd: [cmd] });
    const text = answer.body.toString('utf8');
    if (answer.status !== 200) throw new Error(`go-judge answered ${answer.status}: ${text}`);
    // Its documented shape: one result a command.
    const [result] = JSON.parse(text) as GoJudgeResult[];
    if (result === undefined) throw new Error('go-judge answered without a result');
    return result;
  }

  /** Keeps a text at the server, so that each test only names it. */
  async upload(name: string, content: string): Promise<string> {
    const form = new FormData();
    form.set('file', new Blob([content]), name);
    const encoded = new Response(form);
    const answer = await this.#client.post('/file', new Uint8Array(await encoded.arrayBuffer()), {
      contentType: encoded.headers.get('content-type') ?? '',
    });
    if (answer.status !== 200) throw new Error(`go-judge answered ${answer.status} to a file`);
    return String(JSON.parse(answer.body.toString('utf8')));
  }

  async remove(fileId: string): Promise<void> {
    await this.#client.delete(`/file/${fileId}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#endWithUs);
    this.#client[Symbol.dispose]();
    const child = this.#child;
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.#folder, { recursive: true, force: true });
    removeCgroups();
  }

  async #whenReady(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (performance.now() < deadline) {
      if (this.#child.exitCode !== null || this.#child.pid === undefined) break;
      try {
        if ((await this.#client.get('/version')).status === 200) return;
      } catch {
        // Nobody listens yet.
      }
      await sleep(POLL_MS);
    }
    throw new Error(`go-judge is not ready: ${this.#log}`);
  }
}

interface Facts {
  readonly url: string;
  readonly folder: string;
  readonly places: readonly Place[];
}

/** A folder of the host and where a container has it. */
interface Place {
  readonly host: string;
  readonly inside: string;
}

function toPlaces(programs: readonly string[]): Place[] {
  const outside = programs.filter((path) => path.startsWith('/') && !path.startsWith('/usr/'));
  const folders = [...new Set(outside.map((path) => dirname(dirname(path))))];
  return folders.map((host, index) => ({ host, inside: `/opt/peer/${index}` }));
}

/** Its own example configuration, less what is not needed here, with the toolchains. */
function mountConfig(places: readonly Place[]): unknown {
  const etc = ['/etc/ld.so.cache', '/etc/alternatives', ...globSync('/etc/java-*')];
  const bound = ['/bin', '/lib', '/lib64', '/usr', ...etc].filter((path) => existsSync(path));
  const bind = (source: string, target: string, readonly: boolean) => ({
    type: 'bind',
    source,
    target,
    readonly,
  });
  const devices = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);
  const tmpfs = (target: string) => ({ type: 'tmpfs', target, data: 'size=256m,nr_inodes=4k' });
  return {
    mount: [
      ...bound.map((path) => bind(path, path, true)),
      ...places.map(({ host, inside }) => bind(host, inside, true)),
      ...devices.map((path) => bind(path, path, false)),
      tmpfs('/w'),
      tmpfs('/tmp'),
    ],
    proc: true,
    workDir: '/w',
    hostName: 'go-judge',
    domainName: 'go-judge',
    uid: 1536,
    gid: 1536,
  };
}

/** It leaves its groups, one a controller with cgroup v1. */
function removeCgroups(): void {
  const found = globSync(`{.,*}/${CGROUP_PREFIX}`, { cwd: CGROUPS }).map((path) =>
    join(CGROUPS, path),
  );
  for (const group of found) {
    for (const { name } of readdirSync(group, { withFileTypes: true }).filter((e) =>
      e.isDirectory(),
    )) {
      rmdirSync(join(group, name));
    }
    rmdirSync(group);
  }
}
