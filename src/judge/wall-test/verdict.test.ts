/** What a test of a wall comes to: every way through is a hole, and nothing unsaid is taken for a refusal. */
import { describe, expect, it } from 'vitest';

import type { RawExit } from '../../domain/outcome.ts';
import { NO_RESULT } from '../../runner/result.ts';
import { judgeWall, NETWORK_ATTEMPTS, type Observed } from './verdict.ts';

function anExit(stdout: string, over: Partial<RawExit> = {}): RawExit {
  const texts = { stdout: Buffer.from(stdout), stderr: new Uint8Array(0), collected: [] };
  return { ...NO_RESULT, exitCode: 0, ...texts, ...over };
}

const killed = { cause: 'memory', exitCode: null, signal: 9 } as const;

/** A wall that holds, and says so of everything that it is asked. */
function aWhole(over: Partial<Observed> = {}): Observed {
  const whole: Observed = {
    tried: anExit(''),
    looked: anExit(''),
    memory: anExit('', killed),
    processes: anExit('children 15\n'),
    listened: NETWORK_ATTEMPTS,
    arrived: [],
    changed: null,
    processesMax: 16,
  };
  // Both runs may say everything: only what is expected of each is looked for.
  const said = anExit(
    judgeWall(whole)
      .tried.map((what) => `${what} refused EPERM\n`)
      .join(''),
  );
  return { ...whole, tried: said, looked: said, ...over };
}

const all = judgeWall(aWhole()).tried.filter((what) => !['memory', 'processes'].includes(what));
const lines = (of: (what: string) => string): RawExit =>
  anExit(all.map((what) => of(what)).join(''));

describe('judgeWall', () => {
  it('believes a wall of which everything was tried and nothing came', () => {
    expect(judgeWall(aWhole())).toMatchObject({ state: 'holds', holes: [], reason: null });
  });

  it.each(all)('%s open is a hole', (hole) => {
    const said = lines((what) => (what === hole ? `${what} open a way\n` : `${what} refused\n`));
    const found = judgeWall(aWhole({ tried: said, looked: said }));
    expect(found.state).toBe('fails');
    expect(found.holes).toContainEqual({ what: hole, detail: 'a way' });
  });

  it.each(all)('%s unsaid leaves it unknown', (missing) => {
    const said = lines((what) => (what === missing ? '' : `${what} refused\n`));
    const found = judgeWall(aWhole({ tried: said, looked: said }));
    expect(found).toMatchObject({ state: 'unknown', holes: [] });
    expect(found.reason).toContain(missing);
  });

  it.each(NETWORK_ATTEMPTS)('%s that arrived is a hole, whatever the program says', (what) => {
    expect(judgeWall(aWhole({ arrived: [what] })).holes).toEqual([
      { what, detail: 'it arrived on the host' },
    ]);
  });

  it.each<[string, Partial<Observed>, string]>([
    ['a changed folder', { changed: 'its file was written' }, 'fails'],
    ['memory past its limit', { memory: anExit('filled\n', { cause: 'wall' }) }, 'fails'],
    ['memory that was not filled in time', { memory: anExit('', { cause: 'wall' }) }, 'unknown'],
    [
      'memory on a machine that others had',
      { memory: anExit('filled\n', { cause: 'wall', starved: true }) },
      'unknown',
    ],
    ['memory that the kernel refuses', { memory: anExit('memory refused\n') }, 'holds'],
    ['as many processes as may be', { processes: anExit('children 15\n') }, 'holds'],
    ['one process too many', { processes: anExit('children 16\n') }, 'fails'],
    ['processes that met a limit', { processes: anExit('', { cause: 'processes' }) }, 'holds'],
    ['processes of which nothing is told', { processes: anExit('', { cause: 'wall' }) }, 'unknown'],
    ['a hole beside a doubt', { arrived: ['dns'], memory: anExit('') }, 'fails'],
    [
      'a program that did not start',
      { tried: anExit('', { cause: 'not_started', startErrno: 8 }) },
      'unknown',
    ],
  ])('%s', (_, over, state) => {
    expect(judgeWall(aWhole(over)).state).toBe(state);
  });

  it('does not miss what could not be listened for', () => {
    const listened = NETWORK_ATTEMPTS.filter((what) => !what.endsWith('6'));
    expect(judgeWall(aWhole({ listened })).tried).not.toContain('tcp6');
  });
});
