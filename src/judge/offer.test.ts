/** What callers' words for language and environment mean, and what is answered when they mean nothing. */
import { describe, expect, it } from 'vitest';

import { Rejection } from '../domain/errors.ts';
import { type CatalogEntry, environmentsOf, LanguageDefinition } from '../domain/language.ts';
import { Offer } from './offer.ts';

/** `toy` with toy1 (default), toy2, and toy3 that this host cannot do. */
function aCatalog(): readonly CatalogEntry[] {
  const definition = LanguageDefinition.parse({
    ...{ id: 'toy', title: 'Toy', aliases: ['t'], sourceFile: 'main', compile: null },
    ...{ probe: { program: 'p' }, run: { command: ['./x'], needsSource: true }, selfTests: {} },
    environments: [
      { id: 'toy1', aliases: ['t1'] },
      { id: 'toy2', aliases: ['t2'], title: 'Toy Two' },
      { id: 'toy3', aliases: ['t3'] },
    ],
  });
  const toolchain = { version: '1', tools: {}, mounts: [], packages: { toy: '1' } };
  const [first, ...others] = environmentsOf(definition).map((each) => {
    const environment = { id: each.id, language: definition, toolchain, fingerprint: each.id };
    return each.id === 'toy3'
      ? { definition: each, environment: null, reason: 'too old' }
      : { definition: each, environment, reason: null };
  });
  if (first === undefined) throw new Error('no environment');
  return [{ definition, environments: [first, ...others] }];
}

const ask = (offer: Offer, language: string, environment: string | null = null): string => {
  try {
    return offer.resolve({ language, environment }).environment.id;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return `${error.code}: ${error.context.detail}`;
  }
};

describe('Offer', () => {
  it.each([
    ['toy', null, 'toy1'],
    ['T', null, 'toy1'],
    ['toy1', null, 'toy1'],
    ['t2', null, 'toy2'],
    ['toy', 'toy2', 'toy2'],
    ['toy', 'T2', 'toy2'],
    ['toy', 'toy', 'toy1'],
    ['t2', 'toy2', 'toy2'],
    ['toys', null, 'unknown_language: unknown language; this service has toy'],
    ['toy', 'cpp', 'unknown_environment: unknown environment; toy has toy1, toy2, toy3'],
    [
      't2',
      'toy1',
      'unknown_environment: the language already means environment toy2; ask for toy to have another',
    ],
    ['t3', null, 'language_unavailable: toy (toy3) is not available on this host: too old'],
    ['toy', 'toy3', 'language_unavailable: toy (toy3) is not available on this host: too old'],
  ])('takes language %s with environment %s for %s', (language, environment, answer) => {
    expect(ask(new Offer(aCatalog()), language, environment)).toBe(answer);
  });

  it('tells of every environment, with the reason of one that is not there', () => {
    const info = new Offer(aCatalog()).language('t1');
    expect(info).toMatchObject({ id: 'toy', aliases: ['t'], available: true, reason: null });
    expect(info?.environments).toMatchObject([
      { id: 'toy1', title: 'Toy', aliases: ['t1'], available: true, fingerprint: 'toy1' },
      { id: 'toy2', title: 'Toy Two', reason: null, packages: { toy: '1' } },
      { id: 'toy3', available: false, reason: 'too old', fingerprint: null, packages: {} },
    ]);
  });

  it('refuses an environment that failed its self-test, and only that', () => {
    const offer = new Offer(aCatalog());
    offer.refuse('toy1', 'it cannot add');
    expect(ask(offer, 'toy')).toBe(
      'language_unavailable: toy is not available on this host: it cannot add',
    );
    expect(ask(offer, 'toy', 'toy2')).toBe('toy2');
    expect(offer.languages()[0]).toMatchObject({ available: false, reason: 'it cannot add' });
  });
});
