/**
 * Sandbox Fusion's comparison for its CommonOJ data sets, as `/submit` has to give it: line by line, letters of either case
 * alike, a line of one number within 1e-5 of the expected one. Looser than any of ours: served nowhere else. Pure.
 */
interface Comparison {
  readonly equal: boolean;
  readonly message: string;
}

const RELATIVE = 1e-5;
/** Of the expected number, so that 0 has a neighbourhood. */
const LEAST = 1e-10;
/** Python's float(): digits with `_` between them, a point, an exponent. */
const NUMBER = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?$/;
const INFINITE = /^[+-]?inf(?:inity)?$/;
const NUMBER_CHARS_MAX = 400;

export function compareCommonOJ(expected: Uint8Array, output: Uint8Array): Comparison {
  const wanted = linesOf(expected);
  const got = linesOf(output);
  if (wanted.length !== got.length)
    return differs(`expected ${wanted.length} lines, got ${got.length}`);
  const at = wanted.findIndex((line, index) => !isAlike(line, got[index] ?? ''));
  return at === -1 ? { equal: true, message: '' } : differs(`line ${at + 1} differs`);
}

function differs(message: string): Comparison {
  return { equal: false, message };
}

function linesOf(bytes: Uint8Array): readonly string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => line.toLowerCase().trim());
}

function isAlike(wanted: string, got: string): boolean {
  if (wanted === got) return true;
  const [b, a] = [toNumber(wanted), toNumber(got)];
  return b !== null && a !== null && Math.abs(a - b) / Math.max(Math.abs(b), LEAST) < RELATIVE;
}

function toNumber(line: string): number | null {
  if (line.length > NUMBER_CHARS_MAX) return null;
  if (INFINITE.test(line)) return line.startsWith('-') ? -Infinity : Infinity;
  return NUMBER.test(line) ? Number(line.replaceAll('_', '')) : null;
}
