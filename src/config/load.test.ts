/** Precedence, coercion and refusal of configuration values. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { loadConfig } from './load.ts';
import { CONFIG_KEYS, environmentName, environmentValue } from './schema.ts';

describe('loadConfig', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'assay-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = (value: unknown): string => {
    const name = path.join(folder, 'assay.json');
    writeFileSync(name, JSON.stringify(value));
    return name;
  };

  it('works with nothing configured', () => {
    const { config, sources } = loadConfig({ environment: { PATH: '/bin' } });
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, cgroup: 'auto' });
    expect(sources.get('port')).toBeUndefined();
  });

  it('takes flags over environment over file, and says where each came from', () => {
    const { config, sources } = loadConfig({
      flags: { port: '9001' },
      environment: { ASSAY_PORT: '9002', ASSAY_SLOTS: '3', ASSAY_REQUIRE: 'memory,network' },
      file: file({ port: 9003, slots: 4, queueLength: 5 }),
    });
    expect(config).toMatchObject({ port: 9001, slots: 3, queueLength: 5 });
    expect(config.require).toEqual(['memory', 'network']);
    expect(Object.fromEntries(sources)).toMatchObject({
      port: 'flag',
      slots: 'environment',
      queueLength: 'file',
    });
  });

  it.each(['none', ' none '])(
    'takes %j for an empty list, since an empty variable is none',
    (text) => {
      expect(loadConfig({ environment: { ASSAY_REQUIRE: text } }).config.require).toEqual([]);
      const unset = loadConfig({ environment: { ASSAY_REQUIRE: '' } }).config;
      expect(unset.require).toEqual(loadConfig({ environment: {} }).config.require);
    },
  );

  it.each([
    {},
    { require: [], pin: false, stateDir: '/a b', queueLength: 0, host: '::1' },
    { languages: ['cpp', 'py'] },
  ])('takes back its values as variables and as a file: %o', (values) => {
    const { config } = loadConfig({ environment: {}, file: file(values) });
    const environment = Object.fromEntries(
      CONFIG_KEYS.map((key) => [environmentName(key), environmentValue(config[key])]),
    );
    expect(loadConfig({ environment }).config).toEqual(config);
    expect(loadConfig({ environment: {}, file: file(config) }).config).toEqual(config);
    const printed = file({ config, sources: {} });
    expect(loadConfig({ environment: {}, file: printed }).config).toEqual(config);
  });

  it.each([
    [{ environment: { ASSAY_PORT: 'eighty' } }, /ASSAY_PORT \(from environment\)/],
    [{ environment: { ASSAY_PORT: '65536' } }, /ASSAY_PORT/],
    [{ environment: { ASSAY_PROT: '80' } }, /ASSAY_PROT is not a setting/],
    [{ environment: { ASSAY_REQUIRE: 'memory,luck' } }, /ASSAY_REQUIRE/],
    [{ environment: {}, flags: { cgroup: 'v3' } }, /cgroup \(from flag\)/],
    [{ environment: { ASSAY_LANGUAGES: 'none' } }, /ASSAY_LANGUAGES.*at least one language/],
    [{ environment: { ASSAY_LANGUAGES: 'all,cpp' } }, /ASSAY_LANGUAGES.*all stands alone/],
  ])('refuses %o', (input, message) => {
    expect(() => loadConfig(input)).toThrow(message);
  });

  it('refuses unknown keys and unreadable files by name', () => {
    expect(() => loadConfig({ environment: {}, file: file({ prot: 1 }) })).toThrow(/prot/);
    expect(() => loadConfig({ environment: {}, file: '/nowhere.json' })).toThrow(/nowhere/);
  });
});

describe('environmentName', () => {
  it('is the key in upper snake case', () => {
    expect(environmentName('queueLength')).toBe('ASSAY_QUEUE_LENGTH');
  });
});
