/** The wire of tests that are code or calls: a test runner in a jail of its own asks the program (mode `split`). */
import { z } from '@hono/zod-openapi';

import { strictRecord } from '../validation.ts';

const IDENTIFIER = String.raw`[A-Za-z_][A-Za-z0-9_]{0,127}`;
/** `f`, `Class.method`, `Class().method`. */
const ENTRY = new RegExp(String.raw`^${IDENTIFIER}(?:(?:\(\))?\.${IDENTIFIER}){0,4}$`);
const MODULE = new RegExp(`^${IDENTIFIER}$`);
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/;

const Text = z.string();
const CaseId = z
  .string()
  .min(1)
  .optional()
  .describe('Unique among the cases. Default: its number, from 1.');

const Entry = z
  .string()
  .regex(ENTRY, { error: 'is a name, or like "Solution().method"' })
  .describe(
    'What is called: `f`, `Class.method`, or `Class().method` for a method of an instance.',
  );

/** What all kinds have. */
const shared = {
  prompt: Text.default('').describe(
    'Definitions of the problem (records such as ListNode, helpers). Executed on both sides; tests use their own.',
  ),
  level: z
    .union([z.literal(0), z.literal(1), z.literal(2)])
    .default(1)
    .describe(
      'What may cross: 0 plain data, 1 and iterators (pulled one item at a time), 2 and objects of the program used as values, and functions as arguments.',
    ),
  write_back: z
    .boolean()
    .default(false)
    .describe('Whether what the program makes of its arguments is copied back to the tests.'),
};

const mode = {
  mode: z
    .enum(['split', 'in_process'])
    .default('split')
    .describe(
      'split: the tests run in a jail of their own. in_process: beside the program, for tests that patch what they test; copies of them with other literals must fail then, and tests without such a literal are refused. `level` and `write_back` mean nothing there.',
    ),
};

const FunctionCase = strictRecord({
  id: CaseId,
  args: z.array(z.unknown()).default([]).describe('Arguments, any JSON; numbers keep all digits.'),
  kwargs: z.record(z.string(), z.unknown()).default({}).describe('Arguments by name.'),
  expected: z
    .unknown()
    .describe(
      'What it should return, as JSON: numbers by their value (1 is 1.0), true and 1 differ, text by its characters, lists in order, objects by their keys, whatever their order. In Python a tuple equals a list, at any depth; a set equals nothing, and keys that are no text are not those of JSON. With `compare` float, numbers that are expected with a point or an exponent have that tolerance. Anything else needs `asserts`.',
    ),
}).openapi('FunctionCase');

const FunctionTests = strictRecord({
  kind: z.literal('function'),
  entry: Entry,
  cases: z.array(FunctionCase).describe('Calls, each on a new instance.'),
  ...shared,
}).openapi('FunctionTests');

const AssertTests = strictRecord({
  kind: z.literal('asserts'),
  setup: Text.default('').describe('Executed before the first case.'),
  cases: z.array(Text).describe('Statements; a case is passed when it raises nothing.'),
  entry: z
    .union([Entry, z.array(Entry)])
    .optional()
    .describe('What is tested; needed only where it has the name of a built-in.'),
  ...mode,
  ...shared,
}).openapi('AssertTests');

const CheckTests = strictRecord({
  kind: z.literal('check'),
  code: Text.describe('Defines `check(candidate)`.'),
  entry: Entry,
  ...mode,
  ...shared,
}).openapi('CheckTests');

const jestTests = {
  files: z.record(z.string(), Text).describe('Test files and what they need, by path.'),
  modules: z
    .array(z.string().regex(FILE_NAME, { error: 'is the name of a file, without its ending' }))
    .min(1)
    .default(['solution'])
    .describe(
      'Names by which they import the program, from whatever folder and with whatever ending: `solution` is "./solution", "../src/solution.ts" and "solution".',
    ),
  entry: z
    .union([Entry, z.array(Entry)])
    .optional()
    .describe(
      'Functions whose results may be asked yes-or-no questions, such as `has(x)`, because they make objects of which that is the use.',
    ),
  ids: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'The ids that must be there, all of them and no others: "sum.test.js > adds > two numbers". Default: those collected.',
    ),
  level: shared.level.default(2),
  write_back: shared.write_back,
};

const fileTests = {
  files: z.record(z.string(), Text).describe('Test files and what they need, by path.'),
  modules: z
    .array(z.string().regex(MODULE))
    .default(['solution'])
    .describe('Names by which they import the program.'),
  ids: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'The ids that must be collected, as the runner names them, by paths as in `files`: all of them and no others, or every case is a wrong answer, whatever it did. pytest: `test_add.py::test_small`, of a class `test_add.py::TestAdd::test_small`, one for each set of parameters `test_add.py::test_rows[1-2]`; unittest: `test_add.TestAdd.test_small`. To list them, judge a right program without `ids`: the ids of its cases are these (or `pytest --collect-only -q` in a folder of `files`). Cases are reported in this order. They choose nothing: to run some tests alone, send those alone. Default: those collected, and then a file from which fewer are collected is not noticed.',
    ),
  ...mode,
  ...shared,
};

const UnittestTests = strictRecord({ kind: z.literal('unittest'), ...fileTests }).openapi(
  'UnittestTests',
);
const PytestTests = strictRecord({ kind: z.literal('pytest'), ...fileTests }).openapi(
  'PytestTests',
);

const JestTests = strictRecord({ kind: z.literal('jest'), ...jestTests }).openapi('JestTests');
const harnessTests = {
  files: fileTests.files,
  ids: fileTests.ids,
  mode: z
    .literal('in_process')
    .default('in_process')
    .describe(
      'They are built with the program and share its process; copies of them with other literals must fail, and tests without such a literal are refused.',
    ),
};

const GoTests = strictRecord({ kind: z.literal('go_test'), ...harnessTests }).openapi('GoTests');
const JUnitTests = strictRecord({ kind: z.literal('junit'), ...harnessTests }).openapi(
  'JUnitTests',
);

export const CODE_TESTS = [
  FunctionTests,
  AssertTests,
  CheckTests,
  UnittestTests,
  PytestTests,
  JestTests,
  GoTests,
  JUnitTests,
] as const;
export type CodeTestsWire = z.infer<(typeof CODE_TESTS)[number]>;
