/** What is sent while things break: programs whose verdicts are known, by clients that insist, and jobs that outlive them. */
import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

/** Sent again for so long, ms: what has no answer by then is lost. */
const PATIENCE_MS = 180_000;
const AGAIN_MS = 200;
/** Beyond a submission's own limits and everything that may break meanwhile, ms. */
const CALL_MS = 60_000;

const Report = z.looseObject({
  verdict: z.string(),
  reward: z.number().nullable(),
  fault: z.unknown(),
  attempts: z.array(z.looseObject({ fault: z.unknown() })),
});
const Job = z.looseObject({ id: z.string(), total: z.number(), ended: z.string().nullable() });
const Results = z.looseObject({
  results: z.array(
    z.looseObject({ line: z.number(), verdict: z.string().optional(), reward: z.unknown() }),
  ),
  cursor: z.string().nullable(),
});

/** A program by its number: each takes a while, so that a breakdown meets it running; every third is wrong. */
function aRequest(number: number): { readonly body: object; readonly verdict: string } {
  const isWrong = number % 3 === 2;
  const code = `import time\ntime.sleep(0.1)\nprint(int(input()) + ${isWrong ? 2 : 1})`;
  const tests = {
    kind: 'stdio',
    cases: [
      { stdin: `${number}\n`, expected_stdout: `${number + 1}\n` },
      { stdin: '7\n', expected_stdout: '8\n' },
    ],
  };
  return {
    body: { language: 'python', code, tests },
    verdict: isWrong ? 'wrong_answer' : 'accepted',
  };
}

/** What came of all that was sent. */
export interface Findings {
  sent: number;
  answered: number;
  /** Calls without an answer, or with one that says to come again. */
  again: number;
  replayed: number;
  /** Answers with a fault; they were asked for again. */
  faults: number;
  /** Answers whose report has a fault in an attempt, which another mended. */
  mended: number;
  jobs: number;
  jobsRefused: number;
  items: number;
  itemFaults: number;
  readonly statuses: Map<string, number>;
  /** What must not be. */
  readonly wrong: string[];
  readonly waitsMs: number[];
}

export function newFindings(): Findings {
  const counts = { sent: 0, answered: 0, again: 0, replayed: 0, faults: 0, mended: 0 };
  const ofJobs = { jobs: 0, jobsRefused: 0, items: 0, itemFaults: 0 };
  return { ...counts, ...ofJobs, statuses: new Map(), wrong: [], waitsMs: [] };
}

export interface Sender {
  readonly url: string;
  readonly key: string;
  readonly findings: Findings;
}

async function call(
  { url, key, findings }: Sender,
  path: string,
  init: { readonly method?: string; readonly body?: string; readonly headers?: object } = {},
) {
  try {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
      signal: AbortSignal.timeout(CALL_MS),
    });
    const text = await response.text();
    count(findings, String(response.status));
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    count(findings, error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'broken');
    return null;
  }
}

function count({ statuses }: Findings, status: string): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Sends one request until it is answered, under one key, and looks at the answer. */
export async function insist(sender: Sender, number: number, name: string): Promise<void> {
  const { findings } = sender;
  const { body, verdict } = aRequest(number);
  const headers = { 'content-type': 'application/json', 'idempotency-key': name };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const since = performance.now();
  findings.sent += 1;
  while (performance.now() < since + PATIENCE_MS) {
    const answer = await call(sender, '/v1/judge', init);
    if (answer?.status === 200) {
      const report = Report.parse(JSON.parse(answer.text));
      if (answer.headers.get('idempotent-replayed') === 'true') findings.replayed += 1;
      if (report.fault !== null || report.verdict === 'fault') {
        findings.faults += 1;
        if (report.reward !== null) findings.wrong.push(`${name}: a reward with a fault`);
      } else {
        findings.answered += 1;
        findings.waitsMs.push(performance.now() - since);
        if (report.attempts.some(({ fault }) => fault !== null)) findings.mended += 1;
        const reward = verdict === 'accepted' ? 1 : 0;
        if (report.verdict !== verdict || report.reward !== reward)
          findings.wrong.push(`${name}: ${report.verdict}, ${report.reward}; not ${verdict}`);
        return;
      }
    } else if (answer !== null && !AGAIN.has(answer.status)) {
      findings.wrong.push(`${name}: ${answer.status} ${answer.text.slice(0, 300)}`);
      return;
    }
    findings.again += 1;
    await sleep(AGAIN_MS);
  }
  findings.wrong.push(`${name}: lost, without an answer for ${PATIENCE_MS} ms`);
}

export interface TakenJob {
  readonly id: string;
  readonly first: number;
  readonly count: number;
}

/** Hands a job in; null where it was not taken. */
export async function handIn(
  sender: Sender,
  first: number,
  size: number,
): Promise<TakenJob | null> {
  const lines = Array.from({ length: size }, (_, at) => JSON.stringify(aRequest(first + at).body));
  const headers = { 'content-type': 'application/x-ndjson' };
  const body = lines.join('\n');
  const answer = await call(sender, '/v1/jobs', { method: 'POST', headers, body });
  if (answer?.status !== 202) {
    sender.findings.jobsRefused += 1;
    return null;
  }
  sender.findings.jobs += 1;
  return { id: Job.parse(JSON.parse(answer.text)).id, first, count: size };
}

/** Waits for the end of a job that was taken, and looks at each of its results. */
export async function look(sender: Sender, job: TakenJob, untilMs: number): Promise<void> {
  const { findings } = sender;
  const ask = async (path: string): Promise<unknown> => {
    while (performance.now() < untilMs) {
      const answer = await call(sender, path);
      if (answer?.status === 200) return JSON.parse(answer.text);
      if (answer?.status === 404) break;
      await sleep(AGAIN_MS);
    }
    return null;
  };
  for (;;) {
    const seen = await ask(`/v1/jobs/${job.id}`);
    if (seen === null) return void findings.wrong.push(`${job.id}: lost`);
    if (Job.parse(seen).ended !== null) break;
    await sleep(AGAIN_MS);
  }
  const verdicts = new Map<number, { verdict: string; reward: unknown }>();
  for (let cursor: string | null = '0'; cursor !== null;) {
    const seen = await ask(`/v1/jobs/${job.id}/results?cursor=${cursor}`);
    if (seen === null) return void findings.wrong.push(`${job.id}: results lost`);
    const page = Results.parse(seen);
    for (const { line, verdict = 'none', reward } of page.results) {
      if (verdicts.has(line)) findings.wrong.push(`${job.id}: line ${line} has two results`);
      verdicts.set(line, { verdict, reward });
    }
    ({ cursor } = page);
  }
  for (let line = 1; line <= job.count; line += 1) {
    const found = verdicts.get(line);
    const { verdict } = aRequest(job.first + line - 1);
    findings.items += 1;
    if (found?.verdict === 'fault') {
      findings.itemFaults += 1;
      if (found.reward !== null) findings.wrong.push(`${job.id}: a reward with a fault`);
    } else if (found?.verdict !== verdict)
      findings.wrong.push(`${job.id}: line ${line} ${found?.verdict ?? 'has no result'}`);
  }
}
