/** A caller's files against the disk limit and against the program's own. */
import { describe, expect, it } from 'vitest';

import { Rejection } from '../domain/errors.ts';
import { LanguageDefinition, type Environment } from '../domain/language.ts';
import { DEFAULT_MAXIMA, resolveLimits } from '../domain/limits.ts';
import type { JudgeSubmission, SourceFile } from '../domain/submission.ts';
import { checkFiles } from './check-files.ts';
import { inForce } from '../domain/profile.ts';

const MIB = 1024 * 1024;

const environment: Environment = {
  id: 'toy',
  language: LanguageDefinition.parse({
    id: 'toy',
    title: 'Toy',
    aliases: [],
    sourceFile: 'main.toy',
    probe: { program: 'none' },
    compile: {
      command: ['/bin/toy', '{entry}'],
      artefacts: ['main'],
      memoryMb: 64,
      processes: 4,
    },
    run: { command: ['./main'], needsSource: false },
    selfTests: {},
  }),
  toolchain: { version: '1', tools: {}, mounts: [], packages: {} },
  fingerprint: 'sha256:0',
};

const file = (path: string, bytes = 1): SourceFile => ({ path, content: new Uint8Array(bytes) });

function problemOf(given: {
  data?: readonly SourceFile[];
  code?: number;
  caseFiles?: readonly SourceFile[];
}): string | null {
  const { limits, clamped } = resolveLimits({ diskBytes: MIB }, DEFAULT_MAXIMA);
  const { data = [], code = 1, caseFiles = [] } = given;
  const files = [file('main.toy', code), ...data];
  const submission: JudgeSubmission = {
    id: '1',
    language: 'toy',
    environment: null,
    program: { kind: 'files', entry: 'main.toy', files },
    args: [],
    env: {},
    limits,
    clamped,
    seed: null,
    clock: null,
    warm: true,
    wall: null,
    labels: {},
    testset: null,
    graders: [],
    tests: {
      kind: 'stdio',
      cases: [
        {
          id: '1',
          stdin: new Uint8Array(0),
          expectedStdout: new Uint8Array(0),
          weight: 1,
          group: null,
          args: [],
          files: caseFiles,
          limits,
        },
      ],
    },
    compare: { kind: 'tokens' },
    scoring: 'all',
    rewardRange: [0, 1],
    stop: 'never',
    detail: 'full',
    profile: inForce('strict'),
  };
  try {
    checkFiles(submission, { entry: 'main.toy', files, mayBeForked: false }, environment);
    return null;
  } catch (error) {
    if (error instanceof Rejection) return error.context.detail;
    throw error;
  }
}

describe('checkFiles', () => {
  it('takes data files up to the disk limit and refuses a byte more', () => {
    expect(problemOf({ data: [file('a', MIB)] })).toBeNull();
    expect(problemOf({ data: [file('a', MIB + 1)] })).toMatch(/^files: .*disk_mb/);
  });

  it('counts whole pages', () => {
    const small = Array.from({ length: 257 }, (_, i) => file(`f${i}`));
    expect(problemOf({ data: small.slice(1) })).toBeNull();
    expect(problemOf({ data: small })).toContain('disk_mb');
  });

  it('counts the files of a case with those of the program', () => {
    const half = file('a', MIB / 2);
    expect(problemOf({ data: [half], caseFiles: [file('b', MIB / 2)] })).toBeNull();
    expect(problemOf({ data: [half], caseFiles: [file('b', MIB / 2 + 1)] })).toMatch(
      /^tests\.cases\[0\]\.files: .*disk_mb/,
    );
  });

  it('leaves a program that is too large to the run, which fails it', () => {
    expect(problemOf({ code: 2 * MIB })).toBeNull();
  });

  it.each(['main.toy', 'main'])('refuses a file of a case in place of %s', (path) => {
    expect(problemOf({ caseFiles: [file(path)] })).toContain("the program's own file");
  });

  it.each([
    ['a folder of a compiled file', 'main/x', 'a'],
    ['a folder of a data file', 'a/x', 'a'],
    ['a file where a folder is', 'b', 'b/c'],
  ])('refuses %s', (_, path, data) => {
    const problem = problemOf({ data: [file(data)], caseFiles: [file(path)] });
    expect(problem).toContain('both a file and a folder');
  });

  it('lets a case replace a data file', () => {
    expect(problemOf({ data: [file('a')], caseFiles: [file('a'), file('b/c')] })).toBeNull();
  });
});
