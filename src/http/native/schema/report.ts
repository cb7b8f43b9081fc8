/** The wire of answers: outcomes, reports, problems. `toWire` builds exactly these; OpenAPI shows them. */
import { z } from '@hono/zod-openapi';

import { FAULT_CODES, REJECTION_CODES } from '../../../domain/errors.ts';
import { PROFILE_NAMES } from '../../../domain/profiles.ts';
import { CASE_VERDICTS, VERDICTS } from '../../../domain/verdict.ts';
import { orNull } from '../../schema-words.ts';

const ms = (text: string) => z.number().describe(`${text}, ms.`);
const msOrNull = (text: string) =>
  z.number().nullable().describe(`${text}, ms; null if it was not run.`);

const LimitName = z.enum(['cpu', 'wall', 'memory', 'output', 'processes', 'disk']);

const LIMIT_FIELDS = [
  'cpu_ms',
  'wall_ms',
  'memory_mb',
  'output_kb',
  'processes',
  'disk_mb',
  'files',
  'compile_cpu_ms',
  'compile_wall_ms',
] as const;
export type LimitField = (typeof LIMIT_FIELDS)[number];

export const LimitsInForce = z
  .strictObject({
    cpu_ms: ms('CPU time of the process tree'),
    wall_ms: ms('Wall time'),
    memory_mb: z.number().describe('Peak memory, MiB.'),
    output_kb: z.number().describe('Bytes of stdout and of stderr, each, KiB.'),
    processes: z.number().describe('Processes and threads at once.'),
    disk_mb: z.number().describe('Size of the private file system, MiB.'),
    files: z.number().describe('Open file descriptors of a process.'),
    compile_cpu_ms: ms('CPU time of the compile step'),
    compile_wall_ms: ms('Wall time of the compile step'),
  })
  .openapi('Limits');
export type LimitsInForce = z.infer<typeof LimitsInForce>;

const output = {
  stdout: z.string().describe('Standard output; bytes that are not UTF-8 as U+FFFD.'),
  stderr: z.string().describe('Standard error; bytes that are not UTF-8 as U+FFFD.'),
  stdout_bytes: z.number().describe('Bytes the program wrote, also those beyond the limit.'),
  stderr_bytes: z.number().describe('Bytes the program wrote, also those beyond the limit.'),
  stdout_truncated: z.boolean().describe('Whether `stdout` lacks bytes that were written.'),
  stderr_truncated: z.boolean().describe('Whether `stderr` lacks bytes that were written.'),
  stdout_base64: z.string().optional().describe('The exact bytes; only when they are not UTF-8.'),
  stderr_base64: z.string().optional().describe('The exact bytes; only when they are not UTF-8.'),
};

export const OutcomeWire = z
  .strictObject({
    kind: z
      .enum([
        'exited',
        'signalled',
        'time_limit',
        'memory_limit',
        'output_limit',
        'process_limit',
        'disk_limit',
        'compile_error',
        'cancelled',
      ])
      .describe('How the run ended.'),
    exit_code: z.number().nullable().describe('Exit code; null if it did not exit by itself.'),
    signal: z.number().nullable().describe('Number of the signal that ended it.'),
    limit: LimitName.nullable().describe('The limit that fired first.'),
    cpu_ms: ms('CPU time, user + system'),
    wall_ms: ms('Wall time'),
    memory_bytes: z
      .number()
      .nullable()
      .describe('Peak memory; null where this host cannot measure it.'),
    ...output,
  })
  .openapi('Outcome');
export type OutcomeWire = z.infer<typeof OutcomeWire>;

export const CompileWire = z
  .strictObject({
    ok: z.boolean().describe('Whether the program was compiled.'),
    cached: z
      .boolean()
      .describe('Whether the result comes from an earlier compilation of the same source.'),
    warm: z
      .boolean()
      .describe(
        'Whether a compiler that was kept ready compiled it, and not one that had to start.',
      ),
    exit_code: z.number().nullable().describe("The compiler's exit code."),
    limit: LimitName.nullable().describe('The limit that ended the compile step.'),
    cpu_ms: ms('CPU time'),
    wall_ms: ms('Wall time'),
    ...output,
  })
  .openapi('Compile');
export type CompileWire = z.infer<typeof CompileWire>;

