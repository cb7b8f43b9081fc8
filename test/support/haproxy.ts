/** A real HAProxy with the configuration that is shipped, on other ports, ended with the test. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { freePorts } from './ports.ts';
import { projectFile } from './project.ts';
import { waitFor } from './wait.ts';

export interface TestHaproxy {
  readonly url: string;
  /** What it has logged: each request that did not go well. */
  output(): string;
  stop(): Promise<void>;
}

/** Why tests with HAProxy are left out on this machine, with the remedy; null when they can run. */
export function haproxyMissing(): string | null {
  const found = spawnSync('haproxy', ['-v']).status === 0;
  return found ? null : 'haproxy is not on PATH (Debian: apt-get install haproxy)';
}

/** The ports of the file, and those that it gets here. */
const FRONT = '127.0.0.1:8080';
const BACK = ['127.0.0.1:8081', '127.0.0.1:8082', '127.0.0.1:8083'] as const;

/** Starts one before replicas on these ports, as many as the file has, and waits until it takes connections. */
export async function startHaproxy(ports: readonly number[]): Promise<TestHaproxy> {
  if (ports.length !== BACK.length) throw new Error(`the file has ${BACK.length} replicas`);
  const [front = 0] = await freePorts(1);
  const shipped = await readFile(projectFile('deploy', 'haproxy', 'haproxy.cfg'), 'utf8');
  const places = [FRONT, ...BACK];
  const own = [front, ...ports];
  const text = places.reduce((config, place, at) => {
    if (!config.includes(place)) throw new Error(`${place} is to be there`);
    return config.replaceAll(place, `127.0.0.1:${own[at]}`);
  }, shipped);
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-haproxy-'));
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(file, text);
  // In the foreground; what it starts ends with it.
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-100_000);
    });
  const url = `http://127.0.0.1:${front}`;
  const isUp = async (): Promise<true | null> => {
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${output}`);
    return await fetch(`${url}/healthz`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status === 200 ? true : null;
      },
      () => null,
    );
  };
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  await waitFor(isUp, { what: 'HAProxy', timeoutMs: 30_000 }).catch(async (error: unknown) => {
    await stop();
    throw new Error(`HAProxy said: ${output}`, { cause: error });
  });
  return { url, output: () => output, stop };
}
