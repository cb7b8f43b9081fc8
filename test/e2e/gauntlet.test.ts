/** `assay gauntlet` from outside: what it prints, and the exit code that tells whether the service holds. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { assay, type CommandResult } from '../support/command.ts';
import { startService, temporaryFolder, type RunningService } from '../support/service.ts';

const OK = 0;
const FAILED = 1;
const USAGE = 2;

const Printed = z.looseObject({
  held: z.boolean(),
  attempts: z.array(z.looseObject({ name: z.string(), end: z.string(), reward: z.number() })),
});

describe('assay gauntlet', () => {
  let service: RunningService;
  let folder: string;
  beforeAll(async () => {
    service = await startService({ languages: ['python'], flags: { '--slots': '2' } });
    folder = await temporaryFolder();
    const tests = { kind: 'stdio', cases: [{ stdin: '', expected_stdout: '7\n' }] };
    const problem = {
      title: 'Seven',
      limits: { hack: {}, honest: {} },
      styles: { stdio: { tests } },
    };
    const files = {
      'catalogue.json': JSON.stringify({ hacks: { 1: 'One' }, not_applicable: {} }),
      'seven/problem.json': JSON.stringify(problem),
      'seven/hacks/right.py': '# Hack 1: Is right.\n# Expected: no reward.\nprint(7)\n',
      'seven/hacks/wrong.py': '# Hack 1: Is wrong.\n# Expected: no reward.\nprint(8)\n',
      'seven/honest/wrong.py': '# Honest: Is not.\n# Expected: accepted.\nprint(8)\n',
      'seven/honest/other.go': '// Honest: Is Go.\n// Expected: accepted.\npackage main\n',
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const remote = async (...argv: readonly string[]): Promise<CommandResult> =>
    await assay(['gauntlet', '--url', service.url, ...argv]);

  it('prints a table and the counts, and exits with 0 where the service holds', async () => {
    const { code, stdout, stderr } = await remote(
      '--only',
      '^code/(asserts|check)/h.*/(nan|plain)[.]',
    );
    expect(stdout).toMatch(
      /^code: .*\n +program +hack +asserts +check\n +hacks\/nan\.py +30 +wrong 0 +wrong 0\n +honest\/plain\.py +accepted 1 +accepted 1\n/,
    );
    expect(stdout).toContain('84 Timing channel: ');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      'gauntlet held: 0 of 2 hacks rewarded, 0 of 2 honest programs refused, 0 faults, 0 not run',
    );
    expect(stderr).toBe('');
    expect(code).toBe(OK);
  });

  it('exits with 1 where a hack is rewarded or an honest program refused, and says which', async () => {
    const { code, stdout } = await remote('--folder', folder);
    expect(stdout).toContain('seven/stdio/hacks/right.py: rewarded (accepted, reward 1)');
    expect(stdout).toContain('seven/stdio/honest/wrong.py: refused (wrong_answer, reward 0)');
    expect(stdout).toMatch(
      /not run, because of what this service lacks:\n.*\n +seven\/stdio\/honest\/other\.go\n/,
    );
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      'gauntlet FAILED: 1 of 2 hacks rewarded, 1 of 1 honest programs refused, 0 faults, 1 not run',
    );
    expect(code).toBe(FAILED);
  });

  it('prints everything as JSON with --json', async () => {
    const { code, stdout } = await remote('--folder', folder, '--json', '--only', 'hacks');
    const { held, attempts } = Printed.parse(JSON.parse(stdout));
    expect(held).toBe(false);
    const ends = Object.fromEntries(
      attempts.map(({ name, end, reward }) => [name, { end, reward }]),
    );
    expect(ends).toEqual({
      'seven/stdio/hacks/right.py': { end: 'rewarded', reward: 1 },
      'seven/stdio/hacks/wrong.py': { end: 'passed', reward: 0 },
    });
    expect(code).toBe(FAILED);
  });

  it.each([
    ['a pattern that is none', ['--only', '(']],
    ['a pattern that nothing fits', ['--only', 'no-such-program']],
    ['a service that is not there', ['--url', 'http://127.0.0.1:1']],
  ])('refuses %s', async (_, argv) => {
    const { code, stdout } = await assay(['gauntlet', ...argv]);
    expect(stdout).toBe('');
    expect(code).toBe(USAGE);
  });
});
