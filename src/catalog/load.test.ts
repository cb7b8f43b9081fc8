/** The catalog over real folders with real probes; toolchains are small scripts. */
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { CatalogError } from './definitions.ts';
import { type CatalogOptions, loadCatalog } from './load.ts';
import { aDefinition } from './test-environment.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** A probe that finds a toy, counts its runs and prints what it sees. */
const FINDS = `
import { appendFileSync } from 'node:fs';
appendFileSync(process.argv[2], 'run ');
console.log(JSON.stringify({
  version: '1.2', tools: { toy: '/opt/toy' }, mounts: [], watch: [process.argv[3]],
  packages: { env: Object.keys(process.env).toSorted().join(' '), home: process.env.HOME },
}));`;

async function aLanguage(
  id: string,
  options: { probe?: string; changes?: Record<string, unknown> } = {},
) {
  await mkdir(join(folder, id), { recursive: true });
  const args = [join(folder, 'runs'), join(folder, 'toolchain')];
  const probe = { program: 'probe.mjs', args };
  const definition = aDefinition({ id, aliases: [`${id}-alias`], probe, ...options.changes });
  await writeFile(join(folder, id, 'language.json'), JSON.stringify(definition));
  await writeFile(join(folder, id, 'probe.mjs'), options.probe ?? FINDS);
}

function load(changes: Partial<CatalogOptions> = {}) {
  return loadCatalog({
    languagesDir: folder,
    nodePath: process.execPath,
    path: '/usr/bin:/bin',
    home: '/nonexistent',
    python: '',
    runnerVersion: '1',
    cacheFile: join(folder, 'cache', 'catalog.json'),
    ...changes,
  });
}

/** The default environment of the first language, with its reason. */
const first = async (changes: Partial<CatalogOptions> = {}) =>
  (await load(changes))[0]?.environments[0];

const runs = async () => (await readFile(join(folder, 'runs'), 'utf8')).trim().split(' ').length;

