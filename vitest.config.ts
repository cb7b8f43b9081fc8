/**
 * Which tests run how. Five projects, one after the other, from cheap to dear: `unit` (beside the code, and the
 * tools' own), `integration` (everything of test/ that is in no other project), `sandbox` (real jails), `e2e` (the
 * service as a process, and jails whose verdicts do not hang on time) and `timed` (those that hold a time closely). Jails need
 * the processor for themselves: files run one at a time, but for those of `e2e`, which wait for much of theirs: two.
 */
import { defineConfig } from 'vitest/config';

import { ClosingLineReporter } from './scripts/closing-line-reporter.ts';

const SANDBOX = ['test/languages/**/*.test.ts', 'test/hostile/**/*.test.ts'];
/** Real jails all the same: programs that are compared, not timed. */
const COMPARED = [
  'test/equivalence/**/*.test.ts',
  'test/hostile/{gauntlet,pod}.test.ts',
  'test/languages/{calls,java}.test.ts',
];
const E2E = [
  'test/e2e/**/*.test.ts',
  'test/faults/**/*.test.ts',
  'test/compat/**/*.test.ts',
  ...COMPARED,
];
/** Of these, those that would feel a neighbour. */
const TIMED = [
  'test/e2e/{compile-cache,pools,start}.test.ts',
  'test/faults/{killed-parts,service-end}.test.ts',
  'test/compat/trainers/**/*.test.ts',
];
const TOOLS = ['test/tidy.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'];

/** An emulated machine takes longer for everything (test/support/wait.ts reads it too). */
const SLOWNESS = Number(process.env['ASSAY_TEST_SLOWNESS'] ?? 1);

interface ProjectOptions {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** Rank among the projects, from 1 (Vitest takes 0 for none); one starts when those before it have ended. */
  readonly order: number;
  readonly timeoutMs: number;
  /** Test files at a time; by default as many as Vitest thinks fit. */
  readonly workers?: number | string;
}

function project(name: string, options: ProjectOptions) {
  return {
    test: {
      name,
      pool: 'forks' as const,
      include: [...options.include],
      exclude: ['**/node_modules/**', ...(options.exclude ?? [])],
      testTimeout: options.timeoutMs * SLOWNESS,
      hookTimeout: options.timeoutMs * SLOWNESS,
      ...(options.workers === undefined ? {} : { maxWorkers: options.workers }),
      sequence: { groupOrder: options.order },
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      project('unit', {
        include: ['src/**/*.test.ts', 'runners/**/*.test.ts', ...TOOLS],
        order: 1,
        timeoutMs: 5_000,
        workers: '100%',
      }),
      project('integration', {
        include: ['test/**/*.test.ts'],
        exclude: [...SANDBOX, ...E2E, ...TOOLS],
        order: 2,
        timeoutMs: 30_000,
      }),
      project('sandbox', {
        include: SANDBOX,
        exclude: COMPARED,
        order: 3,
        timeoutMs: 60_000,
        workers: 1,
      }),
      project('e2e', { include: E2E, exclude: TIMED, order: 4, timeoutMs: 120_000, workers: 2 }),
      project('timed', { include: TIMED, order: 5, timeoutMs: 120_000, workers: 1 }),
    ],
    reporters: ['default', new ClosingLineReporter()],
    teardownTimeout: 20_000,
  },
});
