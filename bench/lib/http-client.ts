/**
 * A small HTTP client over node:http: keep-alive connections, or a new one per request as trainers' Python clients
 * open them. Knows nothing of the service but JSON.
 */
import { Agent, request, type IncomingMessage } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** From the call to the last byte, ms. */
  readonly ms: number;
}

export interface PostOptions {
  /** A connection of its own, closed after the answer. */
  readonly freshConnection?: boolean;
  /** Longest silence on the socket, ms: the semantics of a Python client's read timeout. Default: none. */
  readonly silenceMs?: number;
  /** Of a body given as bytes. Default: JSON. */
  readonly contentType?: string;
}

/** More than any scenario has in flight. */
const CONNECTIONS_MAX = 1024;

export class HttpClient implements Disposable {
  readonly #base: URL;
  #agent = newAgent();

  constructor(base: string) {
    this.#base = new URL(base);
  }

  async get(path: string): Promise<Answer> {
    return await this.#send('GET', path, null, {});
  }

  /** Bytes are sent as they are, anything else as JSON. */
  async post(path: string, body: unknown, options: PostOptions = {}): Promise<Answer> {
    const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
    return await this.#send('POST', path, bytes, options);
  }

  async put(path: string, body: Uint8Array): Promise<Answer> {
    return await this.#send('PUT', path, body, { contentType: 'application/octet-stream' });
  }

  async delete(path: string): Promise<Answer> {
    return await this.#send('DELETE', path, null, {});
  }

  /** Closes all connections; the next request opens a new one. Nothing may be in flight. */
  disconnect(): void {
    this.#agent.destroy();
    this.#agent = newAgent();
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  async #send(
    method: string,
    path: string,
    body: Uint8Array | null,
    options: PostOptions,
  ): Promise<Answer> {
    const since = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers =
      body === null
        ? {}
        : {
            'content-type': options.contentType ?? 'application/json',
            'content-length': String(body.byteLength),
          };
    const sent = request(
      new URL(path, this.#base),
      { method, headers, agent: options.freshConnection === true ? false : this.#agent },
      resolve,
    );
    sent.on('error', reject);
    if (options.silenceMs !== undefined) {
      sent.setTimeout(options.silenceMs, () => sent.destroy(new Error('read timeout')));
    }
    sent.end(body ?? undefined);
    const response = await promise;
    const parts: Buffer[] = [];
    for await (const part of response) if (part instanceof Buffer) parts.push(part);
    return {
      status: response.statusCode ?? 0,
      body: Buffer.concat(parts),
      ms: performance.now() - since,
    };
  }
}

function newAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
}