const FaultWire = z
  .strictObject({
    code: z.enum(FAULT_CODES).or(z.string()).describe('What failed of ours.'),
    message: z.string(),
    retryable: z.boolean().describe('Whether the same request may do better.'),
  })
  .openapi('Fault');

const RUNTIMES = ['process', 'isolate'] as const;

const AttemptWire = z
  .strictObject({
    jail: z.string().nullable().describe('The jail it ran in; null if none was to be had.'),
    runtime: z
      .enum(RUNTIMES)
      .describe(
        '`isolate`: tried in a warm host; without a fault, it found that it takes a process. `process` without a fault and not the last: a fork ended in a way that a process of its own has to confirm.',
      ),
    fault: orNull(FaultWire),
    wall_ms: ms('How long it took'),
  })
  .openapi('Attempt');

const runPhases = {
  queue_ms: ms('Waited for a slot'),
  acquire_ms: ms('Waited for a jail'),
  acquire: z.enum(['warm', 'cold']).describe('Whether a jail was ready.'),
  compile_ms: ms('Compiled'),
  run_ms: ms('Ran, all cases'),
};
const JudgePhases = z
  .strictObject({ ...runPhases, verify_ms: ms('Compared') })
  .openapi('JudgePhases');
const RunPhases = z.strictObject(runPhases).openapi('RunPhases');

const common = {
  language: z.string().describe('Id of the language.'),
  environment: z.strictObject({
    id: z.string(),
    fingerprint: z.string().describe('sha256 over toolchain, packages and runner.'),
  }),
  wall: z.string().describe('The wall it ran behind.'),
  limits: LimitsInForce.describe('Limits in force.'),
  clamped: z.array(z.enum(LIMIT_FIELDS)).describe("Limits changed to fit the operator's range."),
  provenance: z.strictObject({
    service: z.string().describe('Version of the service.'),
    runner: z.string().describe('Version of the runner.'),
    tests: z.string().nullable().describe('sha256 over the tests.'),
    testset: z
      .string()
      .nullable()
      .describe('`id/problem@sha256:…` of the tests, where they are kept at the server.'),
    profile: z
      .string()
      .nullable()
      .describe('`name@version` of the rules that decided; null for a plain run.'),
    cgroup: z.enum(['v2', 'v1', 'none']).describe('What enforced memory and process limits.'),
    verifier: z.string().describe('Version of the comparison.'),
    runtime: z
      .enum(['process', 'forked', 'mixed', 'isolate'])
      .nullable()
      .describe(
        'Whether runs were started anew, forked from a warm runtime, or made in isolates; null without a run.',
      ),
    reused: z
      .enum(['kept', 'in_flight'])
      .nullable()
      .describe(
        'Whose runs these are: of an equal submission before, or of one that was under way; null for its own.',
      ),
  }),
  labels: z.record(z.string(), z.string()).describe('As given.'),
};

export const RunResponse = z
  .strictObject({
    id: z.string(),
    outcome: orNull(OutcomeWire).describe('Null on a fault.'),
    compile: orNull(CompileWire).describe('Null where the language has no compile step.'),
    files: z
      .record(z.string(), z.union([z.string(), z.strictObject({ base64: z.string() })]))
      .describe('Collected files: text, or base64 where they are not UTF-8.'),
    uncollected: z
      .record(z.string(), z.enum(['missing', 'not_a_file', 'too_large', 'unreadable']))
      .describe('Files that were asked for and could not be returned.'),
    fault: orNull(FaultWire),
    attempts: z.number().describe('How many jails were tried.'),
    ...common,
    phases: RunPhases,
  })
  .openapi('RunResponse');
export type RunResponse = z.infer<typeof RunResponse>;

export const CaseWire = z
  .strictObject({
    id: z.string(),
    verdict: z.enum(CASE_VERDICTS),
    weight: z.number(),
    group: z.string().nullable().describe('As given.'),
    score: z
      .number()
      .describe('0 … 1: 1 exactly when accepted, between only where a checker gives a part.'),
    exit_code: z.number().nullable(),
    signal: z.number().nullable(),
    limit: LimitName.nullable().describe('The limit that fired first.'),
    cpu_ms: msOrNull('CPU time'),
    wall_ms: msOrNull('Wall time'),
    memory_bytes: z.number().nullable(),
    message: z.string().describe('Why it is not accepted; "" when it is.'),
    ...output,
    stdout: z.string().nullable().describe('Null where `detail` leaves it out.'),
    stderr: z.string().nullable().describe('Null where `detail` leaves it out.'),
  })
  .openapi('CaseReport');
