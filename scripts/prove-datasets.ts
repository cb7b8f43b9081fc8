/**
 * The long proof of the split judgement: each reference solution of the data sets is accepted, and the same with one
 * wrong answer is refused. `npm run prove -- FOLDER [--url URL] [--only SET] [--id PROBLEM]`: FOLDER holds humaneval.jsonl, mbpp.jsonl and
 * leetcode-functions.jsonl; without a URL a service is started. Solutions run in jails only.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { startService } from '../test/support/service.ts';

interface Problem {
  readonly id: string;
  readonly code: string;
  readonly wrong: string;
  readonly tests: object;
}

const HumanEvalRow = z.looseObject({
  task_id: z.string(),
  prompt: z.string(),
  canonical_solution: z.string(),
  entry_point: z.string(),
  test: z.string(),
});
const LeetCodeRow = z.looseObject({
  task_id: z.string(),
  prompt: z.string(),
  completion: z.string(),
  entry_point: z.string(),
  test: z.string(),
});
const MbppRow = z.looseObject({
  task_id: z.number(),
  code: z.string(),
  test_list: z.array(z.string()),
  challenge_test_list: z.array(z.string()),
  test_setup_code: z.string(),
});

/** What is put behind a program to make one return of its function wrong: the value is there, and is another. */
function breaking(entry: string): string {
  const [first = '', last] = entry.replaceAll('()', '').split('.');
  const holder = last === undefined ? '' : `${first}.`;
  return `
def _wrong(value):
    if type(value) is bool: return not value
    if isinstance(value, (int, float, complex)): return -value if value in (value + 1, value - 1) else value + 1
    if isinstance(value, str): return value + "x"
    if isinstance(value, list): return value + [value[-1] if value else 0]
    if isinstance(value, tuple): return value + (0,)
    if isinstance(value, (set, frozenset)): return value | {"no such member"}
    if isinstance(value, dict): return {**value, "no such key": 0}
    return None if value is not None else 0
def _once(function):
    calls = []
    def call(*args, **kwargs):
        is_first = not calls
        calls.append(1)
        value = function(*args, **kwargs)
        return _wrong(value) if is_first else value
    return call
${holder}${last ?? first} = _once(${holder}${last ?? first})
`;
}

/** The names of Python's that a problem's own function may have. */
const BUILTINS =
  /^(?:sum|max|min|abs|pow|round|sorted|set|list|len|range|str|int|all|any|map|filter)$/;

async function rowsOf<Row>(folder: string, name: string, schema: z.ZodType<Row>): Promise<Row[]> {
  const text = await readFile(path.join(folder, name), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => schema.parse(JSON.parse(line)));
}

function check(
  id: string,
  code: string,
  row: { entry_point: string; test: string; prompt: string },
): Problem {
  const { entry_point: entry, test, prompt } = row;
  const tests = { kind: 'check', code: test, entry, prompt };
  return { id, code, wrong: code + breaking(entry), tests };
}

/** The function that the asserts call, by the program's own definitions. */
function entryOf(code: string, asserts: readonly string[]): string {
  const defined = [...code.matchAll(/^def (\w+)\s*\(/gm)].map(([, name = '']) => name);
  const first = asserts[0] ?? '';
  const called = defined.filter((name) => new RegExp(String.raw`\b${name}\s*\(`).test(first));
  return called.at(-1) ?? defined.at(-1) ?? '';
}

async function problemsOf(folder: string): Promise<Record<string, Problem[]>> {
  const humaneval = await rowsOf(folder, 'humaneval.jsonl', HumanEvalRow);
  const leetcode = await rowsOf(folder, 'leetcode-functions.jsonl', LeetCodeRow);
  const mbpp = await rowsOf(folder, 'mbpp.jsonl', MbppRow);
  return {
    humaneval: humaneval.map((row) => check(row.task_id, row.prompt + row.canonical_solution, row)),
    mbpp: mbpp.map((row): Problem => {
      const cases = [...row.test_list, ...row.challenge_test_list];
      const entry = entryOf(row.code, cases);
      const named = BUILTINS.test(entry) ? { entry } : {};
      const tests = { kind: 'asserts', setup: row.test_setup_code, cases, ...named };
      return { id: String(row.task_id), code: row.code, wrong: row.code + breaking(entry), tests };
    }),
    leetcode: leetcode.map((row) => check(row.task_id, `${row.prompt}\n${row.completion}`, row)),
  };
}

const Report = z.looseObject({
  verdict: z.string(),
  reward: z.number().nullable(),
  message: z.string(),
});

async function judge(
  url: string,
  code: string,
  { tests }: Problem,
): Promise<z.infer<typeof Report>> {
  // The references of some take long, and some import what only this environment has.
  const isScientific = /sortedcontainers|numpy/.test(code);
  const response = await fetch(`${url}/v1/judge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      language: 'python',
      ...(isScientific ? { environment: 'scientific' } : {}),
      code,
      tests,
      limits: { cpu_ms: 60_000, wall_ms: 300_000, memory_mb: 1024 },
    }),
  });
  return Report.parse(await response.json());
}

/** Judges all, some at a time; returns how many were as they must be, and prints those that were not. */
async function prove(
  url: string,
  name: string,
  problems: readonly Problem[],
  isWrong: boolean,
): Promise<boolean> {
  let good = 0;
  const times: number[] = [];
  const queue = [...problems];
  const worker = async (): Promise<void> => {
    for (let problem = queue.shift(); problem !== undefined; problem = queue.shift()) {
      const since = performance.now();
      const report = await judge(url, isWrong ? problem.wrong : problem.code, problem);
      times.push(performance.now() - since);
      const isGood = isWrong ? report.reward === 0 : report.verdict === 'accepted';
      if (isGood) good += 1;
      else process.stdout.write(`  ${name} ${problem.id}: ${report.verdict} ${report.message}\n`);
    }
  };
  await Promise.all([worker(), worker()]);
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const what = isWrong ? 'with one wrong answer refused' : 'references accepted';
  process.stdout.write(
    `${name}: ${good} of ${problems.length} ${what}, median ${median.toFixed(1)} ms\n`,
  );
  return good === problems.length;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, only: { type: 'string' }, id: { type: 'string' } },
});
const [folder] = positionals;
if (folder === undefined)
  throw new Error('npm run prove -- FOLDER [--url URL] [--only SET] [--id PROBLEM]');
const service = values.url === undefined ? await startService() : null;
const url = values.url ?? service?.url ?? '';
let isProved = true;
for (const [name, all] of Object.entries(await problemsOf(folder))) {
  if (values.only !== undefined && values.only !== name) continue;
  const problems = all.filter(({ id }) => values.id === undefined || values.id === id);
  for (const isWrong of [false, true]) {
    isProved = (await prove(url, name, problems, isWrong)) && isProved;
  }
}
await service?.stop();
process.exitCode = isProved ? 0 : 1;
