/** A caller of the native API whose answers are parsed with the API's own strict schemas: a wrong shape is a failure. */
import { z } from 'zod';

import { JudgeResponse, ProblemWire, RunResponse } from '../../src/http/native/schema/report.ts';
import type { JudgeRequestBody, RunRequestBody } from './builders.ts';

export type Problem = z.infer<typeof ProblemWire>;
export type Outcome = NonNullable<RunResponse['outcome']>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON. */
  readonly body: unknown;
}

export interface Client {
  readonly url: string;
  get(path: string): Promise<Answer>;
  /** Posts a value as JSON, or text as it is. */
  post(path: string, body: unknown, init?: RequestInit): Promise<Answer>;
  /** Runs a program; throws when the answer is not a 200 of the right shape. */
  run(request: RunRequestBody, init?: RequestInit): Promise<RunResponse>;
  judge(request: JudgeRequestBody, init?: RequestInit): Promise<JudgeResponse>;
  /** The outcome of a run without a fault. */
  outcome(request: RunRequestBody): Promise<Outcome>;
  languages(): Promise<readonly Language[]>;
  stats(): Promise<StatsWire>;
}

const Language = z.looseObject({
  id: z.string(),
  aliases: z.array(z.string()),
  available: z.boolean(),
  reason: z.string().nullable(),
  environments: z.array(z.looseObject({ id: z.string(), reason: z.string().nullable() })),
});
type Language = z.infer<typeof Language>;

const StatsWire = z.looseObject({
  slots: z.looseObject({ total: z.number(), busy: z.number() }),
  queue: z.looseObject({ length: z.number() }),
  given_up: z.looseObject({
    waiting: z.record(z.string(), z.number()),
    running: z.record(z.string(), z.number()),
  }),
  compile_cache: z
    .looseObject({
      hits: z.number(),
      shared: z.number(),
      misses: z.number(),
      entries: z.number(),
      corrupt: z.number(),
    })
    .nullable(),
  environments: z.array(
    z.looseObject({
      id: z.string(),
      pool: z.string(),
      outcomes: z.record(z.string(), z.number()),
      jails: z.looseObject({ starting: z.number(), ready: z.number(), leased: z.number() }),
    }),
  ),
});
type StatsWire = z.infer<typeof StatsWire>;

/** `own` are headers of every request. */
export function createClient(url: string, own: Readonly<Record<string, string>> = {}): Client {
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...own };
    const response = await fetch(`${url}${path}`, { ...init, headers });
    const text = await response.text();
    const body: unknown = text === '' ? null : JSON.parse(text);
    return { status: response.status, headers: response.headers, body };
  };
  const post: Client['post'] = async (path, body, init = {}) =>
    await ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    });
  const get: Client['get'] = async (path) => await ask(path, {});
  const run: Client['run'] = async (request, init) =>
    RunResponse.parse(success(await post('/v1/run', request, init)));
  return {
    url,
    get,
    post,
    run,
    judge: async (request, init) =>
      JudgeResponse.parse(success(await post('/v1/judge', request, init))),
    async outcome(request) {
      const answer = await run(request);
      if (answer.outcome === null) throw new Error(`a fault: ${JSON.stringify(answer.fault)}`);
      return answer.outcome;
    },
    languages: async () =>
      z.looseObject({ languages: z.array(Language) }).parse(success(await get('/v1/languages')))
        .languages,
    stats: async () => StatsWire.parse(success(await get('/v1/stats'))),
  };
}

/** The answer as a problem document; throws when it is none. */
export function toProblem(answer: Answer): Problem {
  return ProblemWire.parse(answer.body);
}

function success(answer: Answer): unknown {
  if (answer.status === 200) return answer.body;
  throw new Error(
    `expected 200, got ${answer.status}: ${JSON.stringify(answer.body).slice(0, 2000)}`,
  );
}
