/**
 * `assay testset import`: packages and rows become test sets of a running service, proved by the programs that they bring;
 * what does not hold is not registered.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { assay, type CommandResult } from '../support/command.ts';
import { startService, temporaryFolder, type RunningService } from '../support/service.ts';

let service: RunningService;
let folder: string;
beforeAll(async () => {
  service = await startService({ flags: { '--slots': '2', '--languages': 'python,cpp' } });
  folder = await temporaryFolder();
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

const take = async (name: string, ...flags: readonly string[]): Promise<CommandResult> =>
  await assay([
    ...['testset', 'import', path.join(folder, name), '--runs', '2', '--url', service.url],
    ...flags,
  ]);
const rewardOf = async (testset: string, code: string): Promise<unknown> => {
  const { body } = await service.client.post('/v1/judge', { testset, code, language: 'python' });
  return body;
};

const SUM = 'print(sum(map(int, input().split())))\n';

describe('assay testset import', () => {
  it('takes a package, tries its programs, and the service judges by it', async () => {
    await write({
      'sum/problem.yaml': 'name: Sum\ntype: scoring\nlimits:\n  memory: 256\n',
      'sum/.timelimit': '1',
      'sum/data/secret/small/testdata.yaml': 'accept_score: 30\ngrader_flags: min\n',
      'sum/data/secret/small/1.in': '1 2\n',
      'sum/data/secret/small/1.ans': '3\n',
      'sum/data/secret/large/testdata.yaml': 'accept_score: 70\ngrader_flags: min\n',
      'sum/data/secret/large/1.in': '2000 2000\n',
      'sum/data/secret/large/1.ans': '4000\n',
      'sum/submissions/accepted/sum.py': SUM,
      'sum/submissions/accepted/sum.cc':
        '#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }\n',
      'sum/submissions/wrong_answer/first.py': 'print(input().split()[0])\n',
      'sum/submissions/time_limit_exceeded/slow.py': 'while True: pass\n',
    });
    const { stdout, stderr, code } = await take('sum');
    expect(stdout, stderr).toMatch(/^holds {5}sum\nregistered sum@sha256:[0-9a-f]{64}: 1 of 1/);
    expect(code).toBe(0);
    expect(await rewardOf('sum/sum', SUM)).toMatchObject({ verdict: 'accepted', reward: 1 });
    expect(await rewardOf('sum', 'print(min(100, sum(map(int, input().split()))))')).toMatchObject({
      reward: 0.3,
      limits: { cpu_ms: 1000, memory_mb: 256 },
    });
  });

  it('takes a validator with its flags, and an interactive one of DOMjudge', async () => {
    await write({
      'set/near/problem.yaml': 'name: Near\nvalidation: custom\nvalidator_flags: within 2\n',
      'set/near/output_validators/v/validate.py': `import sys
assert sys.argv[4:] == ["within", "2"]
answer = int(open(sys.argv[2]).read())
try: got = int(sys.stdin.read())
except ValueError: sys.exit(43)
sys.exit(42 if abs(got - answer) <= 2 else 43)
`,
      'set/near/data/secret/1.in': '5\n',
      'set/near/data/secret/1.ans': '10\n',
      'set/near/submissions/accepted/a.py': 'print(int(input()) * 2 + 2)',
      'set/near/submissions/wrong_answer/w.py': 'print(int(input()) * 2 + 3)',
      'set/guess/problem.yaml': 'name: Guess\nvalidation: custom interactive\n',
      'set/guess/domjudge-problem.ini': "timelimit='1'\n",
      'set/guess/run/run.py': `import sys
secret = int(open(sys.argv[1]).read())
for _ in range(8):
    try: guess = int(input())
    except (ValueError, EOFError): break
    print("=" if guess == secret else "<" if guess > secret else ">", flush=True)
    if guess == secret: sys.exit(42)
sys.exit(43)
`,
      'set/guess/data/secret/1.in': '77\n',
      'set/guess/submissions/accepted/a.py': `low, high = 1, 100
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    word = input()
    if word == "=": break
    if word == "<": high = middle - 1
    else: low = middle + 1
`,
      'set/guess/submissions/wrong_answer/w.py': 'for i in range(8): print(i, flush=True)',
    });
    const { stdout, stderr, code } = await take('set', '--id', 'validators', '--json');
    expect(code, stdout + stderr).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { id: 'guess', accepted: true, calibration: { references: 1 } },
      { id: 'near', accepted: true },
      { summary: { problems: 2, accepted: 2, refused: 0, testset: { id: 'validators' } } },
    ]);
    expect(await rewardOf('validators/near', 'print(9)')).toMatchObject({ reward: 1 });
    expect(await rewardOf('validators/guess', 'print(77); input()')).toMatchObject({
      mode: 'interactive',
      reward: 1,
    });
  });

  it('says why a set is not registered, and exits with 1', async () => {
    await write({
      'bad/problem.yaml': 'name: Bad\n',
      'bad/data/secret/1.in': '1 2\n',
      'bad/data/secret/1.ans': 'Three\n',
      'bad/submissions/accepted/a.py': 'print("THREE")',
      'bad/submissions/wrong_answer/w.py': 'print("three")',
    });
    const { stdout, code } = await take('bad');
    expect(stdout).toMatch(
      /^refused {3}bad: the tests accept wrong programs: wrong_answer\/w\.py\n/,
    );
    expect(stdout).toMatch(/not registered: 1 of 1 problems do not hold/);
    expect(code).toBe(1);
    expect((await take('bad', '--skip', 'wrong_answer/w')).code).toBe(0);
  });

  it('takes rows of data sets, and leaves out those that are none', async () => {
    const rows = [
      {
        task_id: 1,
        text: 'Add.',
        code: 'def add(a, b): return a + b',
        test_list: ['assert add(1, 2) == 3'],
      },
      {
        task_id: 'HumanEval/1',
        prompt: 'def twice(x):\n',
        entry_point: 'twice',
        canonical_solution: '    return 2 * x\n',
        test: 'def check(candidate):\n    assert candidate(4) == 8\n',
      },
      { odd: true },
    ];
    await write({ 'rows.jsonl': rows.map((row) => JSON.stringify(row)).join('\n') });
    const refused = await take('rows.jsonl');
    expect(refused.stderr).toMatch(/row 3: is of no known data set/);
    expect(refused.code).toBe(2);
    const { stdout, stderr, code } = await take('rows.jsonl', '--partial');
    expect(stdout, stderr).toMatch(/registered rows@sha256:\w+: 2 of 2 problems/);
    expect(code).toBe(0);
    expect(await rewardOf('rows/HumanEval/1', 'twice = lambda x: x + x')).toMatchObject({
      reward: 1,
    });
    expect(await rewardOf('rows/1', 'def add(a, b): return 3')).toMatchObject({ reward: 1 });
  });

  it.each([
    [['testset', 'export', 'x'], /takes `import PATH`/],
    [['testset', 'import', '/nowhere/at/all'], /no such file or folder/],
  ])('%j is a wrong command line', async (argv, message) => {
    const { stderr, code } = await assay([...argv, '--url', service.url]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
