/** Assay as a contender: a submission a request through HTTP, or one call per test on Sandbox Fusion's wire. */
import type { TestService } from '../lib/service.ts';
import { judge, parseRunCode } from '../lib/wire.ts';
import type { Contender, ContenderId, Judged, StdinTest } from './contender.ts';

export interface AssayOptions {
  readonly id: ContenderId;
  readonly label: string;
  readonly callers: number;
  readonly tests: readonly StdinTest[];
  readonly language: string;
  readonly environment: string | null;
  readonly nextSource: () => string;
  readonly warm: boolean;
}

const nothing = async (): Promise<void> => {};

export function createAssay(service: TestService, options: AssayOptions): Contender {
  const { id, label, callers, tests, language, environment, warm } = options;
  const total = tests.length;
  const cases = tests.map(({ stdin, expected }) => ({ stdin, expected_stdout: expected }));
  const request = {
    language,
    ...(environment === null ? {} : { environment }),
    warm,
    compare: 'exact',
    detail: 'summary',
    tests: { kind: 'stdio', cases },
  };
  return {
    id,
    label,
    callers,
    testsPerSubmission: total,
    submit: async () => {
      const report = await judge(service.client, { ...request, code: options.nextSource() });
      if (report.verdict !== 'accepted' || report.passed !== total) {
        throw new Error(
          `${label}: ${report.verdict}, ${report.passed} of ${total}: ${report.message}`,
        );
      }
      const { compile, phases, provenance } = report;
      return {
        compileMs: compile === null ? null : phases.compile_ms,
        runMs: phases.run_ms,
        served: [
          `acquired ${phases.acquire}`,
          `runs ${provenance.runtime ?? 'none'}`,
          ...(compile?.cached === true ? ['compiled before'] : []),
        ],
      };
    },
    [Symbol.asyncDispose]: nothing,
  };
}

/** verl's way: every test is a request of its own, with the whole source. */
export function createRunCode(
  service: TestService,
  options: Omit<AssayOptions, 'environment' | 'warm'>,
): Contender {
  const { id, label, callers, tests, language, nextSource } = options;
  let number = 0;
  let code = nextSource();
  return {
    id,
    label,
    callers,
    testsPerSubmission: 1,
    submit: async (): Promise<Judged> => {
      const test = tests[number % tests.length];
      if (test === undefined) throw new RangeError('there are no tests');
      if (number % tests.length === 0) code = nextSource();
      number += 1;
      const answer = await service.client.post('/run_code', {
        compile_timeout: 10,
        run_timeout: 10,
        code,
        stdin: test.stdin,
        memory_limit_MB: 1024,
        language,
        files: {},
        fetch_files: [],
      });
      if (answer.status !== 200) throw new Error(`${label}: HTTP ${answer.status}`);
      const { status, run_result: result } = parseRunCode(answer);
      if (status !== 'Success' || result?.stdout !== test.expected) {
        const printed = result === null ? 'no run' : `printed ${result.stdout ?? 'nothing'}`;
        throw new Error(`${label}: ${status}, ${printed}: ${result?.stderr ?? ''}`);
      }
      return { compileMs: null, runMs: null, served: [] };
    },
    [Symbol.asyncDispose]: nothing,
  };
}
