/** Builders for the catalog's tests. */
import { type Environment, LanguageDefinition } from '../domain/language.ts';

/** A complete language.json as parsed JSON, to be changed by a test. */
export function aDefinition(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const programs = {
    ok: 'accepted',
    'compile-error': 'compile_error',
    'runtime-error': 'runtime_error',
    'time-limit': 'time_limit',
    'memory-limit': 'memory_limit',
    'output-limit': 'output_limit',
    'fork-bomb': 'runtime_error',
  };
  const selfTests = Object.entries(programs).map(([name, expect]) => {
    const stdout = expect === 'accepted' ? '42\n' : '';
    return [name, { file: `selftest/${name}.x`, expect, stdout }];
  });
  return {
    id: 'toy',
    title: 'Toy',
    aliases: ['t'],
    sourceFile: 'main.x',
    probe: { program: '../shared/probe.mjs' },
    compile: null,
    run: { command: ['{tools.toy}', '{entry}'], needsSource: true },
    selfTests: Object.fromEntries(selfTests),
    ...changes,
  };
}

/** An environment over `aDefinition`. */
export function anEnvironment(changes: Record<string, unknown> = {}): Environment {
  const language = LanguageDefinition.parse(aDefinition(changes));
  return {
    id: language.id,
    language,
    toolchain: { version: '1.2', tools: { toy: '/opt/toy/bin/toy' }, mounts: [], packages: {} },
    fingerprint: 'sha256:0',
  };
}
