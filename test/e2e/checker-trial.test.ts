/** The trial of checkers in real jails: right ones pass, and files in the wrong order, leniency and crashes are found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createAssay, type Assay } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { DEFAULT_MAXIMA, resolveLimits } from '../../src/domain/limits.ts';
import type { Checker, JudgeSubmission } from '../../src/domain/submission.ts';
import { readProjectFile } from '../support/project.ts';
import { temporaryFolder } from '../support/service.ts';
import { inForce } from '../../src/domain/profile.ts';

const { limits } = resolveLimits({ cpuMs: 1000 }, DEFAULT_MAXIMA);

function aChecker(code: string, given: Partial<Checker> = {}): Checker {
  return {
    language: 'python',
    environment: null,
    program: { kind: 'single', code, files: [] },
    args: [],
    limits,
    convention: 'testlib',
    bridged: 'default',
    pointsMax: null,
    ...given,
  };
}

function aProblem(checker: Checker, answers: readonly string[]): JudgeSubmission {
  const cases = answers.map((answer, index) => ({
    id: String(index + 1),
    stdin: Buffer.from('1 2\n'),
    expectedStdout: Buffer.from(answer),
    weight: 1,
    group: null,
    args: [],
    files: [],
    limits,
  }));
  return {
    id: 'trial',
    language: 'python',
    environment: null,
    program: { kind: 'single', code: '', files: [] },
    args: [],
    env: {},
    limits,
    clamped: [],
    seed: null,
    clock: null,
    warm: true,
    wall: null,
    labels: {},
    testset: null,
    graders: [],
    tests: { kind: 'stdio', cases },
    compare: { kind: 'checker', checker },
    scoring: 'all',
    rewardRange: [0, 1],
    stop: 'never',
    detail: 'summary',
    profile: inForce('strict'),
  };
}

/** Accepts a number that is at least as large as the answer; which file is which, it takes by place. */
const AT_LEAST = (order: string): string => `import sys
files = dict(zip("${order}", sys.argv[1:]))
number = lambda name: int(open(files[name]).read() or -1)
try:
    sys.exit(number("o") < number("a"))
except ValueError:
    sys.exit(1)
`;

describe('the trial of a checker', () => {
  let assay: Assay;
  beforeAll(async () => {
    const loaded = loadConfig({
      environment: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
      flags: {
        slots: 2,
        logLevel: 'silent',
        stateDir: await temporaryFolder(),
        languages: 'python',
      },
    });
    assay = await createAssay(loaded);
    await assay.selfTested;
  });
  afterAll(async () => await assay.close());

  const findings = async (checker: Checker, answers = ['3\n']): Promise<readonly string[]> => {
    const { signal } = new AbortController();
    return await assay.service.tryChecker(aProblem(checker, answers), { signal, deadlineMs: null });
  };

  it('finds nothing in a right one', async () => {
    const cms = readProjectFile('test', 'e2e', 'checkers', 'sum.py').replace('CONVENTION', 'cms');
    expect(await findings(aChecker(cms, { convention: 'cms' }), ['3\n', '3'])).toEqual([]);
    expect(await findings(aChecker(AT_LEAST('ioa')))).toEqual([]);
  });

  it.each(['iao', 'aoi', 'oai'])('finds files taken in the order %s', async (order) => {
    expect(await findings(aChecker(AT_LEAST(order)))).not.toEqual([]);
  });

  it.each<[string, Checker, string[]]>([
    ['accepts everything', aChecker(''), ['case 1: it accepts an empty output', 'a word']],
    ['refuses everything', aChecker('raise SystemExit(1)'), ['does not accept the answer']],
    ['crashes', aChecker('1 / 0'), ['fails on the answer', 'an empty output', 'a word']],
    [
      'crashes on nothing',
      aChecker(
        'import sys\nassert open(sys.argv[2]).read()\nsys.exit("no" in open(sys.argv[2]).read())',
      ),
      ['fails on an empty output'],
    ],
    [
      'never ends',
      aChecker('while True: pass'),
      ['the answer: it reached its', 'an empty output', 'a word'],
    ],
  ])('finds one that %s', async (_, checker, parts) => {
    const found = await findings(checker);
    expect(found).toHaveLength(parts.length);
    for (const [index, part] of parts.entries()) expect(found[index]).toContain(part);
  });
});
