/** A call of each wire with a trivial program, and what its answer must be. Data for the scenario `surfaces`. */
import { z } from 'zod';

import type { Surface } from '../../src/domain/surfaces.ts';
import { SubmissionResponse } from '../../src/http/compat/judge0/schema.ts';
import { ExecuteResponse } from '../../src/http/compat/nemo-skills/schema.ts';
import { TestProgramResponse } from '../../src/http/compat/open-instruct/schema.ts';
import { BatchResponseDoc } from '../../src/http/compat/open-r1/openapi.ts';
import { ExecuteResponseDoc } from '../../src/http/compat/piston/openapi.ts';
import { GetRewardResponse, RemoteRMResponse } from '../../src/http/compat/reward-model/schema.ts';
import { RunCodeResponseDoc } from '../../src/http/compat/sandbox-fusion/openapi.ts';
import { JudgeResponse } from '../../src/http/native/schema/report.ts';

/** A program that adds a constant to its input; every fourth adds one more, and fails its test. */
export interface Sum {
  readonly index: number;
  readonly stdin: string;
  readonly expected: string;
  readonly isRight: boolean;
  /** A whole program, a text of its own. */
  readonly code: string;
}

export function sumOf(index: number): Sum {
  const isRight = index % 4 !== 3;
  const [input, added] = [index * 7, 1000 + (index % 13)];
  return {
    index,
    isRight,
    stdin: `${input}\n`,
    expected: `${input + added}\n`,
    code: `print(int(input()) + ${added + (isRight ? 0 : 1)})  # ${index}\n`,
  };
}

interface SurfaceCall {
  readonly surface: Surface | 'native';
  readonly path: string;
  /** Statuses besides the usual one by which the wire asks its client to try again. */
  readonly again: readonly number[];
  readonly status?: number;
  readonly body: (sum: Sum) => object;
  /** Whether the answer says what the program deserves. Throws for a body that the wire does not know. */
  readonly isTrue: (body: unknown, sum: Sum) => boolean;
}

const printed = ({ expected, isRight }: Sum, stdout: string | undefined): boolean =>
  (stdout === expected) === isRight && /^\d+\n$/.test(stdout ?? '');

const stdioTests = ({ stdin, expected }: Sum) => ({
  kind: 'stdio',
  cases: [{ stdin, expected_stdout: expected }],
});

const fenced = (code: string): string => `\`\`\`python\n${code}\`\`\``;
const label = (sum: Sum) => ({ language: 'python', tests: stdioTests(sum) });

export const SURFACE_CALLS: readonly SurfaceCall[] = [
  {
    surface: 'native',
    path: '/v1/judge',
    again: [503],
    body: (sum) => ({ language: 'python', code: sum.code, tests: stdioTests(sum) }),
    isTrue: (body, { isRight }) => JudgeResponse.parse(body).reward === (isRight ? 1 : 0),
  },
  {
    surface: 'sandbox_fusion',
    path: '/run_code',
    again: [504],
    body: ({ code, stdin }) => ({ language: 'python', code, stdin, run_timeout: 10 }),
    isTrue(body, sum) {
      const { status, run_result } = RunCodeResponseDoc.parse(body);
      return status === 'Success' && printed(sum, run_result?.stdout);
    },
  },
  {
    surface: 'piston',
    path: '/api/v2/execute',
    again: [],
    body: ({ code, stdin }) => ({
      language: 'python',
      version: '*',
      files: [{ content: code }],
      stdin,
    }),
    isTrue: (body, sum) => printed(sum, ExecuteResponseDoc.parse(body).run.stdout),
  },
  {
    surface: 'open_r1',
    path: '/execute_batch',
    again: [],
    body: ({ code, stdin }) => ({
      scripts: [code.replace('input()', stdin.trim())],
      languages: ['python'],
      timeout: 30,
      request_timeout: 28,
    }),
    isTrue(body, sum) {
      const [item] = BatchResponseDoc.length(1).parse(body);
      return printed(sum, item?.execution?.logs.stdout.join(''));
    },
  },
  {
    surface: 'open_instruct',
    path: '/test_program_stdio',
    again: [],
    body: ({ code, stdin, expected }) => ({
      program: code,
      tests: [{ input: stdin, output: expected }],
      max_execution_time: 5,
    }),
    isTrue: (body, { isRight }) => TestProgramResponse.parse(body).results[0] === (isRight ? 1 : 0),
  },
  {
    surface: 'openrlhf',
    path: '/get_reward',
    again: [503, 504],
    body: (sum) => ({
      query: [`Add.${fenced(sum.code)}`],
      prompts: ['Add.'],
      labels: [JSON.stringify(label(sum))],
    }),
    isTrue: (body, { isRight }) => GetRewardResponse.parse(body).rewards[0] === (isRight ? 1 : 0),
  },
  {
    surface: 'slime',
    path: '/remote_rm',
    again: [503, 504],
    body: (sum) => ({ prompt: 'Add.', response: fenced(sum.code), label: label(sum) }),
    isTrue: (body, { isRight }) => RemoteRMResponse.parse(body) === (isRight ? 1 : 0),
  },
  {
    surface: 'nemo_skills',
    path: '/execute',
    again: [],
    body: ({ code, stdin }) => ({
      generated_code: code,
      std_input: stdin,
      language: 'python3',
      timeout: 10,
      max_output_characters: 1000,
    }),
    isTrue(body, sum) {
      const { process_status, stdout } = ExecuteResponse.parse(body);
      return process_status === 'completed' && printed(sum, stdout);
    },
  },
  {
    surface: 'judge0',
    path: '/submissions/?wait=true',
    status: 201,
    again: [],
    body: ({ code, stdin, expected }) => ({
      source_code: code,
      language_id: 71,
      stdin,
      expected_output: expected,
    }),
    isTrue(body, { isRight }) {
      const { status } = SubmissionResponse.parse(body);
      return status?.description === (isRight ? 'Accepted' : 'Wrong Answer');
    },
  },
];

/** An answer of a call: `true`, `again`, or what is wrong with it. */
export function verdictOn(
  call: SurfaceCall,
  sum: Sum,
  { status, body }: { readonly status: number; readonly body: Buffer },
): string {
  if (call.again.includes(status)) return 'again';
  if (status !== (call.status ?? 200)) return `outside the contract: ${status}`;
  try {
    return call.isTrue(JSON.parse(body.toString('utf8')), sum) ? 'true' : 'wrong';
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    return `outside the contract: ${reason.slice(0, 200)}`;
  }
}
