/**
 * Languages of the wire whose `code` is a file of tests with what they test: made into programs of a language that is
 * served, which end as the original's command ends. That is the program's own word, as with every run. Pure.
 */
import type { SourceFile } from '../../../domain/submission.ts';
import type { LanguageInfo } from '../../../judge/door.ts';
import { goProgram } from './datasets/kinds/go-tests.ts';
import type { CommandRunResult, RunCodeRequest, RunCodeResponse } from './schema.ts';

interface TestProgram {
  readonly code: string;
  /** Beside those of the request. */
  readonly files: readonly SourceFile[];
}

interface TestLanguage {
  /** As the catalog has it. */
  readonly language: string;
  /** The program; a string says why these tests cannot be run. */
  readonly toProgram: (request: RunCodeRequest, language: LanguageInfo) => TestProgram | string;
  /** Whether the language compiles where the original's command does all in one. */
  readonly isOneCommand: boolean;
}

export const TEST_LANGUAGES: Readonly<Record<string, TestLanguage>> = {
  go_test: { language: 'go', toProgram: goTest, isOneCommand: true },
  pytest: { language: 'python', toProgram: pytest, isOneCommand: false },
};

/** What `go test` calls besides tests, and a main made here does not. */
const GO_OTHERS = /^func[ \t]+(?:TestMain|Example\w*|Fuzz\w*)\(/m;

function goTest({ code }: RunCodeRequest): TestProgram | string {
  if (GO_OTHERS.test(code)) return 'TestMain, examples and fuzz tests of Go are not served here';
  const { before, tests } = goProgram({ before: '', tests: code });
  return { code: before + tests, files: [] };
}

function pytest({ code, files }: RunCodeRequest, language: LanguageInfo): TestProgram | string {
  const { testPackages: folder } = language;
  if (folder === null) return 'pytest is not installed here';
  const name = freeName(Object.keys(files));
  const main = `import sys
sys.path.append(${JSON.stringify(folder)})
import pytest
sys.exit(pytest.main(['-p', 'no:cacheprovider', ${JSON.stringify(name)}]))
`;
  return { code: main, files: [{ path: name, content: Buffer.from(code) }] };
}

function freeName(taken: readonly string[]): string {
  for (let n = 0; ; n += 1) {
    const name = n === 0 ? 'test_code.py' : `test_code_${n}.py`;
    if (!taken.includes(name)) return name;
  }
}

/** A step of ours that the original's command has in it: what failed there is the run's. */
export function asOneCommand(response: RunCodeResponse): RunCodeResponse {
  const failed: CommandRunResult | null = response.run_result ?? response.compile_result;
  return { ...response, compile_result: null, run_result: failed };
}
