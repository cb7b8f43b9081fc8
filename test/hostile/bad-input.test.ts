/** Bad requests over live HTTP: each has a defined answer that names the place, echoes nothing, and costs no jail. */
import { describe, expect, it } from 'vitest';

import { aJudge, aRun } from '../support/builders.ts';
import { toProblem } from '../support/client.ts';
import { useArena } from './hostile-suite.ts';

interface BadRow {
  readonly name: string;
  readonly path?: '/v1/run' | '/v1/judge';
  /** The body as a value or as the very text. */
  readonly body: unknown;
  readonly status: number;
  readonly code: string;
  /** Path of the first error; null when none is named. */
  readonly at: string | null;
}

const judge = (rest: object): object => ({ ...aJudge(), ...rest });
const cases = (list: readonly object[]): object => judge({ tests: { kind: 'stdio', cases: list } });
const invalid = (
  name: string,
  body: unknown,
  at: string,
  path: BadRow['path'] = '/v1/run',
): BadRow => ({
  name,
  path,
  body,
  status: 422,
  code: 'invalid',
  at,
});
const file = (path: string): object => ({ ...aRun(), files: { [path]: 'x' } });
const quoted = (path: string): string => `files[${JSON.stringify(path)}]`;

const ROWS: readonly BadRow[] = [
  { name: 'no JSON', body: '{"language": ', status: 400, code: 'malformed_json', at: null },
  { name: 'an empty body', body: '', status: 400, code: 'malformed_json', at: null },
  invalid('a list', [], ''),
  invalid('null', null, ''),
  {
    name: 'an unknown language',
    body: aRun({ language: 'cobol' }),
    status: 422,
    code: 'unknown_language',
    at: 'language',
  },
  {
    name: 'an unknown environment',
    body: aRun({ environment: 'python-2' }),
    status: 422,
    code: 'unknown_environment',
    at: 'environment',
  },
  invalid('no language', { code: 'print(1)' }, 'language'),
  invalid('no program', { language: 'python' }, ''),
  invalid('two programs', { ...aRun(), completion: 'x' }, ''),
  invalid('an unknown field', { ...aRun(), cod: 'x' }, 'cod'),
  invalid('an unknown limit', { ...aRun(), limits: { memory: 5 } }, 'limits.memory'),
  invalid('a wrong type', { ...aRun(), code: 5 }, 'code'),
  invalid(
    'a wrong type deep inside',
    cases([{ stdin: '', expected_stdout: '' }, { expected_stdout: 7 }]),
    'tests.cases[1].expected_stdout',
    '/v1/judge',
  ),
  invalid('a limit that is no number', { ...aRun(), limits: { cpu_ms: '5' } }, 'limits.cpu_ms'),
  invalid('a negative limit', { ...aRun(), limits: { cpu_ms: -1 } }, 'limits.cpu_ms'),
  invalid('a fractional limit', { ...aRun(), limits: { cpu_ms: 1.5 } }, 'limits.cpu_ms'),
  invalid(
    'an infinite limit',
    '{"language":"python","code":"","limits":{"cpu_ms":1e999}}',
    'limits.cpu_ms',
  ),
  invalid('invalid base64', { ...aRun(), stdin: { base64: 'a' } }, 'stdin.base64'),
  invalid('base64 of another alphabet', { ...aRun(), stdin: { base64: '_-==' } }, 'stdin.base64'),
  invalid('base64 with spaces', { ...aRun(), stdin: { base64: 'aGk=\n' } }, 'stdin.base64'),
  invalid(
    'a file both text and base64',
    { ...aRun(), stdin: { text: 'a', base64: 'YQ==' } },
    'stdin',
  ),
  invalid('a path above', file('../x'), quoted('../x')),
  invalid('an absolute path', file('/etc/x'), quoted('/etc/x')),
  invalid('a path that comes back', file('a/../../b'), quoted('a/../../b')),
  invalid('a path with NUL', file('a\0b'), quoted('a\0b')),
  invalid('an empty path', file(''), quoted('')),
  invalid('a path that is a dot', file('.'), quoted('.')),
  invalid('a path with a dot', file('a/./b'), quoted('a/./b')),
  invalid('a path with an empty part', file('a//b'), quoted('a//b')),
  invalid('a path with a long part', file('n'.repeat(256)), quoted(`${'n'.repeat(64)}…`)),
  invalid('a file as a folder', { ...aRun(), files: { a: 'x', 'a/b': 'y' } }, quoted('a/b')),
  invalid('an absolute path to collect', { ...aRun(), collect: ['/etc/passwd'] }, 'collect[0]'),
  invalid('a path above to collect', { ...aRun(), collect: ['ok', '../x'] }, 'collect[1]'),
  invalid(
    'an entry that is not there',
    { language: 'python', files: { a: 'x' }, entry: 'b' },
    'entry',
  ),
  invalid(
    'duplicate ids',
    cases([
      { id: 'a', expected_stdout: '' },
      { id: 'a', expected_stdout: '' },
    ]),
    'tests.cases[1].id',
    '/v1/judge',
  ),
  invalid(
    'an id that another case has by default',
    cases([{ id: '2', expected_stdout: '' }, { expected_stdout: '' }]),
    'tests.cases[1].id',
    '/v1/judge',
  ),
  {
    name: 'no tests',
    path: '/v1/judge',
    body: cases([]),
    status: 422,
    code: 'no_tests',
    at: 'tests.cases',
  },
  invalid(
    '100,000 tests',
    cases(Array.from({ length: 100_000 }, () => ({ expected_stdout: '' }))),
    'tests.cases',
    '/v1/judge',
  ),
  invalid(
    '10,001 tests',
    cases(Array.from({ length: 10_001 }, () => ({ expected_stdout: '' }))),
    'tests.cases',
    '/v1/judge',
  ),
  invalid(
    'a weight of 0',
    cases([{ expected_stdout: '', weight: 0 }]),
    'tests.cases[0].weight',
    '/v1/judge',
  ),
  invalid(
    'a lone surrogate in the code',
    '{"language":"python","code":"print(\\"\\ud800\\")"}',
    'code',
  ),
  invalid(
    'a lone surrogate in stdin',
    '{"language":"python","code":"","stdin":"\\udfff"}',
    'stdin',
  ),
  invalid(
    'a variable that loads code',
    { ...aRun(), env: { LD_PRELOAD: '/tmp/x.so' } },
    'env.LD_PRELOAD',
  ),
  invalid('a variable with a bad name', { ...aRun(), env: { 'A=B': '' } }, 'env["A=B"]'),
  invalid('NUL in an argument', { ...aRun(), args: ['a\0b'] }, 'args[0]'),
  invalid(
    '__proto__ as a field',
    '{"language":"python","code":"","__proto__":{"x":1}}',
    '__proto__',
  ),
];

