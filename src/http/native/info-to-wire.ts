/** What the service says that it is and can do, in the native wire's words. Pure. */
import { z } from '@hono/zod-openapi';

import type { Capabilities, LanguageInfo } from '../../judge/door.ts';
import { DEGRADATIONS, type Degradation } from '../app-env.ts';
import type { LimitsStats } from '../../judge/tenants/door.ts';
import { limitsToWire } from './to-wire.ts';
import { LimitsInForce } from './schema/report.ts';
import { WallTestWire, wallTestToWire } from './wall-test-to-wire.ts';

export const TenantLimitsWire = z
  .strictObject({
    store: z.enum(['memory', 'redis']).describe('Where the limits of tenants are counted.'),
    degraded: z
      .boolean()
      .describe('Redis does not answer: this replica counts by itself until it does.'),
  })
  .openapi('TenantLimits');

export const DegradedWire = z
  .array(z.enum(DEGRADATIONS))
  .describe(
    'Parts that do without Redis until it answers again: limits of tenants are counted, and answers under an Idempotency-Key and reports are kept, by this replica alone; calls for jobs are refused.',
  );

export const LanguagesResponse = z
  .strictObject({
    languages: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        aliases: z.array(z.string()).describe('Other names that are taken, lower case.'),
        fence_tags: z
          .array(z.string())
          .describe('Further tags of fenced blocks in a completion that mean this language.'),
        version: z.string().nullable(),
        available: z.boolean(),
        reason: z.string().nullable().describe('Why it is not available.'),
        source_file: z.string().describe('The file a single program is written to.'),
        compiled: z.boolean().describe('Whether a compile step precedes the runs.'),
        allowance: z
          .strictObject({
            cpu_ms: z.number().describe('CPU and wall time, ms.'),
            memory_mb: z.number().describe('Memory, MiB.'),
            processes: z.number().describe('Processes and threads.'),
          })
          .describe("What the runtime itself gets on top of a submission's limits, each run."),
        tests: z
          .array(
            z.strictObject({
              kind: z.string(),
              available: z.boolean(),
              reason: z.string().nullable().describe('What this host lacks for it.'),
            }),
          )
          .describe('Kinds of tests that are code or calls; those by standard streams all have.'),
        environments: z.array(
          z.strictObject({
            id: z.string().describe('What `environment` takes; the first is the default.'),
            title: z.string(),
            aliases: z
              .array(z.string())
              .describe('Other names, which `language` takes too: the language with this one.'),
            available: z.boolean(),
            reason: z.string().nullable().describe('Why it is not available.'),
            packages: z.record(z.string(), z.string()).describe('Name → version.'),
            fingerprint: z.string().nullable().describe('Null when it is not available.'),
            warm: z.boolean().describe('Whether runs start from a warm runtime.'),
          }),
        ),
      }),
    ),
  })
  .openapi('Languages');
export type LanguagesResponse = z.infer<typeof LanguagesResponse>;

/** What is the same in every run, whoever asks for nothing. */
const FIXED = [
  'time zone (UTC), locale (C.UTF-8) and the whole environment',
  'one processor, by affinity and by every count of processors; thread pools of OpenMP, OpenBLAS and MKL have one thread',
  'Python: the hash seed (0)',
  'a fresh file system and fresh process numbers',
];
const NOT_FIXED = [
  'what a program asks the kernel for: getrandom, /dev/urandom, uuid4',
  'addresses (ASLR is on), and so what hashes or sorts by them; forks of one warm runtime share them',
  'monotonic clocks, CPU clocks, times of files, and the true time by a system call of its own',
  'how threads of a program take turns',
];

