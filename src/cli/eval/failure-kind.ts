/** Why a sample was not accepted, in a few words that can be counted. Pure; programs write what is read here. */

/** What of a report tells it. */
export interface FailureFacts {
  readonly verdict: string;
  readonly message: string;
  readonly stderr: string;
  readonly limit: string | null;
  readonly signal: number | null;
  readonly exitCode: number | null;
}

const SIGNALS: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
};

/** `NameError: …` at the end of a traceback, `Exception in thread "main" java.lang.X: …`, `panic: …`. */
const EXCEPTION =
  /^(?:Uncaught |Exception in thread "[^"\n]{0,80}" )?((?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception|Exit|Interrupt|Iteration|Warning|Expired))(?::|$)/gm;

/** `runtime_error: NameError`, `time_limit: cpu`, `wrong_answer: no output` …; the verdict alone where nothing is to be added. */
export function failureKind(facts: FailureFacts): string {
  const added = ADDED[facts.verdict]?.(facts) ?? null;
  return added === null ? facts.verdict : `${facts.verdict}: ${added}`;
}

const ADDED: Readonly<Record<string, (facts: FailureFacts) => string | null>> = {
  wrong_answer: ({ message }) => (message.startsWith('output is empty') ? 'no output' : null),
  time_limit: ({ limit }) => limit,
  runtime_error: (facts) => exceptionIn(facts) ?? endOf(facts),
  compile_error: exceptionIn,
};

/** The last exception that is named, which is the one that ended the program. */
function exceptionIn({ message, stderr }: FailureFacts): string | null {
  for (const text of [message, stderr]) {
    const name = [...text.slice(-4096).matchAll(EXCEPTION)].at(-1)?.[1];
    if (name !== undefined) return name.split('.').at(-1) ?? name;
  }
  return null;
}

function endOf({ signal, exitCode }: FailureFacts): string | null {
  if (signal !== null) return SIGNALS[signal] ?? `signal ${signal}`;
  return exitCode === null ? null : `exit code ${exitCode}`;
}
