/**
 * Rules on the repository's other files: the error codes in docs/errors.md, the languages' self-tests, and the lock
 * file. All are pure; the tidy test reads the files.
 */

/** A code as the product or the page knows it; `status` is null for faults. */
export interface CodeFacts {
  readonly code: string;
  readonly status: number | null;
  readonly retryable: boolean;
}

/**
 * The rows of docs/errors.md whose first cell is a code in backticks: `| \`code\` | status | yes or no | …`, where
 * a fault has `–` for its status.
 */
function parseErrorsPage(page: string): CodeFacts[] {
  return [...page.matchAll(/^\| `([a-z_]+)` +\| +(\d{3}|–) +\| +(yes|no) +\|/gm)].map(
    ([, code = '', status = '', retryable]) => ({
      code,
      status: status === '–' ? null : Number(status),
      retryable: retryable === 'yes',
    }),
  );
}

/** Where the page and the product disagree, both ways, one line each. */
export function checkErrorsPage(page: string, product: readonly CodeFacts[]): string[] {
  const documented = parseErrorsPage(page);
  const twice = documented.filter(
    ({ code }, index) => documented.findIndex((other) => other.code === code) !== index,
  );
  return [
    ...twice.map(({ code }) => `docs/errors.md has ${code} twice`),
    ...documented
      .filter(({ code }) => product.every((facts) => facts.code !== code))
      .map(({ code }) => `docs/errors.md has ${code}, which does not exist`),
    ...product.flatMap((facts) => {
      const row = documented.find(({ code }) => code === facts.code);
      if (row === undefined) return [`docs/errors.md lacks ${facts.code}`];
      return [
        ...(row.status === facts.status
          ? []
          : [`docs/errors.md gives ${facts.code} the status ${row.status}, not ${facts.status}`]),
        ...(row.retryable === facts.retryable
          ? []
          : [`docs/errors.md is wrong on retrying ${facts.code}`]),
      ];
    }),
  ];
}

/** What a language's folder must prove of itself. */
const SELF_TESTS = [
  'ok',
  'compile-error',
  'runtime-error',
  'time-limit',
  'memory-limit',
  'output-limit',
  'fork-bomb',
] as const;

/** What is missing in `languages/<id>/`; `files` are its paths from there, with `/`. */
export function checkLanguage(id: string, files: readonly string[]): string[] {
  const missing = SELF_TESTS.filter(
    (name) => !files.some((file) => file.startsWith(`selftest/${name}.`)),
  );
  return [
    ...(files.includes('language.json') ? [] : [`languages/${id} has no language.json`]),
    ...missing.map((name) => `languages/${id} has no self-test ${name}`),
  ];
}

/** Fields of a lock file that may hold addresses: they are read by people, not fetched. */
const ADDRESS_FIELDS = new Set(['funding', 'deprecated', 'license']);

/** Addresses in a package-lock.json, which would tie it to one registry; one line each. */
export function checkLockFile(text: string): string[] {
  const findings: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string' && /^(?:git\+)?(?:https?|ssh):/.test(value)) {
      findings.push(`package-lock.json has an address at ${path}`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (!ADDRESS_FIELDS.has(key)) visit(item, path === '' ? key : `${path} › ${key}`);
      }
    }
  };
  const lock: unknown = JSON.parse(text);
  visit(lock, '');
  return findings;
}
