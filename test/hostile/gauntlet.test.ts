/**
 * The gauntlet against one live service: every program of `gauntlet/`, judged in one batch, and a test for each. No hack
 * may be rewarded or make a fault of its failure; no honest program may be refused; the host is as it was.
 */
import { readdirSync } from 'node:fs';

import { beforeAll, describe, expect, it } from 'vitest';

import { openApi } from '../../src/cli/api.ts';
import { readGauntlet } from '../../src/cli/gauntlet/problems.ts';
import { attemptName, attemptsOf, runAttempts, type Result } from '../../src/cli/gauntlet/run.ts';
import { readLanguages } from '../../src/cli/program-file.ts';
import { projectFile } from '../support/project.ts';
import { useArena } from './hostile-suite.ts';

/** For all programs together; half of it on two idle cores. */
const BATCH_TIMEOUT_MS = 600_000;

const gauntlet = await readGauntlet(projectFile('gauntlet'));
const attempts = attemptsOf(gauntlet, /^/);
/** All languages; `shared` holds what several of them use. */
const languages = readdirSync(projectFile('languages')).filter((name) => name !== 'shared');

describe('the gauntlet', () => {
  const arena = useArena({ languages });
  const results = new Map<string, Result>();
  beforeAll(async () => {
    await using api = await openApi({ url: arena.service().url });
    for await (const result of runAttempts(api, attempts, await readLanguages(api)))
      results.set(attemptName(result.attempt), result);
  }, BATCH_TIMEOUT_MS);

  it.for(attempts.map(attemptName))('%s', (name, { skip }) => {
    const result = results.get(name);
    if (result === undefined) throw new Error('it has no result');
    const { attempt, ...rest } = result;
    skip(
      rest.end === 'not_run',
      `this host lacks what ${attempt.program.name} needs: ${rest.message}`,
    );
    expect(rest).toMatchObject({ end: 'passed' });
  });

  it('leaves the host as it was', async () => {
    await arena.guard().expectUnharmed();
  });
});

describe('the catalogue of hacks', () => {
  const tried = new Set(attempts.flatMap(({ program }) => program.hacks));
  const { hacks, notApplicable } = gauntlet.catalogue;

  it('has a program for each, or a reason why there is none', () => {
    expect([...hacks.keys()].filter((hack) => !tried.has(hack))).toEqual([]);
    const numbers = new Set([...hacks.keys(), ...notApplicable.map(({ hack }) => hack)]);
    const LAST = 131;
    const all = Array.from({ length: LAST }, (_, index) => String(index + 1));
    expect(all.filter((number) => !numbers.has(number))).toEqual([]);
  });

  it('tries every program', () => {
    const names = attempts.map(({ problem, program }) => `${problem}/${program.name}`);
    const files = gauntlet.problems.flatMap(({ name }) =>
      ['hacks', 'honest'].flatMap((kind) =>
        readdirSync(projectFile('gauntlet', name, kind)).map((file) => `${name}/${kind}/${file}`),
      ),
    );
    expect([...new Set(names)].toSorted()).toEqual(files.toSorted());
  });
});
