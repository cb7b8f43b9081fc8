/**
 * Numbers of a request that a double cannot hold, or that say more than it does (`1.0`, `12345678901234567890`): where a
 * body has values that are data for a test runner, they are kept as they are written. `JSON.stringify` writes them so.
 */

/** What the engine has and the compiler's library does not name yet (ECMA-262, JSON.parse source text access). */
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
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

/** The value of a JSON text with such numbers in it, wherever they are. Throws SyntaxError or RangeError like `JSON.parse`. */
export function parseExactNumbers(text: string): unknown {
  return JSON.parse(text, keep);
}

interface Tests {
  readonly kind: unknown;
  readonly cases: readonly unknown[];
}

/**
 * The body with the values of its function cases as they are written, also where it is a list of `problems` with tests
 * each; with its rows as they are written, where it is a list of `items` with a row each; the body itself where nothing
 * is to be kept.
 */
export function keepExactNumbers(body: unknown, text: string): unknown {
  if (!isObject(body)) return body;
  const items = itemsOf(body);
  if (items.length > 0)
    return UNUSUAL.test(text) ? withExactRows(body, items, parseExactNumbers(text)) : body;
  const problems = problemsOf(body);
  const lists = [body, ...problems].map((each) => testsOf(each)?.kind);
  if (!lists.includes('function') || !UNUSUAL.test(text)) return body;
  const exact = parseExactNumbers(text);
  const kept = withExactTests(body, exact);
  if (problems.length === 0) return kept;
  const exactProblems = problemsOf(exact);
  return {
    ...kept,
    problems: problems.map((each, index) => withExactTests(each, exactProblems[index])),
  };
}

function itemsOf(body: unknown): readonly unknown[] {
  return isObject(body) && Array.isArray(body['items']) ? body['items'] : [];
}

function withExactRows(body: object, items: readonly unknown[], exact: unknown): object {
  const exactItems = itemsOf(exact);
  const kept = items.map((each, index) => {
    const item = exactItems[index];
    return isObject(each) && isObject(item) && Object.hasOwn(each, 'row')
      ? { ...each, row: item['row'] }
      : each;
  });
  return { ...body, items: kept };
}

function problemsOf(body: unknown): readonly unknown[] {
  return isObject(body) && Array.isArray(body['problems']) ? body['problems'] : [];
}

function withExactTests(body: unknown, exactBody: unknown): object {
  const plain = isObject(body) ? body : {};
  const tests = testsOf(body);
  const exact = testsOf(exactBody);
  if (tests?.kind !== 'function' || exact === null) return plain;
  const cases = tests.cases.map((each, index) => withValues(each, exact.cases[index]));
  return { ...plain, tests: { ...tests, cases } };
}

function withValues(plain: unknown, exact: unknown): unknown {
  if (!isObject(plain) || !isObject(exact)) return plain;
  const values = ['args', 'kwargs', 'expected'].flatMap((name): [string, unknown][] =>
    Object.hasOwn(plain, name) ? [[name, exact[name]]] : [],
  );
  return { ...plain, ...Object.fromEntries(values) };
}

/** Whether a value stands for a number as it was written. */
export function isExactNumber(value: unknown): boolean {
  return JSON.isRawJSON(value);
}

function testsOf(body: unknown): Tests | null {
  if (!isObject(body) || !isObject(body['tests'])) return null;
  const { kind, cases, ...rest } = body['tests'];
  return Array.isArray(cases) ? { ...rest, kind, cases } : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a number of `parseExactNumbers`, or null for what is no number. */
export function numberText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? JSON.stringify(value) : null;
}
