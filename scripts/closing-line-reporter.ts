/**
 * A Vitest reporter whose only work is the last line of the output, `123 passed, 0 failed, 2 skipped`, for log
 * readers that do not know Vitest. A file that cannot be loaded and an error outside any test count as failed, and
 * a run in which no test ran fails.
 */
import { writeSync } from 'node:fs';

import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** What one run came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts the tests of all modules; `unhandledErrors` are those that belong to no test. */
export function countTests(
  modules: readonly Pick<TestModule, 'children' | 'errors'>[],
  unhandledErrors: readonly SerializedError[],
): Counts {
  let passed = 0;
  let failed = unhandledErrors.length;
  let skipped = 0;
  for (const module of modules) {
    if (module.errors().length > 0) failed += 1;
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length > 0) failed += 1;
    }
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed += 1;
      else if (state === 'failed') failed += 1;
      else skipped += 1;
    }
  }
  return { passed, failed, skipped };
}

/** The closing line of a run, without the newline. */
export function toClosingLine(counts: Counts): string {
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
}

/** Whether a run with these counts may end with exit code 0. */
export function isSuccess(counts: Counts): boolean {
  return counts.failed === 0 && counts.passed > 0;
}

/** Prints the line when the process exits, after everything that other reporters print. */
export class ClosingLineReporter implements Reporter {
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  #ended = false;

  onInit(): void {
    process.once('exit', () => {
      if (!this.#ended) return;
      if (!isSuccess(this.#counts)) process.exitCode ||= 1;
      writeSync(1, `\n${toClosingLine(this.#counts)}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.#counts = countTests(modules, errors);
    this.#ended = true;
  }
}
