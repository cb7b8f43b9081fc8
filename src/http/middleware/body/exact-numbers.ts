/**
 * Numbers of a request that a double cannot hold, or that say more than it does (`1.0`, `12345678901234567890`): where a
 * body has values that are data for a test runner, they are kept as they are written. `JSON.stringify` writes them so.
 */

/** What the engine has and the compiler's library does not name yet (ECMA-262, JSON.parse source text access). */
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** Whether a text may hold such a number: many digits, a fraction or an exponent. */
const UNUSUAL = /\d{16}|\d[.eE]/;

/** The engine gives a third argument, which the compiler's library does not name yet either. */
function keep(...[, value, context]: readonly [string, unknown, { source: string }?]): unknown {
  const isOther =
    typeof value === 'number' && context !== undefined && String(value) !== context.source;
  return isOther ? JSON.rawJSON(context.source) : value;
}

interface Tests {
  readonly kind: unknown;
  readonly cases: readonly unknown[];
}

/** The body with the values of its function cases as they are written; the body itself where nothing is to be kept. */
export function keepExactNumbers(body: unknown, text: string): unknown {
  if (!isObject(body)) return body;
  const tests = testsOf(body);
  if (tests?.kind !== 'function' || !UNUSUAL.test(text)) return body;
  const exact = testsOf(JSON.parse(text, keep));
  if (exact === null) return body;
  const cases = tests.cases.map((each, index) => withValues(each, exact.cases[index]));
  return { ...body, tests: { ...tests, cases } };
}

function withValues(plain: unknown, exact: unknown): unknown {
  if (!isObject(plain) || !isObject(exact)) return plain;
  const values = ['args', 'kwargs', 'expected'].flatMap((name): [string, unknown][] =>
    Object.hasOwn(plain, name) ? [[name, exact[name]]] : [],
  );
  return { ...plain, ...Object.fromEntries(values) };
}

function testsOf(body: unknown): Tests | null {
  if (!isObject(body) || !isObject(body['tests'])) return null;
  const { kind, cases, ...rest } = body['tests'];
  return Array.isArray(cases) ? { ...rest, kind, cases } : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
