/**
 * A real headless Chromium of a test's own, driven by its DevTools protocol over a pipe: a fresh profile, no port, ended
 * with the test.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

import { waitFor } from './wait.ts';

const PROGRAM = 'chromium';

/** Why tests with a browser are left out on this machine, with the remedy; null when they can run. */
export function chromiumMissing(): string | null {
  const found = spawnSync(PROGRAM, ['--version']).status === 0;
  return found ? null : 'chromium is not on PATH (Debian: apt-get install chromium)';
}

interface Page {
  /** Opens an address and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** The value of an expression in the page, which must be plain data. */
  evaluate(expression: string): Promise<unknown>;
  /** Waits until an expression is true in the page. */
  until(expression: string): Promise<void>;
  /** Width and height of the window in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** What the system prefers. */
  prefer(scheme: 'light' | 'dark'): Promise<void>;
  /** A picture of the whole page as PNG. */
  picture(): Promise<Buffer>;
  /** Errors and violations of policies, as the console tells them, and every address that was asked for. */
  readonly complaints: readonly string[];
  readonly requested: readonly string[];
}

export interface Browser extends AsyncDisposable {
  readonly page: Page;
}

const FLAGS = [
  '--headless=new',
  // Root cannot have Chromium's own sandbox; the pages are ours.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  '--hide-scrollbars',
  '--remote-debugging-pipe',
];

/** Starts one with an empty page. */
export async function startChromium(): Promise<Browser> {
  const profile = await mkdtemp(path.join(tmpdir(), 'assay-chromium-'));
  const child = spawn(PROGRAM, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: profile },
  });
  const exited = once(child, 'exit');
  const [, , , toBrowser, fromBrowser] = child.stdio;
  const connection = connect(toBrowser as Writable, fromBrowser as Readable);
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { page: await openPage(connection), [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

interface Connection {
  send(method: string, parameters?: Fields, sessionId?: string): Promise<Fields>;
  onEvent: (method: string, parameters: Fields) => void;
}

/** Messages are JSON, each ended by a zero byte. */
function connect(to: Writable, from: Readable): Connection {
  const waiting = new Map<number, PromiseWithResolvers<Fields>>();
  let lastId = 0;
  let text = '';
  const connection: Connection = {
    send(method, parameters = {}, sessionId) {
      lastId += 1;
      const answer = Promise.withResolvers<Fields>();
      waiting.set(lastId, answer);
      to.write(`${JSON.stringify({ id: lastId, method, params: parameters, sessionId })}\0`);
      return answer.promise;
    },
    onEvent: () => undefined,
  };
  const take = (message: string): void => {
    const { id, method, params, result, error } = JSON.parse(message) as {
      readonly id?: number;
      readonly method?: string;
      readonly params?: Fields;
      readonly result?: Fields;
      readonly error?: { readonly message: string };
    };
    if (id === undefined) return connection.onEvent(method ?? '', params ?? {});
    if (error === undefined) waiting.get(id)?.resolve(result ?? {});
    else waiting.get(id)?.reject(new Error(`the browser says: ${error.message}`));
    waiting.delete(id);
  };
  from.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (text + chunk).split('\0');
    text = messages.pop() ?? '';
    for (const message of messages) take(message);
  });
  from.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser has ended'));
  });
  return connection;
}

/** Of the log: violations of policies and answers that were errors; not what a later browser may advise. */
function isError({ entry }: Fields): boolean {
  return typeof entry === 'object' && entry !== null && 'level' in entry && entry.level === 'error';
}

async function openPage(connection: Connection): Promise<Page> {
  const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
  const attached = await connection.send('Target.attachToTarget', { targetId, flatten: true });
  const send = async (method: string, parameters?: Fields) =>
    await connection.send(method, parameters, String(attached['sessionId']));
  const complaints: string[] = [];
  const requested: string[] = [];
  let loads = 0;
  connection.onEvent = (method, parameters) => {
    if (method === 'Page.loadEventFired') loads += 1;
    else if (method === 'Runtime.exceptionThrown' || isError(parameters))
      complaints.push(JSON.stringify(parameters));
    else if (method === 'Network.requestWillBeSent')
      requested.push(String((parameters['request'] as Fields)['url']));
  };
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`);
  const evaluate = async (expression: string): Promise<unknown> => {
    const asked = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await send('Runtime.evaluate', asked);
    if (exceptionDetails !== undefined)
      throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as Fields)['value'];
  };
  return {
    complaints,
    requested,
    async open(url) {
      const before = loads;
      await send('Page.navigate', { url });
      await waitFor(() => (loads > before ? true : null), { what: url, timeoutMs: 60_000 });
    },
    evaluate,
    async until(expression) {
      const look = async (): Promise<true | null> =>
        (await evaluate(`Boolean(${expression})`)) === true ? true : null;
      await waitFor(look, { what: `${expression} in the page`, timeoutMs: 60_000 });
    },
    async resize(width, height) {
      const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
      await send('Emulation.setDeviceMetricsOverride', metrics);
    },
    async prefer(scheme) {
      const features = [{ name: 'prefers-color-scheme', value: scheme }];
      await send('Emulation.setEmulatedMedia', { features });
    },
    async picture() {
      const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: true });
      return Buffer.from(String(data), 'base64');
    },
  };
}