export type CaseWire = z.infer<typeof CaseWire>;

export const JudgeResponse = z
  .strictObject({
    id: z.string(),
    verdict: z
      .enum(VERDICTS)
      .describe(
        'accepted when all cases are; else that of the first failing case, or compile_error, no_code, fault.',
      ),
    reward: z.number().nullable().describe('Null exactly when the verdict is `fault`.'),
    passed: z.number().describe('Cases accepted.'),
    total: z.number().describe('Cases of the request.'),
    fraction: z
      .number()
      .describe(
        'The scores of the cases / their number; by weight where scoring is weighted; the points won / all points where it is by groups. 1 only for everything.',
      ),
    compile: orNull(CompileWire).describe(
      'Null where the language has no compile step, and for code that is not Unicode text.',
    ),
    cases: z
      .array(CaseWire)
      .describe(
        'In request order, one for each case of the request; empty where `detail` is summary, and where nothing was run (compile_error, no_code, fault).',
      ),
    groups: z
      .array(
        z.strictObject({
          name: z.string(),
          points: z.number().describe('Won.'),
          points_max: z.number().describe('To be won.'),
          passed: z.number().describe('Cases accepted.'),
          total: z.number().describe('Cases of the group.'),
        }),
      )
      .nullable()
      .describe('In request order; null where scoring is not by groups, or nothing was run.'),
    fault: orNull(FaultWire),
    attempts: z
      .array(AttemptWire)
      .describe('Each try, once there was more than one or a fault; else empty.'),
    mode: z
      .enum(['stdio', 'interactive', 'two_step', 'output_only', 'split', 'in_process'])
      .describe(
        'split: the tests ran in a jail of their own and called the program there. in_process: they ran beside the program, and what it claimed of them was tried by canaries.',
      ),
    canaries: z
      .strictObject({
        runs: z.number().describe('Runs of copies of the tests with altered expectations.'),
        failed: z.number().describe('Those in which exactly the altered tests failed.'),
        flagged: z.boolean().describe('Whether one shows that results were forged: reward 0.'),
        message: z.string().describe('What it shows; "" where it does not.'),
      })
      .nullable()
      .describe(
        'Null in other modes than in_process, and where nothing was run. A program that fails is not tried by all of them.',
      ),
    profile: z.enum(PROFILE_NAMES).describe('Whose rules decided.'),
    can_be_gamed: z
      .boolean()
      .describe('Whether these rules are known to reward programs that are wrong.'),
    cases_not_counted: z
      .number()
      .describe('Cases of the request that the profile leaves out, as its original does.'),
    message: z
      .string()
      .describe(
        'Why it is not accepted: of the first failing case, or why nothing was run; "" when it is, and on a fault.',
      ),
    ...common,
    phases: JudgePhases,
  })
  .openapi('JudgeReport');
export type JudgeResponse = z.infer<typeof JudgeResponse>;

export const ProblemWire = z
  .strictObject({
    type: z.literal('about:blank'),
    code: z.enum([...REJECTION_CODES, 'fault']),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    errors: z.array(z.strictObject({ path: z.string(), message: z.string() })),
    retry_after_ms: z.number().optional().describe('When another try may help, ms.'),
  })
  .describe('RFC 9457, `application/problem+json`.')
  .openapi('Problem');

export const BatchLine = z
  .union([
    z.strictObject({ ...JudgeResponse.shape, line: z.number() }),
    z.strictObject({ line: z.number(), id: z.string().nullable(), error: ProblemWire }),
    z.strictObject({
      summary: z.strictObject({
        lines: z.number().describe('Lines that were not blank.'),
        judged: z.number().describe('Answered with a report, faults included.'),
        rejected: z.number().describe('Answered with a problem.'),
        faults: z.number().describe('Reports with the verdict `fault`.'),
      }),
    }),
  ])
  .openapi('BatchLine');
