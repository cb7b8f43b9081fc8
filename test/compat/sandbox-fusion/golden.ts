/**
 * Requests and the answers that Sandbox Fusion documents for them, as this service gives them: whole, but for figures that
 * no two runs share. Where the answer is meant to be better than the original's, `better` says how.
 */

export interface Golden {
  readonly name: string;
  readonly path: string;
  /** JSON, or text as it is. */
  readonly request: unknown;
  readonly status: number;
  readonly answer: unknown;
  readonly better?: string;
}

/** In place of figures that differ from run to run; `SOME` is any text that is not empty. */
export const FIGURE = '<number>';
export const SOME = '<text>';

export const command = (parts: object = {}) => ({
  status: 'Finished',
  execution_time: FIGURE,
  return_code: 0,
  stdout: '',
  stderr: '',
  cpu_time: FIGURE,
  memory_bytes: FIGURE,
  signal: null,
  truncated: false,
  memory_limit_exceeded: false,
  output_limit_exceeded: false,
  ...parts,
});
const late = { status: 'TimeLimitExceeded', return_code: null };
const died = (signal: number) => ({ return_code: -signal, signal });

export const run = (parts: object = {}) => ({
  status: 'Success',
  message: '',
  compile_result: null,
  run_result: command(),
  executor_pod_name: null,
  files: {},
  queue_time: FIGURE,
  clamped: [],
  ...parts,
});
const failed = (run_result: object, parts: object = {}) =>
  run({ status: 'Failed', run_result: command(run_result), ...parts });
const nothing = {
  status: 'SandboxError',
  message: SOME,
  run_result: null,
  queue_time: null,
};

const python = (code: string, parts: object = {}) => ({ language: 'python', code, ...parts });
export const refusal = (
  type: string,
  loc: readonly (string | number)[],
  msg: string = SOME,
  more: object = {},
) => ({
  detail: [{ type, loc, msg, input: null, ...more }],
});
const jupyter = (parts: object = {}) => ({
  status: 'Success',
  message: '',
  driver: command(),
  cells: [],
  executor_pod_name: null,
  files: {},
  queue_time: FIGURE,
  clamped: [],
  ...parts,
});
const cell = (parts: object = {}) => ({ stdout: '', stderr: '', display: [], error: [], ...parts });

const RUN_CODE: readonly Omit<Golden, 'path'>[] = [
  {
    name: 'verl’s request',
    request: {
      compile_timeout: 10,
      run_timeout: 10,
      code: 'a, b = map(int, input().split())\nprint(a + b)',
      stdin: '1 2',
      memory_limit_MB: 1024,
      language: 'python',
      files: {},
      fetch_files: [],
    },
    status: 200,
    answer: run({ run_result: command({ stdout: '3\n' }) }),
  },
  {
    name: 'a program that is compiled',
    request: { language: 'cpp', code: '#include <cstdio>\nint main() { puts("hi"); }' },
    status: 200,
    answer: run({ compile_result: command(), run_result: command({ stdout: 'hi\n' }) }),
  },
  {
    name: 'a compile error',
    request: { language: 'cpp', code: 'int main() { return x; }' },
    status: 200,
    answer: run({
      status: 'Failed',
      compile_result: command({ return_code: 1, stderr: SOME }),
      run_result: null,
    }),
  },
  {
    name: 'a compile time-out',
    request: {
      language: 'cpp',
      // Seconds of work for the compiler; one that is ended at once may have no figure for its memory.
      code: 'constexpr long f() {\n  long s = 0;\n  for (int i = 0; i < 200; ++i)\n    for (int j = 0; j < 100000; ++j) s += j;\n  return s;\n}\nconstexpr long x = f();\nint main() {}',
      compile_timeout: 0.3,
    },
    status: 200,
    answer: run({
      status: 'Failed',
      compile_result: command({ ...late, signal: 9 }),
      run_result: null,
    }),
  },
  {
    name: 'an exit code',
    request: python('import sys\nprint("o")\nprint("e", file=sys.stderr)\nsys.exit(3)'),
    status: 200,
    answer: failed({ return_code: 3, stdout: 'o\n', stderr: 'e\n' }),
  },
  {
    name: 'an exception',
    request: python('1 / 0'),
    status: 200,
    answer: failed({ return_code: 1, stderr: SOME }),
  },
  {
    name: 'a syntax error, which is no compile error where nothing is compiled',
    request: python('def'),
    status: 200,
    answer: failed({ return_code: 1, stderr: SOME }),
  },
  {
    name: 'a death by signal',
    request: python('import os\nos.kill(os.getpid(), 11)'),
    status: 200,
    answer: failed(died(11)),
  },
  {
    name: 'a program that kills itself',
    request: python('import os\nos.kill(os.getpid(), 9)'),
    status: 200,
    answer: failed(died(9)),
  },
  {
    name: 'a time-out, with what was printed',
    request: python('print("begun", flush=True)\nwhile True: pass', { run_timeout: 0.5 }),
    status: 200,
    answer: failed({ ...late, signal: 9, stdout: 'begun\n' }),
  },
  {
    name: 'files to it and from it, also after a failure',
    request: python('open("o/x", "wb").write(open("i", "rb").read() + b"\\x00")\n1 / 0', {
      files: { i: '/w==', 'o/y': '', none: null, IGNORE_THIS_FILE_1: '!' },
      fetch_files: ['o/x', 'missing'],
    }),
    status: 200,
    answer: failed({ return_code: 1, stderr: SOME }, { files: { 'o/x': '/wA=' } }),
  },
  {
    name: 'numbers as text and unknown fields',
    request: python('print(1)', {
      run_timeout: '5',
      memory_limit_MB: 64,
      expected_stdout: '1',
      args: [],
    }),
    status: 200,
    answer: run({ run_result: command({ stdout: '1\n' }) }),
  },
  {
    name: 'too much memory',
    request: python('x = bytearray(2**28)\nprint(len(x))', { memory_limit_MB: 64 }),
    status: 200,
    answer: failed({ ...died(9), memory_limit_exceeded: true }),
    better: 'a flag says that it was the limit',
  },
  {
    name: 'bytes that are no text',
    request: python('import sys\nsys.stdout.buffer.write(b"a\\xffb\\r\\n")'),
    status: 200,
    answer: run({ run_result: command({ stdout: 'a\ufffdb\r\n' }) }),
    better: 'the rest is kept',
  },
  {
    name: 'a language without a runner',
    request: { language: 'sql', code: 'select 1' },
    status: 200,
    answer: run(nothing),
  },
  {
    name: 'no language',
    request: { code: 'print(1)' },
    status: 200,
    answer: run({ run_result: command({ stdout: '1\n' }) }),
    better: 'it is Python, which verl’s tutorial means',
  },
  ...['python3', 'py', 'Python'].map((language) => ({
    name: `the name ${language}`,
    request: { language, code: 'print(1)' },
    status: 200,
    answer: run({ run_result: command({ stdout: '1\n' }) }),
    better: 'names that models give their fences are taken',
  })),
  {
    name: 'an unknown language',
    request: { language: 'klingon', code: '' },
    status: 422,
    answer: refusal('literal_error', ['body', 'language'], SOME, { ctx: { expected: SOME } }),
  },
  {
    name: 'no code',
    request: { language: 'python' },
    status: 422,
    answer: refusal('missing', ['body', 'code'], 'Field required'),
  },
  {
    name: 'code that is no text',
    request: python(5 as never),
    status: 422,
    answer: refusal('string_type', ['body', 'code'], 'Input should be a valid string'),
  },
  {
    name: 'a time-out that is no number',
    request: python('', { run_timeout: 'soon' }),
    status: 422,
    answer: refusal(
      'float_parsing',
      ['body', 'run_timeout'],
      'Input should be a valid number, unable to parse string as a number',
    ),
  },
  { name: 'no JSON', request: '{"code"', status: 422, answer: refusal('json_invalid', ['body']) },
  {
    name: 'files that are no base64',
    request: python('', { files: { a: '!' } }),
    status: 422,
    answer: refusal('value_error', ['body', 'files', 'a'], 'Value error, is not valid base64'),
    better: 'the caller’s mistake is told as one',
  },
  ...['/etc/passwd', '../x'].flatMap((path) => [
    {
      name: `a file at ${path}`,
      request: python('', { files: { [path]: '' } }),
      status: 422,
      answer: refusal('value_error', ['body', 'files', path]),
      better: 'nothing is written outside of the work folder',
    },
    {
      name: `what is at ${path}`,
      request: python('', { fetch_files: [path] }),
      status: 422,
      answer: refusal('value_error', ['body', 'fetch_files', 0]),
      better: 'nothing is read outside of the work folder',
    },
  ]),
  {
    name: 'a link to what is outside',
    request: python('import os\nos.symlink("/etc/passwd", "x")', { fetch_files: ['x'] }),
    status: 200,
    answer: run(),
    better: 'links are not followed',
  },
];