const DeterminismWire = z
  .strictObject({
    fixed: z.array(z.string()).describe('The same in every run, on every wall, warm or cold.'),
    not_fixed: z.array(z.string()).describe('What no option fixes, in no language.'),
    languages: z.record(
      z.string(),
      z.strictObject({
        seed: z
          .string()
          .nullable()
          .describe('What `seed` fixes; null where a request with it is refused (422).'),
        clock: z
          .string()
          .nullable()
          .describe('What `clock` stops; null where a request with it is refused (422).'),
        varies: z.string().nullable().describe('What varies all the same.'),
      }),
    ),
  })
  .describe('What makes equal submissions run equally.');

export const CapabilitiesResponse = z
  .strictObject({
    service: z.string().describe('Version of the service.'),
    runner: z.string().describe('Version of the runner.'),
    walls: z.array(
      z.strictObject({
        wall: z.string(),
        available: z.boolean(),
        version: z
          .string()
          .nullable()
          .describe(
            'Of the wall; nsjail tells none, so for it the least that it can be (">=3.5").',
          ),
        cgroup: z.enum(['v2', 'v1', 'none']),
        enforced: z
          .record(z.string(), z.string().nullable())
          .describe('Property → how; null where it is not.'),
        stack_mb: z
          .int()
          .nullable()
          .describe(
            "The largest stack of a program's main thread: never more than `memory_mb`, and less where the host has a hard limit. Null where no jail could be tried.",
          ),
        problems: z.array(z.string()).describe('What is missing and how to mend it.'),
        test: WallTestWire.nullable().describe('The last one; null where nobody asked for one.'),
      }),
    ),
    cgroup: z.enum(['v2', 'v1', 'none']),
    slots: z.number().describe('Submissions run at once.'),
    defaults: LimitsInForce,
    maxima: LimitsInForce.describe("The caller's: the operator's, or less."),
    tenant_limits: TenantLimitsWire,
    determinism: DeterminismWire,
    degraded: DegradedWire,
    self_tests: z.array(
      z.strictObject({
        environment: z.string(),
        test: z.string(),
        ok: z.boolean(),
        message: z.string(),
      }),
    ),
  })
  .openapi('Capabilities');
export type CapabilitiesResponse = z.infer<typeof CapabilitiesResponse>;

export function languagesToWire(languages: readonly LanguageInfo[]): LanguagesResponse {
  return {
    languages: languages.map((language) => ({
      id: language.id,
      title: language.title,
      aliases: [...language.aliases],
      fence_tags: [...language.fenceTags],
      version: language.version,
      available: language.available,
      reason: language.reason,
      source_file: language.sourceFile,
      compiled: language.compiled,
      allowance: {
        cpu_ms: language.allowance.cpuMs,
        memory_mb: language.allowance.memoryMb,
        processes: language.allowance.processes,
      },
      tests: language.tests.map((each) => ({ ...each })),
      environments: language.environments.map((each) => ({
        ...each,
        aliases: [...each.aliases],
        packages: { ...each.packages },
      })),
    })),
  };
}

interface SharedState {
  readonly limits: LimitsStats;
  readonly degraded: readonly Degradation[];
}

export function capabilitiesToWire(
  capabilities: Capabilities,
  languages: readonly LanguageInfo[],
  { limits, degraded }: SharedState,
): CapabilitiesResponse {
  return {
    service: capabilities.service,
    runner: capabilities.runner,
    walls: capabilities.walls.map(({ stackMb, ...wall }) => ({
      ...wall,
      enforced: { ...wall.enforced },
      stack_mb: stackMb,
      problems: [...wall.problems],
      test: wall.test === null ? null : wallTestToWire(wall.test),
    })),
    cgroup: capabilities.cgroup,
    slots: capabilities.slots,
    defaults: limitsToWire(capabilities.defaults),
    maxima: limitsToWire(capabilities.maxima),
    tenant_limits: { ...limits },
    determinism: {
      fixed: FIXED,
      not_fixed: NOT_FIXED,
      languages: Object.fromEntries(
        languages.map(({ id, determinism }) => [id, { ...determinism }]),
      ),
    },
    degraded: [...degraded],
    self_tests: capabilities.selfTests.map((test) => ({ ...test })),
  };
}
