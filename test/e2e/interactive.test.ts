/**
 * Interactive problems: two jails joined by pipes through the service. Who is charged for what, that nobody can hold the
 * other or the service up for longer than the limits, and that an interactor's failure is never a program's.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';

import type { Checker, Interactor } from '../../src/http/native/schema/problem-program.ts';
import type { JudgeResponse } from '../../src/http/native/schema/report.ts';
import { aJudge, type JudgeRequestBody } from '../support/builders.ts';
import { readProjectFile } from '../support/project.ts';
import { startService, type RunningService } from '../support/service.ts';

type InteractorBody = z.input<typeof Interactor>;

const file = (name: string): string => readProjectFile('test', 'e2e', 'checkers', name);
const LIMITS = { cpu_ms: 1000, wall_ms: 5000 };
const inPython = (name: string, given: Partial<InteractorBody>): InteractorBody => ({
  language: 'python',
  code: file('guess.py').replace('CONVENTION', name),
  convention: 'kattis',
  limits: LIMITS,
  ...given,
});

const INTERACTORS: Readonly<Record<string, InteractorBody>> = {
  testlib: {
    language: 'cpp',
    code: file('guess.testlib.cpp'),
    convention: 'testlib',
    limits: { ...LIMITS, compile_cpu_ms: 60_000 },
  },
  kattis: inPython('kattis', { convention: 'kattis' }),
  dmoj: inPython('dmoj', { convention: 'dmoj_bridged' }),
  cms: { language: 'cpp', code: file('guess.manager.cpp'), convention: 'cms', limits: LIMITS },
};
const names = Object.keys(INTERACTORS);

/** Halves what is left. */
const HONEST = `low, high = 1, 1000000
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    word = input()
    if word == "found":
        break
    if word == "more":
        low = middle + 1
    else:
        high = middle - 1
`;

/** Programs → what becomes of them. */
const PROGRAMS: Readonly<Record<string, readonly [string, Partial<JudgeResponse>]>> = {
  'a right one': [HONEST, { verdict: 'accepted', reward: 1 }],
  'a wrong one': ['for i in range(30): print(i + 1, flush=True)', { verdict: 'wrong_answer' }],
  'one that ends at once': ['', { verdict: 'wrong_answer' }],
  'one that ends at once, badly': ['raise SystemExit(3)', { verdict: 'runtime_error' }],
  'one that says what is no number': [
    'print("found", flush=True); input()',
    { verdict: 'wrong_answer' },
  ],
  'one that is silent': ['import time; time.sleep(1000)', { verdict: 'time_limit' }],
  'one that waits while it is waited for': ['input()', { verdict: 'time_limit' }],
  'one that computes without end': ['while True: pass', { verdict: 'time_limit' }],
  'one that is right and then fails': [
    `${HONEST}raise SystemExit(1)`,
    { verdict: 'runtime_error' },
  ],
  'one that is right and goes on': [`${HONEST}while True: pass`, { verdict: 'time_limit' }],
  'one that closes its output': [
    'import os, time; os.close(1); time.sleep(1000)',
    { verdict: 'time_limit' },
  ],
};
const WRONG = { reward: 0, fault: null };

