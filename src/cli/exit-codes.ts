/** Exit status of the command line (native API, "Command line"). */
export const EXIT = { ok: 0, notAccepted: 1, usage: 2, fault: 3 } as const;

/** Something wrong with the command line itself or its files; the message says what to do. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** No service answers there, or it stopped in the middle of an answer. */
export class UnreachableError extends UsageError {}

/** A regular expression as a flag gives it. Throws UsageError for what is none. */
export function toPattern(flag: string, text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new UsageError(`${flag} takes a regular expression, and ${text} is none`, { cause });
  }
}
