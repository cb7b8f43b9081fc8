/** The service's answers as the scenarios read them. The types are the product's own; bytes are parsed only here. */
import type { JudgeResponse, RunResponse } from '../../src/http/native/schema/report.ts';
import type { Answer, HttpClient } from './http-client.ts';

export type { JudgeResponse, RunResponse };

/** What this needs of `GET /v1/stats`. */
export interface StatsResponse {
  readonly slots: { readonly total: number; readonly busy: number };
  readonly queue: { readonly length: number };
  readonly submissions: { readonly run: number; readonly judged: number; readonly faults: number };
  readonly environments: readonly {
    readonly id: string;
    readonly jails: { readonly starting: number; readonly ready: number; readonly leased: number };
    readonly retired: Readonly<Record<string, number>>;
  }[];
  readonly given_up: { readonly running: Readonly<Record<string, number>> };
  readonly reuse: {
    readonly kept: number;
    readonly in_flight: number;
    readonly misses: number;
  } | null;
  readonly event_loop_delay_ms: {
    readonly p50: number;
    readonly p95: number;
    readonly p99: number;
  };
}

/** A language as this host serves it. */
export interface LanguageFacts {
  readonly id: string;
  readonly version: string | null;
  readonly available: boolean;
  readonly reason: string | null;
  /** The first is the default. */
  readonly environments: readonly {
    readonly id: string;
    readonly available: boolean;
    readonly reason: string | null;
    /** Whether runs start from a warm runtime. */
    readonly warm: boolean;
  }[];
}

interface LanguagesResponse {
  readonly languages: readonly LanguageFacts[];
}

/** One command's result on Sandbox Fusion's wire. */
interface CommandResult {
  readonly status: 'Finished' | 'Error' | 'TimeLimitExceeded';
  readonly execution_time: number | null;
  readonly return_code: number | null;
  readonly stdout: string | null;
  readonly stderr: string | null;
}

export interface RunCodeResponse {
  readonly status: 'Success' | 'Failed' | 'SandboxError';
  readonly message: string;
  readonly compile_result: CommandResult | null;
  readonly run_result: CommandResult | null;
}

/** An answer that a scenario did not ask for. */
class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;
  constructor(path: string, answer: Answer) {
    super(`${path} answered ${answer.status}: ${answer.body.subarray(0, 500).toString('utf8')}`);
    this.status = answer.status;
  }
}

// The service's tests hold its answers to these types; a benchmark does not check them again.

export function parseRunCode(answer: Answer): RunCodeResponse {
  return parse(answer) as RunCodeResponse;
}

export async function judge(client: HttpClient, body: unknown): Promise<JudgeResponse> {
  return parse(await posted(client, '/v1/judge', body)) as JudgeResponse;
}

export async function runOnce(client: HttpClient, body: unknown): Promise<RunResponse> {
  return parse(await posted(client, '/v1/run', body)) as RunResponse;
}

export async function readStats(client: HttpClient): Promise<StatsResponse> {
  return parse(await got(client, '/v1/stats')) as StatsResponse;
}

function parse(answer: Answer): unknown {
  return JSON.parse(answer.body.toString('utf8'));
}

/** All languages, also those that this host cannot serve. */
export async function readAllLanguages(client: HttpClient): Promise<readonly LanguageFacts[]> {
  return (parse(await got(client, '/v1/languages')) as LanguagesResponse).languages;
}

/** Ids of the languages this host serves. */
export async function readLanguages(client: HttpClient): Promise<string[]> {
  const languages = await readAllLanguages(client);
  return languages.filter(({ available }) => available).map(({ id }) => id);
}

async function posted(client: HttpClient, path: string, body: unknown): Promise<Answer> {
  const answer = await client.post(path, body);
  if (answer.status !== 200) throw new UnexpectedAnswer(path, answer);
  return answer;
}

async function got(client: HttpClient, path: string): Promise<Answer> {
  const answer = await client.get(path);
  if (answer.status !== 200) throw new UnexpectedAnswer(path, answer);
  return answer;
}
