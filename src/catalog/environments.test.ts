/** Environments: variables, lists as arguments, own values, and names. */
import { describe, expect, it } from 'vitest';

import { environmentsOf, LanguageDefinition, namesOf } from '../domain/language.ts';
import { resolveLanguage, unfilledVars } from './environments.ts';
import { aDefinition } from './test-environment.ts';

function aLanguage(changes: Record<string, unknown>): LanguageDefinition {
  return LanguageDefinition.parse(aDefinition(changes));
}

const compile = {
  command: ['{tools.toy}', '--std={vars.STD}', '{vars.FLAGS}', '{entry}', '{other}'],
  artefacts: ['main'],
};
const two = [
  { id: 'toy1', aliases: ['t-one'], vars: { STD: '1', FLAGS: [] } },
  {
    id: 'toy2',
    title: 'Toy Two',
    vars: { STD: '2', FLAGS: ['-a', '-b'] },
    env: { MODE: 'std {vars.STD}' },
    extraMemoryMb: 64,
    probe: { program: '../shared/other.mjs' },
  },
];

describe('resolveLanguage', () => {
  const language = aLanguage({ compile, environments: two, env: { A: '{vars.STD}' } });
  const [first, second = first] = environmentsOf(language);

  it('fills variables; a list takes the place of its argument', () => {
    expect(resolveLanguage(language, first).compile?.command).toEqual([
      ...['{tools.toy}', '--std=1', '{entry}', '{other}'],
    ]);
    expect(resolveLanguage(language, second).compile?.command).toEqual([
      ...['{tools.toy}', '--std=2', '-a', '-b', '{entry}', '{other}'],
    ]);
  });

  it('fills the quicker compile step, too', () => {
    const quick = { args: ['-I{vars.STD}'], ifEntryHas: ['{vars.FLAGS}'] };
    const changed = aLanguage({ compile: { ...compile, quick }, environments: two });
    const [one, other = one] = environmentsOf(changed);
    expect(resolveLanguage(changed, one).compile?.quick).toEqual({ args: ['-I1'], ifEntryHas: [] });
    expect(resolveLanguage(changed, other).compile?.quick?.ifEntryHas).toEqual(['-a', '-b']);
  });

  it('puts own values in place and leaves the rest', () => {
    expect(resolveLanguage(language, first)).toMatchObject({
      title: 'Toy',
      env: { A: '1' },
      extraMemoryMb: 0,
      probe: { program: '../shared/probe.mjs' },
    });
    expect(resolveLanguage(language, second)).toMatchObject({
      title: 'Toy Two',
      env: { A: '2', MODE: 'std 2' },
      extraMemoryMb: 64,
      probe: { program: '../shared/other.mjs', args: [] },
    });
  });

  it('adds to the warm runtime and takes the place of self-tests', () => {
    const warm = { library: 'toy.so', imports: ['a'], coldWords: ['x'] };
    const ok = { file: 'selftest/ok.own.x', expect: 'accepted', stdout: '1\n' };
    const light = { imports: ['c'], unless: ['b'] };
    const own = { imports: ['b'], coldWords: ['y'], startLimitMs: 20_000, light };
    const environments = [{ id: 'toy1' }, { id: 'toy2', warm: own, selfTests: { ok } }];
    const lively = aLanguage({ warm, environments });
    const [plain, other] = environmentsOf(lively).map((each) => resolveLanguage(lively, each));
    expect(plain?.warm).toMatchObject({ imports: ['a'], coldWords: ['x'], startLimitMs: 10_000 });
    expect(other?.warm).toMatchObject({
      library: 'toy.so',
      imports: ['a', 'b'],
      coldWords: ['x', 'y'],
      startLimitMs: 20_000,
      light: { imports: ['a', 'c'], unless: ['b'] },
    });
    expect(other?.selfTests).toMatchObject({ ok, 'time-limit': { expect: 'time_limit' } });
  });

  it('does not depend on the other environments', () => {
    const alone = aLanguage({ compile, environments: two.slice(0, 1), env: { A: '{vars.STD}' } });
    expect(resolveLanguage(language, first)).toEqual(resolveLanguage(alone, first));
  });

  it('names a variable that an environment does not have', () => {
    const environments = [...two, { id: 'toy3', vars: { STD: '3' } }];
    const lacking = aLanguage({ compile, environments });
    expect(unfilledVars(lacking)).toEqual([{ environment: 'toy3', name: 'FLAGS' }]);
    expect(unfilledVars(language)).toEqual([]);
    const bare = aLanguage({ compile });
    expect(() => resolveLanguage(bare, environmentsOf(bare)[0])).toThrow('no vars.STD');
  });
});

describe('names', () => {
  it('a language without environments has one, with its id', () => {
    expect(environmentsOf(aLanguage({})).map(({ id }) => id)).toEqual(['toy']);
    expect([...namesOf(aLanguage({}))]).toEqual([
      ['toy', null],
      ['t', null],
    ]);
  });

  it('names of an environment mean the language with it; the language’s own mean the default', () => {
    const environments = [{ id: 'toy', aliases: ['t', 't1'] }, { id: 'toy2' }];
    expect(Object.fromEntries(namesOf(aLanguage({ environments })))).toEqual({
      toy: null,
      t: null,
      t1: 'toy',
      toy2: 'toy2',
    });
  });
});
