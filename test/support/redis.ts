/** A real Redis of a test's own: a free port of loopback, nothing on disk, ended with the test. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { freePorts } from './ports.ts';
import { waitFor } from './wait.ts';

export interface TestRedis {
  /** `redis://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Ends it, by default as a crash would; its port stays free for `startRedis({ port })`. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Why tests with Redis are left out on this machine, with the remedy; null when they can run. */
export function redisMissing(): string | null {
  const found = spawnSync('redis-server', ['--version']).status === 0;
  return found ? null : 'redis-server is not on PATH (Debian: apt-get install redis-server)';
}

interface RedisOptions {
  readonly port?: number;
  /** Where it keeps what it has said that it has, through a crash; without a folder its data is lost when it ends. */
  readonly folder?: string;
}

/** Starts one and waits until it takes connections. */
export async function startRedis({ port, folder }: RedisOptions = {}): Promise<TestRedis> {
  const [taken = 0] = port === undefined ? await freePorts(1) : [port];
  const kept = folder === undefined ? ['no'] : ['yes', '--appendfsync', 'always'];
  const settings = [
    ...['--save', '', '--bind', '127.0.0.1', '--dir', folder ?? '/tmp'],
    ...['--appendonly', ...kept],
  ];
  const child = spawn('redis-server', ['--port', String(taken), ...settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4096);
  });
  const isUp = (): true | null => {
    if (child.exitCode !== null) throw new Error(`redis-server ended: ${output}`);
    return output.includes('Ready to accept connections') ? true : null;
  };
  await waitFor(isUp, { what: 'Redis', timeoutMs: 20_000 });
  return {
    url: `redis://127.0.0.1:${taken}`,
    port: taken,
    pid: child.pid ?? 0,
    async stop(signal = 'SIGKILL') {
      child.kill(signal);
      await exited;
    },
  };
}
