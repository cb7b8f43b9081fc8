/** Which runtime is kept warm, and which programs it may fork. */
import { describe, expect, it } from 'vitest';

import { LanguageDefinition, type Environment } from '../domain/language.ts';
import { isDoubtful, isLight, mayBeForked, warmRuntime } from './warm.ts';

function aLanguage(warm: object | null): LanguageDefinition {
  return LanguageDefinition.parse({
    id: 'snake',
    title: 'Snake',
    aliases: [],
    sourceFile: 'main.py',
    probe: { program: 'probe.ts' },
    compile: null,
    run: { command: ['{tools.snake}', '{entry}'], needsSource: true },
    env: { FIXED: '1' },
    seedVariable: 'SEED',
    warm,
    selfTests: {},
  });
}

const warm = { library: 'snake.so', imports: ['json', 're'], coldWords: ['reflect', 'sys.x'] };

function anEnvironment(language: LanguageDefinition): Environment {
  const toolchain = { version: '1', tools: { snake: '/usr/bin/snake' }, mounts: [], packages: {} };
  return { id: 'snake', language, toolchain, fingerprint: 'sha256:0' };
}

describe('warmRuntime', () => {
  it('is started as a run without arguments is, so that the command and the environment agree', () => {
    expect(warmRuntime(anEnvironment(aLanguage(warm)))).toMatchObject({
      library: 'snake.so',
      imports: ['json', 're'],
      argv: ['/usr/bin/snake', 'main.py'],
      env: { FIXED: '1', SEED: '0', HOME: '/work' },
    });
  });

  it('is null for a language without one', () => {
    expect(warmRuntime(anEnvironment(aLanguage(null)))).toBeNull();
  });
});

describe('mayBeForked', () => {
  const language = aLanguage(warm);
  const file = (path: string, text: string) => ({ path, content: Buffer.from(text) });

  it('looks at every source file for the words that a fork cannot imitate', () => {
    expect(mayBeForked([file('main.py', 'print(1)')], language)).toBe(true);
    expect(mayBeForked([file('main.py', 'import reflect')], language)).toBe(false);
    expect(mayBeForked([file('main.py', '1'), file('lib/a.py', 'sys.x')], language)).toBe(false);
  });

  it('does not look at data', () => {
    expect(mayBeForked([file('main.py', '1'), file('words.txt', 'reflect')], language)).toBe(true);
  });

  it('is false where there is no warm runtime', () => {
    expect(mayBeForked([file('main.py', '1')], aLanguage(null))).toBe(false);
  });
});

describe('isLight', () => {
  const light = { imports: ['json'], unless: ['pandas'] };
  const main = (text: string) => [{ path: 'main.py', content: Buffer.from(text) }];

  it('is a program that names none of the modules which the light runtime lacks', () => {
    const language = aLanguage({ ...warm, light });
    expect(isLight(main('import numpy'), language)).toBe(true);
    expect(isLight(main('import pandas'), language)).toBe(false);
  });

  it('is none where there is one runtime, or none', () => {
    expect(isLight(main('1'), aLanguage(warm))).toBe(false);
    expect(isLight(main('1'), aLanguage(null))).toBe(false);
  });

  it('has its modules beside those of the full one', () => {
    expect(warmRuntime(anEnvironment(aLanguage(warm)))?.lightImports).toBeNull();
    expect(warmRuntime(anEnvironment(aLanguage({ ...warm, light })))?.lightImports).toEqual([
      'json',
    ]);
  });
});

describe('isDoubtful', () => {
  const language = aLanguage({ ...warm, doubtfulSignals: [11] });
  const end = { forked: true, cause: 'signalled', signal: 11 } as const;

  it.each([
    [true, end],
    [true, { ...end, cause: 'wall', signal: 9 }],
    [false, { ...end, signal: 9 }],
    [false, { ...end, cause: 'exited', signal: null }],
    [false, { ...end, cause: 'memory' }],
    [false, { ...end, forked: false }],
    [false, { ...end, forked: false, cause: 'wall' }],
  ] as const)('is %s of %o', (expected, raw) => {
    expect(isDoubtful(raw, language)).toBe(expected);
  });

  it('is false where forks are as good as fresh ones', () => {
    expect(isDoubtful(end, aLanguage(warm))).toBe(false);
    expect(isDoubtful(end, aLanguage(null))).toBe(false);
  });
});
