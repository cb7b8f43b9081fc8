/**
 * The shapes in which data sets hold a list of tests, decoded already, as tests of a problem: pairs of input and output,
 * parallel lists, assert statements. Owns which kind a test is; knows no data set. Throws RowError.
 */
import { SUBMISSION_BOUNDS } from '../domain/limits.ts';
import { isList, isObject, toNumber, type Value, type ValueObject } from './decode/value.ts';
import { has, textOf } from './fields.ts';
import { toFunctionCase, type CallStyle } from './function-case.ts';
import type { FunctionTests, ProblemTests, SingleTests, StdioCase } from './problem.ts';
import { toLineText } from './python-text.ts';
import { below, RowError } from './row-error.ts';
import { asTestCode, asText } from './test-text.ts';

export interface ListOptions extends CallStyle {
  /** Where the list is in the row. */
  readonly path: string;
  /** Where each of its items is, if not below `path`. */
  readonly paths?: readonly string[];
  /** The row's function name, for tests that say they are calls, or say nothing and have no name of their own. */
  readonly fnName?: string | null;
  /** Whether a test without a kind is a call when only the row has a function name. */
  readonly fnNameDecides?: boolean;
  /** Texts of the row (starter code, reference) that tell whether the function is a method of `Solution`. */
  readonly hints?: readonly (string | null)[];
}

/** One test, wherever it came from. */
interface Pair {
  readonly id: string | null;
  readonly kind: 'stdio' | 'function';
  readonly fnName: string | null;
  readonly input: Value;
  readonly output: Value;
  readonly inputPath: string;
  readonly outputPath: string;
}

/** Tests in the list's order; of several kinds where they are mixed. Throws RowError `no_tests` for an empty list. */
export function toTests(list: Value, options: ListOptions): ProblemTests {
  if (isList(list)) {
    if (list.length === 0) throw noTests(options.path);
    checkCount(list.length, options.path);
    if (list.every((item) => typeof item === 'string')) return assertsOf(list, options);
    return testsOf(
      list.map((item, index) =>
        pairOf(item, options.paths?.[index] ?? below(options.path, index), options),
      ),
      options,
    );
  }
  if (isObject(list)) return toTestsOfObject(list, options);
  if (list === null) throw noTests(options.path);
  throw new RowError('invalid', options.path, 'is no list of tests');
}

/** What a row says that names tests kept at the server, where nothing can look them up. */
export function testsElsewhere(): RowError {
  return new RowError(
    'unsupported',
    'testset',
    'rows hold their tests; those that are kept at the server are judged by /v1/judge, /v1/judge/batch, /get_reward and /remote_rm',
  );
}

export function noTests(path: string): RowError {
  return new RowError('no_tests', path, 'holds no tests: nothing can be rewarded');
}

function checkCount(count: number, path: string): void {
  if (count <= SUBMISSION_BOUNDS.cases) return;
  throw new RowError('invalid', path, `holds ${count} tests, more than ${SUBMISSION_BOUNDS.cases}`);
}

function assertsOf(cases: readonly string[], { path }: ListOptions): ProblemTests {
  for (const [index, text] of cases.entries()) asTestCode(text, below(path, index));
  return { kind: 'asserts', setup: '', cases, entry: calledNames(cases), usesObjects: false };
}