describe('loadCatalog', { timeout: 60_000 }, () => {
  it('gives an environment, probed with an environment of its own', async () => {
    await aLanguage('toy');
    const entry = await first({ python: '/opt/py' });
    expect(entry).toMatchObject({ reason: null, environment: { id: 'toy' } });
    expect(entry?.environment?.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(entry?.environment?.toolchain).toEqual({
      version: '1.2',
      tools: { toy: '/opt/toy' },
      mounts: [],
      packages: {
        env: 'ASSAY_PROBE_LIMIT_MS ASSAY_PROBE_TRIES_LEFT ASSAY_PYTHON HOME LANG LC_ALL PATH',
        home: '/nonexistent',
      },
    });
  });

  it.each([
    ['fails', 'process.stderr.write("no toy on PATH\\nmore"); process.exit(1)', 'no toy on PATH'],
    ['says nothing', 'process.exit(3)', 'the toolchain probe failed'],
    ['prints no JSON', 'console.log("hello")', 'did not print JSON'],
    ['prints something else', 'console.log("{}")', "the toolchain probe's version"],
    ['never ends', 'setInterval(() => {}, 1000)', 'did not end within 4000 ms'],
    ['floods', 'for (;;) process.stdout.write("x".repeat(65536))', 'the toolchain probe'],
    [
      'misses a tool',
      'console.log(JSON.stringify({ version: "1", tools: {}, mounts: [], packages: {}, watch: [] }))',
      'found no toy',
    ],
  ])('makes a language unavailable whose probe %s', async (_name, probe, reason) => {
    await aLanguage('toy', { probe });
    await aLanguage('good');
    const entries = await load({ timeoutsMs: [4000] });
    const offered = entries.flatMap(({ environments }) => environments);
    expect(offered.map(({ environment }) => environment?.id)).toEqual(['good', undefined]);
    expect(offered[1]?.reason).toContain(reason);
  });

  it('tries a probe again that did not end, with more time, and says so', async () => {
    const probe = `
      import { appendFileSync, readFileSync } from 'node:fs';
      appendFileSync(process.argv[2], 'run ');
      if (readFileSync(process.argv[2], 'utf8') === 'run ') setInterval(() => {}, 1000);
      else console.log('{"version":"1.2","tools":{"toy":"/t"},"mounts":[],"packages":{},"watch":[]}');`;
    await aLanguage('toy', { probe });
    const late: unknown[] = [];
    const onLate = (event: unknown): void => void late.push(event);
    const [entry] = await load({ timeoutsMs: [2000, 30_000], onLate });
    expect(entry?.environments[0].environment?.toolchain.version).toBe('1.2');
    expect(late).toEqual([{ language: 'toy', timeoutMs: 2000, nextTimeoutMs: 30_000 }]);
    expect(await runs()).toBe(2);
  });

  it('tries a probe again of which a command took too long', async () => {
    const host = JSON.stringify(join(import.meta.dirname, '../../languages/shared/host.ts'));
    const probe = `
      import { appendFileSync, readFileSync } from 'node:fs';
      import { output, runProbe } from ${host};
      appendFileSync(process.argv[2], 'run ');
      const isFirst = readFileSync(process.argv[2], 'utf8') === 'run ';
      runProbe(() => {
        output('/bin/sleep', [isFirst ? '60' : '0']);
        return { version: '1.2', tools: { toy: '/t' }, mounts: [], packages: {}, watch: [] };
      });`;
    await aLanguage('toy', { probe });
    const late: unknown[] = [];
    const onLate = (event: unknown): void => void late.push(event);
    const entry = (await load({ timeoutsMs: [6000, 30_000], onLate }))[0]?.environments[0];
    expect(entry).toMatchObject({ reason: null, environment: { id: 'toy' } });
    expect(late).toHaveLength(1);
    expect(await runs()).toBe(2);
  });

  it('gives a probe up that never ends, and names every limit it had', async () => {
    await aLanguage('toy', { probe: 'setInterval(() => {}, 1000)' });
    const entry = await first({ timeoutsMs: [200, 300] });
    expect(entry?.reason).toBe(
      'the toolchain probe did not end within 200 ms, then not within 300 ms',
    );
  });

  it('probes and offers only what is to be served, by any of its names', async () => {
    await aLanguage('one');
    await aLanguage('two');
    await aLanguage('three');
    const entries = await load({ languages: ['ONE-alias', 'three'] });
    expect(entries.map(({ environments: [{ reason }] }) => reason)).toEqual([
      null,
      null,
      'not served: this service is configured for one, three',
    ]);
    expect(entries[2]?.definition.id).toBe('two');
    expect(await runs()).toBe(2);
  });

  it('refuses a name to serve that means no language, and lists those there are', async () => {
    await aLanguage('one');
    await aLanguage('two');
    await expect(load({ languages: ['one', 'tow'] })).rejects.toThrow(
      'no language tow; there are one, two',
    );
  });

  it('remembers what was found until a watched path, the probe or its environment changes', async () => {
    await aLanguage('toy');
    const before = await load();
    expect(await load()).toEqual(before);
    expect(await runs()).toBe(1);
    await writeFile(join(folder, 'toolchain'), 'installed');
    await load();
    expect(await runs()).toBe(2);
    await utimes(join(folder, 'toolchain'), 1, 1);
    await load();
    expect(await runs()).toBe(3);
    await load({ path: '/bin' });
    expect(await runs()).toBe(4);
    await load({ path: '/bin' });
    expect(await runs()).toBe(4);
    await utimes(join(folder, 'toy', 'probe.mjs'), 1, 1);
    await load({ path: '/bin' });
    expect(await runs()).toBe(5);
  });

  it('looks for a missing toolchain again, and outlives a broken cache', async () => {
    await aLanguage('toy', { probe: 'process.exit(1)' });
    expect((await first())?.environment).toBeNull();
    await aLanguage('toy');
    expect((await first())?.environment).not.toBeNull();
    await writeFile(join(folder, 'cache', 'catalog.json'), '{"version":1,"entries":{"toy":{}}}');
    expect((await first())?.environment).not.toBeNull();
    expect(
      (await first({ cacheFile: join(folder, 'toy', 'probe.mjs', 'catalog.json') }))?.environment,
    ).not.toBeNull();
  });

  it('changes the fingerprint with the definition, the versions and the runner, and nothing else', async () => {
    await aLanguage('toy');
    const fingerprint = async (changes: Partial<CatalogOptions> = {}) =>
      (await first({ cacheFile: null, ...changes }))?.environment?.fingerprint;
    const before = await fingerprint();
    expect(await fingerprint({ path: '/bin' })).toBe(before);
    expect(await fingerprint({ runnerVersion: '2' })).not.toBe(before);
    await aLanguage('toy', { probe: FINDS.replace("'1.2'", "'1.3'") });
    expect(await fingerprint()).not.toBe(before);
    await aLanguage('toy', { changes: { env: { A: '1' } } });
    expect(await fingerprint()).not.toBe(before);
  });

  it('offers several environments over one probe, each with its own fingerprint', async () => {
    const environments = [
      { id: 'toy1', vars: { V: '1' }, needs: ['one'] },
      { id: 'toy2', vars: { V: '2' }, needs: ['two'] },
      { id: 'toy3', vars: { V: '3' }, needs: ['three'] },
    ];
    const run = { command: ['{tools.toy}', '{vars.V}'], needsSource: true };
    const features = "features: { one: null, two: 'it has no two' }, packages:";
    const probe = FINDS.replace('packages:', features);
    await aLanguage('toy', { probe, changes: { environments, run } });
    const [entry] = await load();
    expect(entry?.environments.map(({ reason }) => reason)).toEqual([
      null,
      'it has no two',
      'the toolchain probe did not look for three',
    ]);
    expect(entry?.environments[0].environment?.language.run.command).toEqual(['{tools.toy}', '1']);
    expect(await runs()).toBe(1);
    const before = await first();
    const changed = environments.with(1, { id: 'toy2', vars: { V: '4' }, needs: ['one'] });
    await aLanguage('toy', { probe, changes: { environments: changed, run } });
    const after = (await load())[0]?.environments;
    expect(after?.[0].environment?.fingerprint).toBe(before?.environment?.fingerprint);
    expect(after?.[1]?.environment?.fingerprint).not.toBe(before?.environment?.fingerprint);
  });

  it('gives an environment with a probe of its own its own toolchain', async () => {
    const args = [join(folder, 'runs'), join(folder, 'toolchain')];
    const own = { program: 'own.mjs', args };
    await aLanguage('toy', { changes: { environments: [{ id: 'a' }, { id: 'b', probe: own }] } });
    await writeFile(join(folder, 'toy', 'own.mjs'), FINDS.replace("'1.2'", "'9'"));
    const [entry] = await load();
    expect(entry?.environments.map(({ environment }) => environment?.toolchain.version)).toEqual([
      '1.2',
      '9',
    ]);
  });

  it('ends with all mistakes when definitions are wrong', async () => {
    await aLanguage('one', { changes: { aliases: ['x', 'two'], title: 3 } });
    await aLanguage('two', { changes: { aliases: ['x'] } });
    await aLanguage('three', { changes: { aliases: ['x'] } });
    const failure = await load().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CatalogError);
    expect(String(failure)).toContain('one/language.json: title: ');
    expect(String(failure)).toContain('languages/two: the name x is taken by languages/three');
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await expect(load()).rejects.toThrow('holds no language.json');
  });
});
