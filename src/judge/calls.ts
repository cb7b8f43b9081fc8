/**
 * Calls in languages that have no test runner of their own: a generated main reads the arguments, calls the program and
 * writes the result, both as JSON; each call is a run, and what came is compared here. Expected values never go where the
 * program is, so what it forges it could as well have returned.
 */
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';

import { z } from 'zod';

import { Fault } from '../domain/errors.ts';
import type { LanguageDefinition } from '../domain/language.ts';
import type { CodeTests, JudgeSubmission, StdioCase } from '../domain/submission.ts';
import { parseExactNumbers } from '../lib/exact-numbers.ts';
import { projectPath } from '../lib/project.ts';
import { comparing } from './case-verdict.ts';
import { executeCases, type JudgeResult } from './execute.ts';
import type { JudgePlace } from './place.ts';
import type { Program } from './program.ts';

/** What of the tests a generated main can do. */
const Calls = z.object({
  entry: z.string(),
  prompt: z.string().default(''),
  float: z.object({ abs: z.number(), rel: z.number() }).optional(),
  cases: z.array(
    z.object({
      args: z.unknown(),
      kwargs: z.record(z.string(), z.unknown()).default({}),
      expected: z.unknown(),
    }),
  ),
});
type Calls = z.infer<typeof Calls>;

/** What a generated main cannot do of these tests, or null. Pure. */
export function callsProblem({ kind, document }: CodeTests): string | null {
  if (kind !== 'function') return `tests of the kind ${kind} are for Python only`;
  const { cases, prompt } = Calls.parse(parseExactNumbers(document));
  if (prompt !== '') return 'definitions of the problem (prompt) are for Python only';
  const named = cases.findIndex(({ kwargs }) => Object.keys(kwargs).length > 0);
  return named < 0 ? null : `arguments by name (case ${named + 1}) are for Python only`;
}

/** Precondition: the language has a caller, and `callsProblem` found none. */
export async function executeCalls(
  place: JudgePlace,
  program: Program,
  { submission, tests }: { readonly submission: JudgeSubmission; readonly tests: CodeTests },
): Promise<JudgeResult> {
  const calls = Calls.parse(parseExactNumbers(tests.document));
  const driven = await drivenBy(place.environment.language, program, calls);
  const cases = calls.cases.map(({ args, expected }, index): StdioCase => ({
    id: tests.ids?.[index] ?? String(index + 1),
    stdin: Buffer.from(JSON.stringify({ args })),
    expectedStdout: Buffer.from(JSON.stringify(expected ?? null)),
    weight: 1,
    group: null,
    args: [],
    files: [],
    limits: submission.limits,
  }));
  const judge = comparing(place.comparator, { kind: 'result', tolerance: calls.float ?? null });
  return await executeCases(place, driven, { submission, tests: cases, judge });
}

/** The program under another name, and the main that calls it. */
async function drivenBy(
  language: LanguageDefinition,
  program: Program,
  { entry, cases }: Calls,
): Promise<Program> {
  const { caller, sourceFile } = language;
  if (caller === null) throw new Fault('internal', `${language.id} has no caller`);
  const ours = (name: string): string =>
    projectPath('languages', ...posix.join(language.id, name).split('/'));
  const template = await readFile(ours(caller.driver), 'utf8');
  const names = namesOf(entry);
  const solution = fill(caller.solution, names);
  const files = program.files.map((file) =>
    file.path === program.entry ? { ...file, path: solution } : file,
  );
  const kinds = kindsOfArguments(cases.map(({ args }) => args));
  const text = fill(template, { ...names, SOLUTION: solution, KINDS: kinds.join(', ') });
  const main = { path: sourceFile, content: Buffer.from(text) };
  const beside = await Promise.all(
    caller.beside.map(async (name) => ({
      path: posix.basename(name),
      content: await readFile(ours(name)),
    })),
  );
  const driver = [main, ...beside];
  const others = files.filter(({ path }) => !driver.some((each) => each.path === path));
  return { entry: sourceFile, files: [...driver, ...others], mayBeForked: false };
}

/** Of JSON, as bits: compiled callers refuse what no parameter can take, before they run. */
const KINDS = { boolean: 1, number: 2, string: 4, list: 8, object: 16, null: 32 } as const;

/** By place in the call, all kinds that any case has there; −1 alone where cases differ in their number. Pure. */
export function kindsOfArguments(calls: readonly unknown[]): readonly number[] {
  const lists = calls.map((args) => (Array.isArray(args) ? (args as readonly unknown[]) : []));
  const [first = []] = lists;
  if (lists.some(({ length }) => length !== first.length)) return [-1];
  return first.map((_, at) => lists.reduce((kinds, args) => kinds | kindOf(args[at]), 0));
}

function kindOf(value: unknown): number {
  if (value === null || value === undefined) return KINDS.null;
  if (Array.isArray(value)) return KINDS.list;
  if (typeof value === 'boolean') return KINDS.boolean;
  if (typeof value === 'string') return KINDS.string;
  return typeof value === 'number' || JSON.isRawJSON(value) ? KINDS.number : KINDS.object;
}

type Names = Readonly<Record<string, string>>;

/** An entry (`f`, `Class.method`, `Class().method`, already checked) in the ways in which languages say it. */
function namesOf(entry: string): Names {
  const dot = entry.lastIndexOf('.');
  const method = entry.slice(dot + 1);
  const owner = dot < 0 ? '' : entry.slice(0, dot);
  const type = owner.replace('()', '');
  return {
    CLASS: type,
    // Where there are no functions without a class.
    TYPE: type === '' ? 'Solution' : type,
    METHOD: method,
    IS_STATIC: String(!owner.endsWith('()')),
    QUALIFIED: type === '' ? method : `${type}::${method}`,
    EXPRESSION: type === '' ? method : `(&${type}{}).${method}`,
  };
}

/** The template is ours, and the names are checked. */
function fill(template: string, names: Names): string {
  return template.replaceAll(/__([A-Z]+(?:_[A-Z]+)*)__/g, (whole, name: string) =>
    Object.hasOwn(names, name) ? (names[name] ?? whole) : whole,
  );
}
