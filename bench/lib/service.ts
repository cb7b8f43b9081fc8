/**
 * The service under test: a child process of its own on a free port, with a state folder of its own and the probe
 * loaded. Ends with the benchmark, whatever happens to it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Config } from '../../src/config/schema.ts';
import { environmentName } from '../../src/config/schema.ts';
import { HttpClient } from './http-client.ts';
import type { ProbeAnswer, ProbeQuestion } from './probe-messages.ts';
import { readStats } from './wire.ts';

export const ROOT = join(import.meta.dirname, '..', '..');

export interface StartOptions {
  readonly config?: Partial<Config>;
  readonly startTimeoutMs?: number;
}

const POLL_MS = 25;
const START_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 40_000;
const PROBE_TIMEOUT_MS = 10_000;
const LOG_BYTES_KEPT = 4000;

export class TestService implements AsyncDisposable {
  readonly client: HttpClient;
  readonly url: string;
  readonly #child: ChildProcess;
  readonly stateDir: string;
  #log = '';

  private constructor(child: ChildProcess, facts: { url: string; stateDir: string }) {
    this.#child = child;
    this.stateDir = facts.stateDir;
    this.url = facts.url;
    this.client = new HttpClient(facts.url);
    const keep = (chunk: unknown): void => {
      this.#log = (this.#log + String(chunk)).slice(-LOG_BYTES_KEPT);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  /** Starts the service and waits until it is ready. Throws with the end of its log otherwise. */
  static async start(options: StartOptions = {}): Promise<TestService> {
    const port = await freePort();
    const stateDir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
    const config: Partial<Config> = { logLevel: 'warn', ...options.config, port, stateDir };
    const settings = Object.entries(config).map(([key, value]) => [
      environmentName(key),
      Array.isArray(value) ? value.join(',') : String(value),
    ]);
    const probe = join(ROOT, 'bench', 'service-probe.ts');
    const child = spawn(
      process.execPath,
      ['--expose-gc', '--import', probe, join(ROOT, 'src', 'main.ts'), 'serve'],
      {
        cwd: ROOT,
        env: { PATH: process.env['PATH'] ?? '', ...Object.fromEntries(settings) },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    const service = new TestService(child, { url: `http://127.0.0.1:${port}`, stateDir });
    try {
      await service.#whenReady(options.startTimeoutMs ?? START_TIMEOUT_MS);
      return service;
    } catch (error) {
      await service[Symbol.asyncDispose]();
      throw error;
    }
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('the service did not start');
    return pid;
  }

  /** The end of what the service printed. */
  get log(): string {
    return this.#log;
  }

  async ask(question: ProbeQuestion): Promise<ProbeAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ProbeAnswer>();
    const timer = setTimeout(() => reject(new Error('the probe is silent')), PROBE_TIMEOUT_MS);
    // Only the probe writes to this channel.
    const onMessage = (message: unknown): void => resolve(message as ProbeAnswer);
    this.#child.once('message', onMessage);
    this.#child.send(question);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#child.off('message', onMessage);
    }
  }

  /** Waits until nothing runs, waits or starts. */
  async whenIdle(): Promise<void> {
    const deadline = performance.now() + IDLE_TIMEOUT_MS;
    for (;;) {
      const { slots, queue, environments } = await readStats(this.client);
      const isStarting = environments.some(({ jails }) => jails.starting > 0 || jails.leased > 0);
      if (slots.busy === 0 && queue.length === 0 && !isStarting) return;
      if (performance.now() > deadline) throw new Error('the service does not become idle');
      await sleep(POLL_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client[Symbol.dispose]();
    const child = this.#child;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  async #whenReady(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`the service ended at once:\n${this.#log}`);
      }
      try {
        const answer = await this.client.get('/readyz');
        if (answer.status === 200) return;
      } catch {
        // Nobody listens yet.
      }
      await sleep(POLL_MS);
    }
    throw new Error(`the service is not ready after ${timeoutMs} ms:\n${this.#log}`);
  }
}

/** A port of this machine that nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