const ASSERTED = /^\s*assert\s+(?:not\s+)?\(?\s*([A-Za-z_]\w*)\s*\(/;

/** How far a statement is looked into: the pattern backtracks over white space. */
const ASSERTED_CHARS = 200;

/** The functions that assert statements call first, once each. */
function calledNames(cases: readonly string[]): readonly string[] {
  return [
    ...new Set(cases.flatMap((text) => ASSERTED.exec(text.slice(0, ASSERTED_CHARS))?.[1] ?? [])),
  ].filter((name) => !WRAPPERS.has(name));
}

/** Functions of Python that tests call around the program's. */
const WRAPPERS: ReadonlySet<string> = new Set(
  'abs all any bool dict float frozenset hasattr int isinstance issubclass iter len list max min next repr round set sorted str sum tuple type callable'.split(
    ' ',
  ),
);

/** Names of parallel lists, input and output. */
const PARALLEL = [
  ['inputs', 'outputs'],
  ['input', 'output'],
  ['test_input', 'test_output'],
] as const;
const INNER = ['test_cases', 'tests', 'unit_tests'] as const;

function toTestsOfObject(object: ValueObject, options: ListOptions): ProblemTests {
  for (const [inputName, outputName] of PARALLEL) {
    if (!has(object, inputName) && !has(object, outputName)) continue;
    return testsOf(pairsOf(object, inputName, outputName, options), options);
  }
  for (const name of INNER) {
    const inner = object[name];
    if (isList(inner)) return toTests(inner, { ...options, path: below(options.path, name) });
  }
  if (Object.keys(object).length === 0) throw noTests(options.path);
  throw new RowError(
    'invalid',
    options.path,
    'has neither "inputs" and "outputs" nor a list of tests',
  );
}

function pairsOf(
  object: ValueObject,
  inputName: string,
  outputName: string,
  options: ListOptions,
): Pair[] {
  const { path } = options;
  const inputs = object[inputName];
  const outputs = object[outputName];
  if (!isList(inputs)) throw new RowError('invalid', below(path, inputName), 'is a list');
  if (!isList(outputs)) throw new RowError('invalid', below(path, outputName), 'is a list');
  if (inputs.length !== outputs.length) {
    const message = `has ${outputs.length} items for the ${inputs.length} of "${inputName}"`;
    throw new RowError('invalid', below(path, outputName), message);
  }
  if (inputs.length === 0) throw noTests(path);
  checkCount(inputs.length, path);
  const fnName =
    textOf(object, 'fn_name') ?? (options.fnNameDecides === true ? (options.fnName ?? null) : null);
  return inputs.map((input, index) => ({
    id: null,
    kind: fnName === null ? 'stdio' : 'function',
    fnName,
    input,
    output: outputs[index] ?? null,
    inputPath: below(below(path, inputName), index),
    outputPath: below(below(path, outputName), index),
  }));
}

/** What data sets call the two kinds. */
const KINDS: Readonly<Record<string, Pair['kind']>> = {
  stdin_stdout: 'stdio',
  stdin: 'stdio',
  stdio: 'stdio',
  function_call: 'function',
  functional: 'function',
};

function pairOf(item: Value, path: string, options: ListOptions): Pair {
  if (!isObject(item))
    throw new RowError('invalid', path, 'is no test: an object with input and output');
  const names = PARALLEL.find(
    ([input, output]) => Object.hasOwn(item, input) && Object.hasOwn(item, output),
  );
  if (names === undefined) throw new RowError('invalid', path, 'has no "input" with its "output"');
  const metadata = isObject(item['metadata']) ? item['metadata'] : {};
  const own = textOf(item, 'fn_name') ?? textOf(metadata, 'func_name', 'fn_name');
  const kind = kindOf(item, { path, own, options });
  const fnName = kind === 'stdio' ? null : (own ?? options.fnName ?? null);
  if (kind === 'function' && fnName === null)
    throw new RowError('invalid', path, 'is a call, but neither it nor the row names the function');
  return {
    id: testIdOf(item),
    kind,
    fnName,
    input: item[names[0]] ?? null,
    output: item[names[1]] ?? null,
    inputPath: below(path, names[0]),
    outputPath: below(path, names[1]),
  };
}

function kindOf(
  item: ValueObject,
  { path, own, options }: { path: string; own: string | null; options: ListOptions },
): Pair['kind'] {
  const said = textOf(item, 'type', 'testtype');
  if (said === null) {
    const isCall =
      own !== null || (options.fnNameDecides === true && (options.fnName ?? null) !== null);
    return isCall ? 'function' : 'stdio';
  }
  const kind = Object.hasOwn(KINDS, said) ? KINDS[said] : undefined;
  if (kind !== undefined) return kind;
  const name = textOf(item, 'type') === null ? 'testtype' : 'type';
  throw new RowError('invalid', below(path, name), `is one of ${Object.keys(KINDS).join(', ')}`);
}

function testIdOf(item: ValueObject): string | null {
  const id = item['id'] ?? item['test_name'] ?? item['name'] ?? null;
  if (typeof id === 'string' && id !== '') return id;
  const number = toNumber(id);
  return number === null ? null : String(number);
}

/** One list of tests where all are of one kind and call one function, else parts of such. */
function testsOf(pairs: readonly Pair[], options: ListOptions): ProblemTests {
  const named = pairs.map(({ id }, index) => id ?? String(index + 1));
  const isUnique = new Set(named).size === named.length;
  const tests = pairs.map((pair, index) => ({
    index,
    pair,
    id: (isUnique ? named[index] : undefined) ?? String(index + 1),
  }));
  const parts = Map.groupBy(tests, ({ pair }) => `${pair.kind} ${pair.fnName ?? ''}`);
  const built = [...parts.values()].map((part) => ({
    positions: part.map(({ index }) => index),
    tests: singleOf(part, options),
  }));
  const [only] = built;
  return built.length === 1 && only !== undefined ? only.tests : { kind: 'mixed', parts: built };
}

interface NamedPair {
  readonly pair: Pair;
  readonly id: string;
}

function singleOf(tests: readonly NamedPair[], options: ListOptions): SingleTests {
  const name = tests[0]?.pair.fnName ?? null;
  if (name === null) return { kind: 'stdio', cases: tests.map(stdioCaseOf) };
  return functionTests(name, {
    cases: tests.map(({ pair, id }) => toFunctionCase({ ...pair, id }, options)),
    hints: options.hints ?? [],
  });
}

const BARE_NAME = /^[A-Za-z_]\w*$/;

function functionTests(
  name: string,
  { cases, hints }: { cases: FunctionTests['cases']; hints: readonly (string | null)[] },
): FunctionTests {
  if (!BARE_NAME.test(name)) return { kind: 'function', entry: name, name: null, cases };
  const isMethod = hints.some((hint) => hint !== null && /\bclass\s+Solution\b/.test(hint));
  return { kind: 'function', entry: isMethod ? `Solution().${name}` : name, name, cases };
}

function stdioCaseOf({ pair, id }: NamedPair): StdioCase {
  return {
    id,
    stdin: streamOf(pair.input, pair.inputPath),
    expectedStdout: streamOf(pair.output, pair.outputPath),
    group: null,
  };
}

/** A text is itself; a list is one of lines. */
function streamOf(value: Value, path: string): string {
  if (isList(value)) return asText(value.map(toLineText).join('\n'), path);
  if (value === null || isObject(value))
    throw new RowError('invalid', path, 'is a text or a list of lines');
  return asText(toLineText(value), path);
}
