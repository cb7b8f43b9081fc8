/** Calls and their results as data sets write them, as one function case. Throws RowError. */
import { decodeValue } from './decode/decode.ts';
import { isList, isObject, numberOf, PythonDict, type Value } from './decode/value.ts';
import type { FunctionCase } from './problem.ts';
import { RowError } from './row-error.ts';
import { checkStrings } from './test-text.ts';

/** How a data set writes calls. */
export interface CallStyle {
  /** A text of arguments: one JSON value a line, or one list of all. */
  readonly textArgs: 'lines' | 'list';
  /** Whether a result may lie in a list of its own, and keys of dictionaries may have been integers (APPS, TACO). */
  readonly isLoose: boolean;
}

interface Call {
  readonly id: string;
  readonly input: Value;
  readonly output: Value;
  readonly inputPath: string;
  readonly outputPath: string;
}

export function toFunctionCase(call: Call, style: CallStyle): FunctionCase {
  const args = argsOf(call, style);
  const expected = expectedOf(call, style);
  checkStrings(args, call.inputPath);
  checkStrings(expected, call.outputPath);
  if (!style.isLoose) return { id: call.id, args, kwargs: {}, expected, alternatives: [] };
  const [first, ...rest] = args;
  const looseArgs = first === undefined ? args : [withIntegerKeys(first) ?? first, ...rest];
  return {
    id: call.id,
    args: looseArgs,
    kwargs: {},
    expected,
    alternatives: alternativesOf(expected),
  };
}

function argsOf(call: Call, style: CallStyle): readonly Value[] {
  const { input, inputPath: path } = call;
  if (isList(input)) return input;
  if (typeof input !== 'string')
    throw new RowError('invalid', path, 'is a list of arguments, or a text that holds them');
  if (style.textArgs === 'list') {
    const decoded = decodeValue(input);
    if (decoded !== null) return isList(decoded.value) ? decoded.value : [decoded.value];
  }
  return lineArgs(input, path);
}

function lineArgs(input: string, path: string): Value[] {
  if (input.trim() === '') return [];
  const lines = input.replace(/\r?\n$/, '').split('\n');
  return lines.map((line, index) => {
    const decoded = decodeValue(line.trim());
    if (decoded !== null) return decoded.value;
    throw new RowError('invalid', path, `line ${index + 1} is no value in JSON`);
  });
}

/** Where the arguments are a text, the result is one too. */
function expectedOf(call: Call, style: CallStyle): Value {
  const { input, output } = call;
  if (typeof input !== 'string' || typeof output !== 'string') return output;
  const decoded = decodeValue(output.trim());
  if (decoded !== null) return decoded.value;
  // In such rows a text that a function returns is often written without quotes.
  if (style.textArgs === 'list') return output;
  throw new RowError('invalid', call.outputPath, 'is no value in JSON');
}

/** The graders of APPS accept `out == exp` and `out == exp[0]`, and give dictionaries their integer keys back. */
function alternativesOf(expected: Value): readonly Value[] {
  const [only] = isList(expected) && expected.length === 1 ? expected : [];
  if (only === undefined) return listOf(withIntegerKeys(expected));
  const restored = withIntegerKeys(only);
  return restored === null ? [only] : [only, restored, [restored]];
}

function listOf(value: Value | null): readonly Value[] {
  return value === null ? [] : [value];
}

const INTEGER = /^-?(?:0|[1-9]\d{0,18})$/;

/** A dictionary whose keys are all integers in text, with integers for keys; null for anything else. */
function withIntegerKeys(value: Value): PythonDict | null {
  if (!isObject(value)) return null;
  const entries = Object.entries(value);
  if (entries.length === 0 || !entries.every(([key]) => INTEGER.test(key))) return null;
  return new PythonDict(entries.map(([key, item]) => [numberOf(key), item]));
}