describe('interactive problems', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ flags: { '--slots': '2', '--max-compile-cpu-ms': '120000' } });
  });
  afterAll(async () => await service.stop());

  const judge = async (
    interactor: InteractorBody,
    code: string,
    given: Partial<JudgeRequestBody> & { readonly secrets?: readonly string[] } = {},
  ): Promise<JudgeResponse> => {
    const { secrets = ['720000'], ...rest } = given;
    const cases = secrets.map((stdin) => ({ stdin: `${stdin}\n` }));
    const tests = { kind: 'interactive' as const, interactor, cases };
    const limits = { cpu_ms: 500, wall_ms: 1000 };
    return await service.client.judge(aJudge({ code, tests, limits, ...rest }));
  };
  const of = (name: string): InteractorBody => {
    const found = INTERACTORS[name];
    if (found === undefined) throw new Error(`no interactor ${name}`);
    return found;
  };

  it.each(names.flatMap((name) => Object.keys(PROGRAMS).map((what) => [name, what] as const)))(
    '%s: %s',
    async (name, what) => {
      const [code, expected] = PROGRAMS[what] ?? ['', {}];
      const report = await judge(of(name), code);
      expect(report, JSON.stringify([report.fault, report.message])).toMatchObject({
        ...WRONG,
        mode: 'interactive',
        ...expected,
      });
    },
  );

  it.each(names)("%s: a flood is cut off, and is the flooder's failure", async (name) => {
    const code = 'import sys\nwhile True: sys.stdout.write("5\\n" * 100000)';
    const limits = { cpu_ms: 2000, wall_ms: 4000, output_kb: 4096 };
    const report = await judge(of(name), code, { limits });
    expect(report).toMatchObject(WRONG);
    expect(['wrong_answer', 'output_limit', 'time_limit']).toContain(report.verdict);
  });

  it.each([
    ['cms', '13', 'signal 6'],
    ['cms', '14', 'no decimal number'],
    ['kattis', '13', 'uncaught exception'],
    ['dmoj', '13', 'uncaught exception'],
    ['kattis', '14', 'reached its'],
  ])(
    '%s, secret %s: an interactor that fails is a fault of the problem',
    async (name, secret, why) => {
      const report = await judge(of(name), HONEST, { secrets: [secret], limits: { cpu_ms: 9000 } });
      expect(report).toMatchObject({
        verdict: 'fault',
        reward: null,
        fault: { code: 'interactor_failed', retryable: false },
      });
      expect(report.fault?.message).toContain(why);
      expect(report.attempts).toHaveLength(1);
      // The jails are good for whoever comes next.
      expect(await judge(of(name), HONEST)).toMatchObject({ verdict: 'accepted', fault: null });
    },
  );

  it('a program that has failed is charged, whatever the interactor does with the end of its input', async () => {
    const interactor = inPython('dmoj', {
      convention: 'dmoj_bridged',
      code: 'import sys\nwhile True: int(input())',
    });
    const report = await judge(interactor, 'print(1)\nraise SystemExit(3)');
    expect(report).toMatchObject({ ...WRONG, verdict: 'runtime_error' });
  });

  const reading = 'while True: int(input())';
  // At the end of its input it goes on, and meets its CPU limit.
  const spinning = 'import sys\nwhile sys.stdin.readline() != "5\\n": pass';
  it.each([
    ['ends before it is asked', 'print(1)', reading, 'after the program had ended'],
    ['says what is no number', 'print("x", flush=True)\ninput()', reading, 'exception'],
    ['ends, on which the interactor spins', 'print(1)', spinning, 'cpu limit'],
  ])(
    'a program is charged that %s, where the interactor alone waits for it',
    async (_, code, asking, why) => {
      const interactor = inPython('dmoj', { convention: 'dmoj_bridged', code: asking });
      const report = await judge(interactor, code);
      expect(report).toMatchObject({ ...WRONG, verdict: 'wrong_answer' });
      expect(report.message).toContain('the interactor waits for the program');
      expect(report.message).toContain(why);
    },
  );

  it('one that says that it fails, after the program has spoken, may have been made to', async () => {
    const report = await judge(of('testlib'), HONEST, { secrets: ['13'] });
    expect(report).toMatchObject({ ...WRONG, verdict: 'wrong_answer' });
    expect(report.message).toContain('exit code 3: FAIL asked to fail');
  });

  it('the program may be slow to end once it has been accepted', async () => {
    const code = 'print(1, flush=True)\ninput()\nimport time; time.sleep(0.6)';
    const report = await judge(of('dmoj'), code, { secrets: ['15'] });
    expect(report).toMatchObject({ verdict: 'accepted', reward: 1 });
  });

  it('a checker judges what the interactor wrote down', async () => {
    const checker = (most: number): z.input<typeof Checker> => ({
      language: 'python',
      convention: 'cms',
      code: `import sys
given, answer, said = (open(path).read().split() for path in sys.argv[1:])
print(1.0 if said[-1] == given[0] and len(said) <= ${most} else 0.25)`,
    });
    const few = await judge(of('testlib'), HONEST, { compare: { checker: checker(20) } });
    expect(few, JSON.stringify(few.fault)).toMatchObject({ verdict: 'accepted', reward: 1 });
    const many = await judge(of('testlib'), HONEST, {
      compare: { checker: checker(2) },
      scoring: 'fraction',
    });
    expect(many).toMatchObject({ verdict: 'wrong_answer', reward: 0.25 });
  });

  it('the program sees neither the input nor the answer', async () => {
    const code = `import os, sys
sys.stderr.write(repr(sorted(os.listdir("."))))
${HONEST}`;
    const report = await judge(of('testlib'), code, { detail: 'full' });
    expect(report.cases[0]).toMatchObject({ verdict: 'accepted', stderr: "['main.py']" });
    expect(report.cases[0]?.stdout).toMatch(/^500000\n750000\n/);
  });

  it('a caller who waits no longer ends both, and the jails serve the next one', async () => {
    const interactor = of('dmoj');
    const tests = { kind: 'interactive' as const, interactor, cases: [{ stdin: '5\n' }] };
    const body = aJudge({ code: 'input()', tests, deadline_ms: 800 });
    const since = performance.now();
    const answer = await service.client.post('/v1/judge', body);
    expect(answer).toMatchObject({ status: 504, body: { code: 'deadline' } });
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(await judge(interactor, HONEST)).toMatchObject({ verdict: 'accepted', fault: null });
  });

  it('thousands of questions, and lines beyond every buffer, both ways', async () => {
    const interactor: InteractorBody = {
      language: 'python',
      code: file('echo.py'),
      convention: 'dmoj_bridged',
    };
    const code = 'import sys\nfor line in sys.stdin: print(line, end="", flush=True)';
    const report = await judge(interactor, code, {
      secrets: ['3000 4000000'],
      limits: { cpu_ms: 5000 },
    });
    expect(report, JSON.stringify([report.fault, report.message])).toMatchObject({
      verdict: 'accepted',
      reward: 1,
    });
  });

  it.each(['javascript', 'cpp'])('a program in %s talks as well', async (language) => {
    const code = {
      javascript: `const lines = require('node:readline').createInterface({ input: process.stdin });
let low = 1, high = 1000000, middle;
const ask = () => console.log((middle = (low + high) >> 1));
lines.on('line', (word) => {
  if (word === 'found') return lines.close();
  if (word === 'more') low = middle + 1; else high = middle - 1;
  ask();
});
ask();`,
      cpp: `#include <iostream>
#include <string>
int main() {
  int low = 1, high = 1000000;
  for (std::string word; word != "found";) {
    int middle = (low + high) / 2;
    std::cout << middle << std::endl;
    std::cin >> word;
    if (word == "more") low = middle + 1; else high = middle - 1;
  }
}`,
    }[language];
    const report = await judge(of('testlib'), code ?? '', { language, secrets: ['1', '999999'] });
    expect(report, JSON.stringify([report.fault, report.message])).toMatchObject({
      verdict: 'accepted',
      reward: 1,
      passed: 2,
    });
  });

  it('a silent program that was forked is confirmed by a process', async () => {
    const code = 'setInterval(() => {}, 1000);';
    const report = await judge(of('kattis'), code, { language: 'javascript' });
    expect(report, JSON.stringify([report.fault, report.message])).toMatchObject({
      verdict: 'time_limit',
      reward: 0,
      fault: null,
      provenance: { runtime: 'process' },
    });
  });
});
