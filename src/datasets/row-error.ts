/** Why a row cannot be judged: thrown inside this folder only, and returned as data by `toProblem`. */

/** `no_tests`: nothing to judge with. `invalid`: not what its schema says. `unsupported`: understood, but not judged. */
export type RowErrorCode = 'no_tests' | 'invalid' | 'unsupported';

/** A place in a row that is wrong. The message never holds test data. */
export class RowError extends Error {
  readonly code: RowErrorCode;
  /** For example `verification_info.test_cases[3].input`; "" for the whole row. */
  readonly path: string;
  constructor(code: RowErrorCode, path: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'RowError';
    this.code = code;
    this.path = path;
  }
}

/** The path of a field or an item below another. */
export function below(path: string, part: string | number): string {
  if (typeof part === 'number') return `${path}[${part}]`;
  const name = /^[A-Za-z_]\w{0,63}$/.test(part) ? part : null;
  if (name === null) return `${path}[${JSON.stringify(part.slice(0, 64).toWellFormed())}]`;
  return path === '' ? name : `${path}.${name}`;
}
