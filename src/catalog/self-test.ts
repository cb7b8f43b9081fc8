/**
 * The self-tests of the languages as data: small programs with known verdicts. `ok` is judged at every start before its
 * language is offered; all of them are judged by the test suite. Who judges them is not this module's business.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Environment, ExpectedSelfTest } from '../domain/language.ts';
import type { LimitsRequest } from '../domain/limits.ts';

/** A single-file program, its one test, and the verdict that it must get. */
export interface SelfTestCase {
  /** Id of the environment. */
  readonly environment: string;
  /** Id of the language. */
  readonly language: string;
  /** `ok`, `time-limit` … */
  readonly name: string;
  readonly code: string;
  readonly stdin: Uint8Array;
  /** Compared by tokens. */
  readonly expectedStdout: Uint8Array;
  readonly expect: ExpectedSelfTest;
  readonly limits: LimitsRequest;
}

/** The self-tests that every language has. */
export const SELF_TEST_NAMES = [
  'ok',
  'compile-error',
  'runtime-error',
  'time-limit',
  'memory-limit',
  'output-limit',
  'fork-bomb',
] as const;

const MIB = 1024 * 1024;

/** Small, so that a program that meets one does so at once; the wall limit leaves room for a busy host. */
export const SELF_TEST_LIMITS: LimitsRequest = {
  cpuMs: 2000,
  wallMs: 20_000,
  memoryBytes: 64 * MIB,
  outputBytes: MIB,
  processes: 16,
};

export interface SelfTestSource {
  /** The folder `languages/`. */
  readonly languagesDir: string;
  readonly environment: Environment;
}

/** All self-tests of an environment, in the order of its definition. Throws when a program cannot be read. */
export function loadSelfTests(source: SelfTestSource): Promise<SelfTestCase[]> {
  return loadNamed(source, Object.keys(source.environment.language.selfTests));
}

/** The self-tests to pass before an environment is offered. */
export function loadBootSelfTests(source: SelfTestSource): Promise<SelfTestCase[]> {
  return loadNamed(source, ['ok']);
}

function loadNamed(
  { languagesDir, environment }: SelfTestSource,
  names: readonly string[],
): Promise<SelfTestCase[]> {
  const { id: language, selfTests } = environment.language;
  const loaded = names.map(async (name) => {
    const definition = selfTests[name];
    if (definition === undefined) throw new Error(`languages/${language} has no self-test ${name}`);
    const { file, expect, stdin, stdout } = definition;
    return {
      environment: environment.id,
      language,
      name,
      code: await readFile(join(languagesDir, language, file), 'utf8'),
      stdin: Buffer.from(stdin),
      expectedStdout: Buffer.from(stdout),
      expect,
      limits: SELF_TEST_LIMITS,
    };
  });
  return Promise.all(loaded);
}
