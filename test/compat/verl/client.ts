/** verl's own client as a program: run on jobs against a URL. */
import { z } from 'zod';

import { getPythonClient } from '../../support/python-client.ts';

export interface Job {
  readonly test_cases: {
    readonly inputs?: readonly (string | null)[];
    readonly outputs?: readonly (string | null)[];
    readonly fn_name?: string;
    readonly assert_case?: readonly string[];
  };
  /** A model's answer, scored as verl does for competition data; or else `code` in a `language`. */
  readonly completion?: string;
  readonly code?: string;
  readonly language?: string;
  /** Seconds, for compiling and for running. */
  readonly timeout?: number;
  readonly memory_limit_mb?: number;
  readonly continuous?: boolean;
}

const Metadata = z.looseObject({
  status: z.string().optional(),
  stdout: z.string().nullish(),
  stderr: z.string().nullish(),
  exit_code: z.number().nullish(),
  duration: z.number().nullish(),
  api_status: z.string().nullish(),
  compile_stderr: z.string().nullish(),
  error: z.string().optional(),
});

const JobResult = z.object({
  score: z.number().optional(),
  /** One entry per test: true, false, or verl's negative codes. */
  results: z.array(z.union([z.boolean(), z.number()])).optional(),
  metadata: z.array(Metadata),
});
export type JobResult = z.infer<typeof JobResult>;

interface VerlClient {
  /** Runs all jobs at once with `concurrency` calls in flight; results in job order. */
  run(url: string, jobs: readonly Job[], concurrency?: number): Promise<readonly JobResult[]>;
}

export type ClientResult =
  | { readonly kind: 'ready'; readonly client: VerlClient }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** As `getPythonClient`. */
export async function getVerlClient(): Promise<ClientResult> {
  const found = await getPythonClient('verl');
  if (found.kind === 'unreachable') return found;
  return {
    kind: 'ready',
    client: {
      async run(url, jobs, concurrency = 64) {
        const request = { url: `${url}/run_code`, concurrency, jobs };
        const results = z.array(JobResult).parse(await found.drive('driver.py', request));
        if (results.length !== jobs.length)
          throw new Error(`${results.length} results for ${jobs.length} jobs`);
        return results;
      },
    },
  };
}