const RUN_JUPYTER: readonly Omit<Golden, 'path'>[] = [
  {
    name: 'cells that share a namespace, show and print',
    request: { cells: ['a = 123', 'a', 'print(a)', 'import sys; print("e", file=sys.stderr)'] },
    status: 200,
    answer: jupyter({
      cells: [
        cell(),
        cell({ display: [{ 'text/plain': '123' }] }),
        cell({ stdout: '123\n' }),
        cell({ stderr: 'e\n' }),
      ],
    }),
  },
  {
    name: 'a cell that fails, which is still a success',
    request: { cells: ['raise RuntimeError("why")', '1'] },
    status: 200,
    answer: jupyter({
      cells: [
        cell({
          error: [{ ename: 'RuntimeError', evalue: 'why', traceback: [SOME, SOME, SOME, SOME] }],
        }),
        cell({ display: [{ 'text/plain': '1' }] }),
      ],
    }),
  },
  {
    name: 'files to cells and from them',
    request: {
      cells: ['open("o", "w").write(open("i").read())'],
      files: { i: 'aGk=' },
      fetch_files: ['o', 'missing'],
    },
    status: 200,
    answer: jupyter({ cells: [cell({ display: [{ 'text/plain': '2' }] })], files: { o: 'aGk=' } }),
  },
  { name: 'no cells', request: { cells: [] }, status: 200, answer: jupyter() },
  {
    name: 'the end of the time',
    request: { cells: ['print(1)', 'while True: pass', '2'], total_timeout: 0.5 },
    status: 200,
    answer: jupyter({
      status: 'Failed',
      driver: command({ ...late, signal: 9 }),
      cells: [
        cell({ stdout: '1\n' }),
        cell({ error: [{ ename: 'TimeLimitExceeded', evalue: SOME, traceback: [] }] }),
      ],
    }),
    better: 'what was finished is kept',
  },
  {
    name: 'another kernel',
    request: { cells: [], kernel: 'ir' },
    status: 422,
    answer: refusal('literal_error', ['body', 'kernel'], "Input should be 'python3'"),
  },
];

export const GOLDEN: readonly Golden[] = [
  ...RUN_CODE.map((each) => ({ ...each, path: '/run_code' })),
  ...RUN_JUPYTER.map((each) => ({ ...each, path: '/run_jupyter' })),
];