describe('bad input', () => {
  const arena = useArena();

  it.each(ROWS)('$name: $status $code', async ({ path = '/v1/run', body, status, code, at }) => {
    const answer = await arena.service().client.post(path, body);
    const problem = toProblem(answer);
    expect({
      status: answer.status,
      code: problem.code,
      at: problem.errors[0]?.path ?? null,
    }).toEqual({
      status,
      code,
      at,
    });
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(JSON.stringify(problem).length).toBeLessThan(4096);
  });

  it('refuses text that is not UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"language":"python","code":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const response = await fetch(`${arena.service().url}/v1/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bytes,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'malformed_json' });
  });

  it('refuses other media types, methods and paths', async () => {
    const { client, url } = arena.service();
    const text = await client.post('/v1/run', aRun(), {
      headers: { 'content-type': 'text/plain' },
    });
    expect([text.status, toProblem(text).code]).toEqual([415, 'wrong_media_type']);
    const method = await fetch(`${url}/v1/run`, { method: 'PUT' });
    expect(method.status).toBe(405);
    const path = await client.get('/v1/nothing');
    expect([path.status, toProblem(path).code]).toEqual([404, 'no_such_endpoint']);
  });

  it('refuses a body that is too large before reading it whole', async () => {
    const { url } = arena.service();
    const body = new Blob([Buffer.alloc(300 * 1024 * 1024, 0x20)]);
    const status = await fetch(`${url}/v1/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).then(
      (response) => response.status,
      // The service may close the connection on a caller who goes on sending; its answer is lost with it then.
      () => 413,
    );
    expect(status).toBe(413);
    await arena.guard().expectUnharmed();
  });

  it('survives JSON that nests as deep as it is long', async () => {
    const { client } = arena.service();
    for (const body of [
      '['.repeat(1_000_000),
      `{"language":"python","code":"","stdin":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    ]) {
      expect([400, 413, 422]).toContain((await client.post('/v1/run', body)).status);
    }
    await arena.guard().expectUnharmed();
  });

  it('answers in problem documents that echo neither code nor input', async () => {
    const secret = 'k7-do-not-echo';
    const answer = await arena.service().client.post('/v1/judge', {
      ...aJudge({ code: secret, cases: [{ stdin: secret, expected_stdout: secret }] }),
      unknown: secret,
      env: { 'bad name': secret },
      args: [`${secret}\0`],
    });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).not.toContain(secret);
    expect(arena.service().output()).not.toContain(secret);
  });
});

