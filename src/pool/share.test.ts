/** Sharing of jails: by language and by everything a jail is made of. */
import { describe, expect, it } from 'vitest';

import { type Environment, LanguageDefinition } from '../domain/language.ts';
import type { JailPolicy } from '../sandbox/port.ts';
import { shareJails } from './share.ts';

function anEnvironment(id: string, language: string, mounts: readonly string[]): Environment {
  const definition = {
    ...{ id: language, title: language, aliases: [], sourceFile: 'main', compile: null },
    ...{ probe: { program: 'p' }, run: { command: ['./x'], needsSource: true }, selfTests: {} },
  };
  return {
    id,
    language: LanguageDefinition.parse(definition),
    toolchain: {
      ...{ version: '1', tools: {}, packages: {} },
      mounts: mounts.map((path) => ({ kind: 'bind', source: path, target: path })),
    },
    fingerprint: `sha256:${id}`,
  };
}

const toPolicy = (environment: Environment): JailPolicy => ({
  environment: environment.id,
  mounts: environment.toolchain.mounts,
  memoryMaxBytes: 1,
  processesMax: 1,
  stagingBytes: 1,
  warm: null,
});

const shares = (...environments: readonly Environment[]) =>
  shareJails(environments, toPolicy).map((share) => [
    share.policy.environment,
    share.environments.map(({ id }) => id),
  ]);

describe('shareJails', () => {
  it('joins environments of one language with equal jails, and names the share by the language', () => {
    const toy = ['a1', 'a2', 'a3'].map((id) => anEnvironment(id, 'a', ['/usr/lib']));
    expect(shares(...toy)).toEqual([['a', ['a1', 'a2', 'a3']]]);
  });

  it('keeps apart what has other mounts, and names these by their first environment', () => {
    const plain = anEnvironment('a1', 'a', ['/usr/lib']);
    const own = anEnvironment('a2', 'a', ['/usr/lib', '/opt/wheels']);
    const third = anEnvironment('a3', 'a', ['/usr/lib']);
    expect(shares(plain, own, third)).toEqual([
      ['a1', ['a1', 'a3']],
      ['a2', ['a2']],
    ]);
  });

  it('never joins two languages', () => {
    expect(shares(anEnvironment('a', 'a', ['/x']), anEnvironment('b', 'b', ['/x']))).toEqual([
      ['a', ['a']],
      ['b', ['b']],
    ]);
  });
});
