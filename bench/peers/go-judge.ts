/**
 * go-judge as a contender, used as graders use it: the source is kept at the server once, a compile step hands its
 * artefacts to the runs, and each test is a request.
 */
import type { GoJudge, GoJudgeResult } from '../lib/go-judge.ts';
import { mapLoop, stopwatch } from '../lib/load.ts';
import type { Contender, Judged, StdinTest } from './contender.ts';

export interface GoJudgeOptions {
  readonly label: string;
  readonly about: string;
  readonly callers: number;
  readonly tests: readonly StdinTest[];
  readonly file: string;
  readonly nextSource: () => string;
  readonly compile: readonly string[] | null;
  readonly run: readonly string[];
  readonly artefacts: readonly string[];
}

/** Tests of a submission under way at once: one waits while another runs, so that no worker waits for its client. */
const TESTS_AHEAD = 2;

type Kept = Readonly<Record<string, { readonly fileId: string }>>;

/** A whole submission each time. */
export function createGoJudge(server: GoJudge, options: GoJudgeOptions): Contender {
  const { label, about, callers, tests, file, nextSource, compile, run, artefacts } = options;
  return {
    id: 'go-judge',
    label,
    about,
    callers,
    testsPerSubmission: tests.length,
    submit: async (): Promise<Judged> => {
      const elapsed = stopwatch();
      const source = nextSource();
      const kept: Kept =
        compile === null
          ? { [file]: { fileId: await server.upload(file, source) } }
          : await compileOn(server, { args: compile, file, source, artefacts });
      const compileMs = elapsed();
      await mapLoop(tests, TESTS_AHEAD, async (test) => {
        const result = await server.run({ args: run, stdin: test.stdin, copyIn: kept });
        requireRight(label, result, test);
      });
      const runMs = elapsed() - compileMs;
      await Promise.all(Object.values(kept).map(({ fileId }) => server.remove(fileId)));
      return { compileMs: compile === null ? null : compileMs, runMs, served: [] };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** One test a submission, with its whole source. */
export function createGoJudgeCalls(
  server: GoJudge,
  options: Omit<GoJudgeOptions, 'compile' | 'artefacts'>,
): Contender {
  const { label, about, callers, tests, file, nextSource, run } = options;
  let number = 0;
  return {
    id: 'go-judge',
    label,
    about,
    callers,
    testsPerSubmission: 1,
    submit: async (): Promise<Judged> => {
      const test = tests[number % tests.length];
      if (test === undefined) throw new RangeError('there are no tests');
      number += 1;
      const copyIn = { [file]: { content: nextSource() } };
      requireRight(label, await server.run({ args: run, stdin: test.stdin, copyIn }), test);
      return { compileMs: null, runMs: null, served: [] };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function compileOn(
  server: GoJudge,
  step: {
    readonly args: readonly string[];
    readonly file: string;
    readonly source: string;
    readonly artefacts: readonly string[];
  },
): Promise<Kept> {
  const { args, file, source, artefacts } = step;
  const copyIn = { [file]: { content: source } };
  const result = await server.run({ args, stdin: '', copyIn, keep: artefacts });
  const ids = result.fileIds ?? {};
  const kept = artefacts.map((name) => [name, { fileId: ids[name] ?? '' }] as const);
  if (result.status !== 'Accepted' || kept.some(([, { fileId }]) => fileId === '')) {
    throw new Error(`go-judge does not compile ${file}: ${JSON.stringify(result).slice(0, 500)}`);
  }
  return Object.fromEntries(kept);
}

function requireRight(label: string, result: GoJudgeResult, test: StdinTest): void {
  if (result.status === 'Accepted' && result.files?.['stdout'] === test.expected) return;
  throw new Error(`${label}: ${JSON.stringify(result).slice(0, 500)}`);
}
