/** How commands reach a service: one over HTTP, or one of their own in this process. Same wire either way. */
import { z } from 'zod';

import { UnreachableError, UsageError } from './exit-codes.ts';
import { startOwnService } from './own-service.ts';

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** An answer with what it says of another try. */
export interface TextAnswer extends ApiResponse {
  /** `Retry-After`; null where there is none. */
  readonly retryAfterMs: number | null;
}

export interface Api extends AsyncDisposable {
  get(path: string): Promise<ApiResponse>;
  post(path: string, body: unknown): Promise<ApiResponse>;
  /** Sends JSON as it is written, numbers and all. The body of an answer that is no JSON is null. */
  postText(path: string, json: string, signal: AbortSignal): Promise<TextAnswer>;
  /** Sends values a line and gives the answer's, as they come. Throws UsageError where the answer is no success. */
  postLines(path: string, values: AsyncIterable<unknown>): AsyncIterable<unknown>;
  /** Sends one value and gives the answer's lines, as they come. Throws as `postLines`. */
  postForLines(path: string, body: unknown): AsyncIterable<unknown>;
}

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/** Speaks to `url`, or, when that is undefined, starts a quiet service that ends with the command. */
export async function openApi(args: Readonly<Record<string, unknown>>): Promise<Api> {
  const url = args['url'];
  if (typeof url === 'string' && url !== '') return remoteApi(url);
  const own = await startOwnService(args);
  return toApi(
    async (path, init) => await own.assay.app.request(path, init),
    async () => await own[Symbol.asyncDispose](),
  );
}

function remoteApi(url: string): Api {
  const { base, authorization } = withoutKey(url);
  const request: Fetch = async (path, init) => {
    const headers = new Headers(init?.headers);
    if (authorization !== null) headers.set('authorization', authorization);
    try {
      return await fetch(`${base}${path}`, { ...init, headers });
    } catch (cause) {
      if (init?.signal?.aborted === true) throw cause;
      throw new UnreachableError(`no service answers at ${base}; start one with \`npm start\``, {
        cause,
      });
    }
  };
  return toApi(request, async () => undefined);
}

/** `http://KEY@HOST:PORT` carries a key, which `fetch` takes as a header alone; it is in no message. */
function withoutKey(url: string): {
  readonly base: string;
  readonly authorization: string | null;
} {
  const base = url.replace(/\/+$/, '');
  const parsed = URL.parse(base);
  if (parsed === null || parsed.username + parsed.password === '')
    return { base, authorization: null };
  const key = parsed.password === '' ? parsed.username : parsed.password;
  parsed.username = '';
  parsed.password = '';
  return {
    base: parsed.href.replace(/\/+$/, ''),
    authorization: `Bearer ${key}`,
  };
}

function toApi(request: Fetch, close: () => Promise<void>): Api {
  const answer = async (response: Response): Promise<ApiResponse> => ({
    status: response.status,
    body: await response.json(),
  });
  return {
    get: async (path) => await answer(await request(path)),
    post: async (path, body) =>
      await answer(
        await request(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    async postText(path, json, signal) {
      const response = await request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: json,
        signal,
      });
      const after = Number(response.headers.get('retry-after') ?? Number.NaN);
      return {
        status: response.status,
        body: parsedOrNull(await wholeText(response, signal)),
        retryAfterMs: Number.isFinite(after) ? after * 1000 : null,
      };
    },
    async *postLines(path, values) {
      const body = ReadableStream.from(toLines(values)).pipeThrough(new TextEncoderStream());
      const response = await request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body,
        duplex: 'half',
      });
      yield* linesOf(response, answer);
    },
    async *postForLines(path, body) {
      const response = await request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
        body: JSON.stringify(body),
      });
      yield* linesOf(response, answer);
    },
    [Symbol.asyncDispose]: close,
  };
}

async function wholeText(response: Response, signal: AbortSignal): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new UnreachableError('the service stopped in the middle of an answer', { cause });
  }
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function* linesOf(
  response: Response,
  answer: (response: Response) => Promise<ApiResponse>,
): AsyncGenerator {
  if (response.status >= 400 || response.body === null) {
    expectSuccess(await answer(response));
    throw new UsageError(`the service answered ${response.status} without a body`);
  }
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}

async function* toLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`;
}

const Problem = z.looseObject({
  title: z.string(),
  detail: z.string(),
  errors: z.array(z.looseObject({ path: z.string(), message: z.string() })).default([]),
});

/** Throws a UsageError with the service's own words unless the answer is a success. */
export function expectSuccess(response: ApiResponse): unknown {
  if (response.status < 400) return response.body;
  const problem = Problem.safeParse(response.body);
  if (!problem.success) throw new UsageError(`the service answered ${response.status}`);
  const { title, detail, errors } = problem.data;
  const places = errors.map(({ path, message }) => `\n  ${path}: ${message}`).join('');
  throw new UsageError(`${title}: ${detail}${places}`);
}
