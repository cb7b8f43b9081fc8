/** Plans: placeholders, environment, files, and entries that try to be something else. */
import { describe, expect, it } from 'vitest';

import {
  COMMON_ENV,
  filesOfRun,
  planCompile,
  planQuickCompile,
  planRun,
  type PlannedProgram,
} from './plan.ts';
import { anEnvironment } from './test-environment.ts';

function aProgram(entry: string, ...others: string[]): PlannedProgram {
  const files = [entry, ...others].map((path) => ({ path, content: new Uint8Array(0) }));
  return { entry, files };
}

const COMPILED = {
  compile: { command: ['{tools.toy}', '-o', 'main', '{entry}'], artefacts: ['main', '{stem}.o'] },
  run: { command: ['./main'], needsSource: false },
};

describe('planRun', () => {
  it('fills the command, and adds the arguments', () => {
    const plan = planRun(anEnvironment(), aProgram('main.x'), { args: ['{entry}', '-v'] });
    expect(plan.argv).toEqual(['/opt/toy/bin/toy', 'main.x', '{entry}', '-v']);
  });

  it.each([
    ['main.x', 'main.x', 'main'],
    ['src/deep/main.x', 'src/deep/main.x', 'src/deep/main'],
    ['a.b.x', 'a.b.x', 'a.b'],
    ['dir.d/main', 'dir.d/main', 'dir.d/main'],
    ['-c', './-c', './-c'],
    ['-x/y.x', './-x/y.x', './-x/y'],
    ['@args', './@args', './@args'],
    ['.hidden', './.hidden', './.hidden'],
    ['a b.x', 'a b.x', 'a b'],
    ['é.x', './é.x', './é'],
    ['$(id).x', './$(id).x', './$(id)'],
    ['{tools.toy}', './{tools.toy}', './{tools'],
  ])('hands over the entry %s as %s, without extension %s', (entry, argument, stem) => {
    const environment = anEnvironment({
      run: { command: ['/x', '{entry}', '{stem}'], needsSource: true },
    });
    expect(planRun(environment, aProgram(entry)).argv).toEqual(['/x', argument, stem]);
  });

  it('leaves other braces alone', () => {
    const command = [
      '{tools.toy}',
      '--import=data:text/javascript,import{createRequire}from"m"',
      '{entry}',
    ];
    const environment = anEnvironment({ run: { command, needsSource: true } });
    expect(planRun(environment, aProgram('m.x')).argv[1]).toBe(command[1]);
  });

  it('tells a runtime how much memory and stack it may use', () => {
    const environment = anEnvironment({
      run: { command: ['/x', '-heap{memory_mb}m', '-stack{stack_mb}m'], needsSource: true },
      env: { HEAP: '{memory_mb}MiB' },
    });
    const memory = { memoryMb: 300, stackMb: 64 };
    const plan = planRun(environment, aProgram('main.x'), { memory });
    expect(plan.argv).toEqual(['/x', '-heap300m', '-stack64m']);
    expect(plan.env['HEAP']).toBe('300MiB');
  });

  it('refuses an entry that is no file, and a tool that was not found', () => {
    const program = { entry: 'other.x', files: aProgram('main.x').files };
    expect(() => planRun(anEnvironment(), program)).toThrow('the entry is no file');
    const environment = anEnvironment({ run: { command: ['{tools.none}'], needsSource: true } });
    expect(() => planRun(environment, aProgram('main.x'))).toThrow('no tools.none');
  });

  it('gives a fixed environment that a submission can add to and not change', () => {
    const environment = anEnvironment({
      env: { TOY_HOME: '{tools.toy}' },
      seedVariable: 'TOY_SEED',
    });
    const env = { HOME: '/root', EXTRA: '1', TOY_SEED: 'random', TOY_HOME: '/evil' };
    expect(planRun(environment, aProgram('main.x'), { env }).env).toEqual({
      ...COMMON_ENV,
      TOY_HOME: '/opt/toy/bin/toy',
      TOY_SEED: '0',
      EXTRA: '1',
    });
  });

  it.each([
    [null, '0'],
    [7, '7'],
    [4294967295, '4294967295'],
    [4294967296, '0'],
    [-1, '4294967295'],
  ])('carries the seed %s as %s', (seed, value) => {
    const environment = anEnvironment({ seedVariable: 'TOY_SEED' });
    expect(planRun(environment, aProgram('main.x'), { seed }).env['TOY_SEED']).toBe(value);
  });
});

describe('planCompile', () => {
  it('fills the command and names the artefacts', () => {
    const plan = planCompile(anEnvironment(COMPILED), aProgram('src/main.x'));
    expect(plan.argv).toEqual(['/opt/toy/bin/toy', '-o', 'main', 'src/main.x']);
    expect(plan.collect).toEqual(['main', 'src/main.o']);
    expect(plan.env).toEqual(COMMON_ENV);
  });

  it('tells the compiler its own memory, not the program’s', () => {
    const compile = { command: ['/x', '{memory_mb}'], artefacts: ['main'], memoryMb: 700 };
    const environment = anEnvironment({ compile });
    expect(planCompile(environment, aProgram('main.x')).argv).toEqual(['/x', '700']);
  });

  it('is a fault for a language without a compile step', () => {
    expect(() => planCompile(anEnvironment(), aProgram('main.x'))).toThrow('no compile step');
  });
});

describe('planQuickCompile', () => {
  const quick = (args: readonly string[], ifEntryHas: readonly string[], content: string) => {
    const compile = { ...COMPILED.compile, quick: { args, ifEntryHas } };
    const file = { path: 'main.x', content: Buffer.from(content) };
    const environment = anEnvironment({ ...COMPILED, compile });
    return planQuickCompile(environment, { entry: 'main.x', files: [file] })?.argv ?? null;
  };

  it('puts its arguments first where the main file has one of the texts', () => {
    const argv = ['/opt/toy/bin/toy', '-q', '/opt/toy/bin/toy/x', '-o', 'main', 'main.x'];
    expect(quick(['-q', '{tools.toy}/x'], ['<a>', '<b>'], 'use <b>')).toEqual(argv);
  });

  it('is left out otherwise, or when a tool is missing', () => {
    expect(quick(['-q'], ['<a>'], 'use <b>')).toBeNull();
    expect(quick(['-q'], [], 'use <b>')).toBeNull();
    expect(quick(['-q', '{tools.none}'], ['<b>'], 'use <b>')).toBeNull();
    expect(planQuickCompile(anEnvironment(COMPILED), aProgram('main.x'))).toBeNull();
    expect(planQuickCompile(anEnvironment(), aProgram('main.x'))).toBeNull();
  });
});

describe('filesOfRun', () => {
  it('leaves out the source only where a run does not need it', () => {
    const program = aProgram('main.x', 'data.txt');
    const paths = (changes: Record<string, unknown>) =>
      filesOfRun(anEnvironment(changes).language, program).map(({ path }) => path);
    expect(paths({})).toEqual(['main.x', 'data.txt']);
    expect(paths(COMPILED)).toEqual(['data.txt']);
    expect(paths({ ...COMPILED, run: { command: ['./main'], needsSource: true } })).toEqual([
      'main.x',
      'data.txt',
    ]);
  });
});
