/**
 * `assay eval` from outside: real samples of HumanEval against a real service; whoever is killed or interrupted in the middle
 * goes on where it was; what is not the program's failure is no zero. A relay in front of the service holds requests or
 * answers for it, so that nothing here depends on who is faster.
 */
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ResultRow } from '../../src/cli/eval/results-file.ts';
import { assay, startAssay, type CommandResult } from '../support/command.ts';
import { projectFile } from '../support/project.ts';
import { startService, temporaryFolder, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const HUMAN_EVAL = projectFile('test', 'data', 'humaneval.jsonl');
const LIMIT_MS = 60_000;

let service: RunningService;
let folder: string;
let rows: readonly { task_id: string; prompt: string; canonical_solution: string }[];
beforeAll(async () => {
  service = await startService({ flags: { '--slots': '2' }, languages: ['python'] });
  folder = await temporaryFolder();
  const text = await readFile(HUMAN_EVAL, 'utf8');
  rows = text
    .split('\n')
    .slice(0, 4)
    .map((line) => JSON.parse(line) as (typeof rows)[number]);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const file = (name: string): string => path.join(folder, name);
const evaluate = async (name: string, ...flags: readonly string[]): Promise<CommandResult> =>
  await assay(['eval', file(name), '--problems', HUMAN_EVAL, ...flags], { timeoutMs: LIMIT_MS });
const write = async (name: string, samples: readonly object[]): Promise<void> =>
  await writeFile(file(name), samples.map((each) => `${JSON.stringify(each)}\n`).join(''));

async function resultsIn(out: string): Promise<ResultRow[]> {
  const text = await readFile(path.join(out, 'results.jsonl'), 'utf8').catch(() => '');
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => ResultRow.parse(JSON.parse(line)));
}

/** What must not depend on who was killed when: each sample once, with its verdict. */
const verdicts = (results: readonly ResultRow[]): string[] =>
  results.map(({ key, line, verdict, reward }) => `${line} ${key} ${verdict} ${reward}`).toSorted();

/** Right and wrong samples of the first rows, in the forms of human-eval and of evalplus. */
const someSamples = (): object[] =>
  rows.flatMap(({ task_id: task, prompt, canonical_solution: solution }) => [
    { task_id: task, completion: solution },
    { task_id: task, solution: prompt + solution },
    { task_id: task, completion: '    return undefined_name\n' },
  ]);

type Answer = (number: number, outgoing: ServerResponse) => 'pass' | 'taken';

/** In front of the service: `answer` is asked about each judge request, by its number from 1. */
async function startRelay(answer: Answer): Promise<{ url: string } & AsyncDisposable> {
  let count = 0;
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
    const isJudge = incoming.url === '/v1/judge';
    if (isJudge && answer((count += 1), outgoing) === 'taken') return;
    const response = await fetch(`${service.url}${incoming.url ?? ''}`, {
      method: incoming.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    outgoing.writeHead(response.status, { 'content-type': 'application/json' });
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  };
  const server = createServer((incoming, outgoing) => {
    // A command that was killed takes its connections along.
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('assay eval', () => {
  it('judges samples of both forms, says pass@k and leaves the files', async () => {
    await write('both.jsonl', someSamples());
    const done = await evaluate('both.jsonl', '--url', service.url, '--k', '1,2,4');
    expect(done.stdout, done.stderr).toMatch(/^12 of 12 samples judged, 8 right\n/);
    expect(done.stdout).toContain('pass@1 66.67 % over 4 problems\n');
    expect(done.stdout).toContain('pass@2 100.00 % over 4 problems\n');
    expect(done.stdout).toContain('pass@4: no problem has 4 judged samples\n');
    expect(done.stdout).toContain('4  runtime_error: NameError\n');
    expect(done.code).toBe(0);
    const out = file('both.eval');
    const summary: unknown = JSON.parse(await readFile(path.join(out, 'summary.json'), 'utf8'));
    expect(summary).toMatchObject({
      samples: { read: 12, judged: 12, right: 8 },
      unjudged: { faults: 0, refused: 0 },
      problems: { known: 164, judged: 4, solved: 4 },
    });
    const page = await readFile(path.join(out, 'report.html'), 'utf8');
    expect(page.match(/<details>/g)).toHaveLength(4);
    const again = await evaluate('both.jsonl', '--url', 'http://127.0.0.1:1');
    expect(again.code, 'without a service there is nothing to go on with').toBe(2);
    expect(verdicts(await resultsIn(out))).toHaveLength(12);
  });

  it('killed in the middle, it goes on and ends with the same results', async () => {
    const samples = [...someSamples(), ...someSamples()];
    await write('whole.jsonl', samples);
    await write('killed.jsonl', samples);
    await evaluate('whole.jsonl', '--url', service.url);
    const out = file('killed.eval');
    {
      await using relay = await startRelay((number) => (number <= 7 ? 'pass' : 'taken'));
      const argv = ['eval', file('killed.jsonl'), '--problems', HUMAN_EVAL, '--url', relay.url];
      const command = startAssay(argv);
      await waitFor(async () => ((await resultsIn(out)).length === 7 ? true : null), {
        what: 'seven results',
        timeoutMs: LIMIT_MS,
      });
      command.kill('SIGKILL');
      await command.exited(LIMIT_MS);
    }
    await appendFile(path.join(out, 'results.jsonl'), '{"key":"0123');
    let asked = 0;
    await using relay = await startRelay((number) => ((asked = number), 'pass'));
    const done = await evaluate('killed.jsonl', '--url', relay.url);
    expect(done.code, done.stderr).toBe(0);
    expect(asked).toBe(samples.length - 7);
    const whole = await resultsIn(file('whole.eval'));
    expect(whole).toHaveLength(samples.length);
    // Of two equal samples either may have been judged first.
    const byKey = (results: readonly ResultRow[]): string[] =>
      results.map(({ key, verdict, reward }) => `${key} ${verdict} ${reward}`).toSorted();
    expect(byKey(await resultsIn(out))).toEqual(byKey(whole));
  });

  it('interrupted, it exits with 130 and says how to go on', async () => {
    await write('stopped.jsonl', someSamples());
    await using relay = await startRelay((number) => (number <= 2 ? 'pass' : 'taken'));
    const argv = ['eval', file('stopped.jsonl'), '--problems', HUMAN_EVAL, '--url', relay.url];
    const command = startAssay(argv);
    const out = file('stopped.eval');
    await waitFor(async () => ((await resultsIn(out)).length === 2 ? true : null), {
      what: 'two results',
      timeoutMs: LIMIT_MS,
    });
    command.kill('SIGINT');
    expect(await command.exited(LIMIT_MS)).toBe(130);
    const done = await evaluate('stopped.jsonl', '--url', service.url);
    expect(done.code, done.stderr).toBe(0);
    expect(verdicts(await resultsIn(out))).toHaveLength(12);
  });

  it('waits where it is refused, and makes no zero of a fault', async () => {
    await write('faults.jsonl', someSamples().slice(0, 2));
    const out = file('faults.eval');
    const fault = { code: 'jail_died', message: 'the jail ended during the run', retryable: true };
    const report = { verdict: 'fault', reward: null, passed: 0, total: 1, fault };
    {
      await using relay = await startRelay((number, outgoing) => {
        if (number === 1) {
          outgoing.writeHead(429, { 'retry-after': '1' }).end('{}');
          return 'taken';
        }
        if (number === 2) return 'pass';
        outgoing.writeHead(200).end(JSON.stringify(report));
        return 'taken';
      });
      const flags = ['--url', relay.url, '--concurrency', '1', '--retries', '1'];
      const left = await evaluate('faults.jsonl', ...flags);
      expect(left.code, left.stderr).toBe(3);
      expect(left.stdout).toContain('1 faults: no reward, in no figure');
      expect(left.stdout).toContain('pass@1 100.00 % over 1 problems');
    }
    expect(await resultsIn(out)).toMatchObject([
      { verdict: 'accepted', reward: 1, tries: 1 },
      { verdict: 'fault', reward: null, kind: 'fault: jail_died', tries: 2 },
    ]);
    const again = await evaluate('faults.jsonl', '--url', service.url);
    expect(again.stdout).toMatch(/^2 of 2 samples judged, 2 right\n/);
    expect(again.code).toBe(0);
  });

  it('takes judge requests, a test set, and says what could not be judged', async () => {
    const tests = { kind: 'stdio', cases: [{ stdin: '1 2\n', expected_stdout: '3\n' }] };
    const right = 'print(sum(map(int, input().split())))\n';
    const { status } = await service.client.post('/v1/testsets', {
      id: 'sums',
      problems: [{ id: 'two', language: 'python', tests, references: [{ code: right }] }],
      calibrate: { runs: 1 },
    });
    expect(status).toBe(200);
    await write('mixed.jsonl', [
      { language: 'python', code: right, tests, labels: { task_id: 'own' } },
      { language: 'python', code: 'print(4)', tests, labels: { task_id: 'own' } },
      { task_id: 'two', completion: `Sum:\n\`\`\`python\n${right}\`\`\`\n` },
      { task_id: 'two', completion: '    return 3' },
      { task_id: 'three', solution: right },
      { language: 'klingon', code: '', tests },
    ]);
    const argv = ['eval', file('mixed.jsonl'), '--testset', 'sums', '--url', service.url];
    const { stdout, stderr, code } = await assay([...argv, '--json', '--k', '1']);
    expect(JSON.parse(stdout), stderr).toMatchObject({
      samples: { read: 6, judged: 3, right: 2 },
      unjudged: { faults: 0, refused: 3 },
      pass_at_k: [{ k: 1, value: 0.75, problems: 2, too_few: 0 }],
      without_reward: expect.arrayContaining([
        expect.objectContaining({ line: 4, message: expect.stringContaining('--problems') }),
        expect.objectContaining({ line: 5, message: 'there is no problem of this name' }),
        expect.objectContaining({ line: 6, kind: 'refused: unknown_language' }),
      ]),
    });
    expect(code).toBe(3);
  });

  it.each([
    [['/nowhere.jsonl'], /no such file/],
    [[HUMAN_EVAL, '--problems', projectFile('package.json')], /holds no problems/],
  ])('%j is a wrong command line', async (argv, message) => {
    const { stderr, code } = await assay(['eval', ...argv, '--out', file('wrong.eval')]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