describe('odd input that works', () => {
  const arena = useArena();

  it.each([
    ['empty code', aRun({ code: '' }), { kind: 'exited', exit_code: 0, stdout: '' }],
    [
      'CRLF in code',
      aRun({ code: 'if True:\r\n    print(1)\r\n' }),
      { kind: 'exited', stdout: '1\n' },
    ],
    [
      'CRLF and lone CR in stdin',
      aRun({ code: 'import sys\nprint(list(sys.stdin.buffer.read()))', stdin: 'a\r\nb\rc' }),
      { stdout: '[97, 13, 10, 98, 13, 99]\n' },
    ],
    [
      'no newline at the end of stdin',
      aRun({ code: 'import sys\nprint(repr(sys.stdin.read()))', stdin: '1 2' }),
      { stdout: "'1 2'\n" },
    ],
    [
      'code of 1 MB',
      aRun({ code: `x = """${'y'.repeat(1_000_000)}"""\nprint(len(x))` }),
      { stdout: '1000000\n' },
    ],
    [
      'astral characters in code',
      aRun({ code: 'print("\u{1f600}".encode().hex())' }),
      { stdout: 'f09f9880\n' },
    ],
    ['a byte order mark in code', aRun({ code: '\ufeffprint(1)' }), { stdout: '1\n' }],
    [
      'NUL in stdin',
      aRun({ code: 'import sys\nprint(sys.stdin.buffer.read())', stdin: 'a\0b' }),
      { stdout: "b'a\\x00b'\n" },
    ],
    [
      'binary stdin',
      aRun({
        code: 'import sys\nprint(sys.stdin.buffer.read().hex())',
        stdin: { base64: '//4AgA==' },
      }),
      { stdout: 'fffe0080\n' },
    ],
    [
      'hostile file names',
      aRun({
        code: 'import os\nprint(sorted(os.listdir(".")))',
        files: { 'a b': '', '-rf': '', ü: '', '"': '' },
      }),
      { stdout: `['"', '-rf', 'a b', 'main.py', 'ü']\n` },
    ],
  ] as const)('%s', async (_, request, expected) => {
    expect(await arena.service().client.outcome(request)).toMatchObject(expected);
  });

  it('10,000 tests in one submission', async () => {
    const { client } = arena.service();
    const program =
      'int main(void) { int a, b; return scanf("%d %d", &a, &b) != 2 || printf("%d\\n", a + b) < 0; }';
    const report = await client.judge(
      aJudge({
        language: 'c',
        code: `#include <stdio.h>\n${program}`,
        cases: Array.from({ length: 10_000 }, (_, i) => ({
          stdin: `${i} 1\n`,
          expected_stdout: `${i + 1}\n`,
        })),
        detail: 'summary',
      }),
    );
    expect(report).toMatchObject({ verdict: 'accepted', reward: 1, passed: 10_000, total: 10_000 });
    await arena.guard().expectUnharmed();
  }, 120_000);

  it('clamps limits beyond the maxima and says so', async () => {
    const answer = await arena
      .service()
      .client.run(aRun({ limits: { cpu_ms: 1e12, memory_mb: 1e9, processes: 0 } }));
    expect(answer.clamped).toEqual(['cpu_ms', 'memory_mb', 'processes']);
    expect(answer.limits).toMatchObject({ cpu_ms: 120_000, memory_mb: 4096, processes: 1 });
    expect(answer.outcome).toMatchObject({ kind: 'exited', stdout: 'hello\n' });
  });
});
