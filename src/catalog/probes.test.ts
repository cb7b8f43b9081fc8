/** The repository's probes on this host: what they find is minimal, ordered and there. Arranging mounts as a table. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { arrange, type Mount } from '../../languages/shared/host.ts';
import type { Interpreter } from '../../languages/shared/python-interpreter.ts';
import { locatePackages, packageSet } from '../../languages/shared/python-packages.ts';
import { loadCatalog } from './load.ts';

const bind = (target: string, source = target): Mount => ({ kind: 'bind', source, target });
const link = (target: string, source: string): Mount => ({ kind: 'symlink', source, target });
const empty = (target: string): Mount => ({ kind: 'empty', target });

describe('arrange', () => {
  it.each<[string, Mount[], Mount[]]>([
    [
      'parents first',
      [bind('/usr/lib/gcc'), bind('/usr/bin')],
      [bind('/usr/bin'), bind('/usr/lib/gcc')],
    ],
    [
      'no bind that a parent shows',
      [bind('/a/b/c'), bind('/a'), bind('/ab')],
      [bind('/a'), bind('/ab')],
    ],
    [
      'a bind of something else beneath',
      [bind('/a/b', '/x'), bind('/a')],
      [bind('/a'), bind('/a/b', '/x')],
    ],
    ['each target once', [bind('/a'), bind('/a', '/x')], [bind('/a')]],
    [
      'no link into a bind',
      [bind('/a'), link('/a/l', 'x'), link('/l', 'x')],
      [bind('/a'), link('/l', 'x')],
    ],
    ['an empty folder in a bind', [empty('/a/e'), bind('/a')], [bind('/a'), empty('/a/e')]],
  ])('gives %s', (_name, mounts, wanted) => {
    expect(arrange(mounts)).toEqual(wanted);
  });
});

describe('sets of Python packages', () => {
  const aPython = (version: string): Interpreter => ({
    implementation: 'cpython',
    version,
    executable: '/opt/toy/bin/python3',
    prefix: '/opt/toy',
    libraries: [],
    packages: '/opt/toy/lib/toy/site-packages',
  });

  it('lie in the interpreter’s own folder of a jail, with one version for all', () => {
    const [old, recent] = [aPython('3.10.1'), aPython('3.13.0')];
    const set = packageSet('scientific', old);
    expect(set.target).toBe('/opt/python/lib/toy/site-packages');
    expect(set.versions).toEqual(packageSet('scientific', recent).versions);
    expect(Object.keys(set.versions)).toEqual(
      expect.arrayContaining(['numpy', 'pandas', 'scipy', 'sympy']),
    );
  });

  it('that are not installed name the command that does it', () => {
    const { reason } = locatePackages(packageSet('scientific', aPython('3.12.0')));
    expect(reason).toBe(
      'its packages are not installed: npm run packages, then restart the service',
    );
  });

  it('for another Python are not there, with the reason', () => {
    expect(() => packageSet('scientific', aPython('3.9.2'))).toThrow(
      'its packages are for Python 3.10, 3.11, 3.12, 3.13, and the Python here is 3.9',
    );
  });
});

/** All probes at once on a busy machine: GCC's and Python's first start take seconds then. */
const PROBES_MS = 60_000;

describe('the probes of this repository', { timeout: PROBES_MS }, () => {
  const catalog = loadCatalog({
    languagesDir: join(import.meta.dirname, '../../languages'),
    nodePath: process.execPath,
    path: '/usr/local/bin:/usr/bin:/bin',
    home: '/nonexistent',
    python: '',
    runnerVersion: '1',
    cacheFile: null,
  });
  const offered = catalog.then((entries) => entries.flatMap(({ environments }) => environments));

  it('find a toolchain or give a reason', async () => {
    for (const { environment, reason, choice } of await offered) {
      expect(environment === null).toBe(reason !== null);
      if (environment === null) continue;
      expect(existsSync(choice?.program ?? '')).toBe(true);
      const { version, tools } = environment.toolchain;
      expect(version).toMatch(/^\d+\.\d+/);
      for (const path of Object.values(tools)) expect(path).toMatch(/^\//);
    }
  });

  it('mount what exists, parents first, and nothing of the host’s homes, configuration or data', async () => {
    for (const { environment } of await offered) {
      const mounts = environment?.toolchain.mounts ?? [];
      const targets = mounts.map(({ target }) => target);
      expect(targets).toEqual(targets.toSorted((a, b) => (a < b ? -1 : 1)));
      expect(new Set(targets).size).toBe(targets.length);
      for (const mount of mounts) {
        expect(mount.target).not.toMatch(
          /^\/(?:etc|home|root|var|run|proc|sys|dev|work|tmp)(?:\/|$)/,
        );
        if (mount.kind !== 'bind') continue;
        expect(existsSync(mount.source)).toBe(true);
        expect(['/', '/usr', '/usr/lib', '/usr/local', '/usr/share']).not.toContain(mount.source);
        expect(mount.source).not.toMatch(/(?:site|dist)-packages/);
      }
    }
  });

  it('say so where a toolchain is not on PATH, or not prepared', async () => {
    const entries = await loadCatalog({
      languagesDir: join(import.meta.dirname, '../../languages'),
      nodePath: process.execPath,
      path: '/nonexistent',
      home: '/nonexistent',
      python: '',
      runnerVersion: '1',
      cacheFile: null,
    });
    const reasonOf = (id: string) =>
      entries.find(({ definition }) => definition.id === id)?.environments[0].reason;
    expect(reasonOf('go')).toBe('no go on PATH');
    expect(reasonOf('rust')).toBe('no rustc on PATH');
    // A distribution's JDK is found without PATH.
    expect(reasonOf('java') ?? '').toMatch(/^(?:no javac on PATH|no JDK 17|set-up has not|$)/);
    expect(reasonOf('javascript')).toBeNull();
  });

  it('refuse a Python that does not exist, by name', async () => {
    const entries = await loadCatalog({
      languagesDir: join(import.meta.dirname, '../../languages'),
      nodePath: process.execPath,
      path: '/usr/bin',
      home: '/nonexistent',
      python: '/nonexistent/python3',
      runnerVersion: '1',
      cacheFile: null,
    });
    const python = entries.find(({ definition }) => definition.id === 'python');
    expect(python?.environments[0].reason).toBe(
      'no usable Python 3.9 or newer: /nonexistent/python3 does not exist',
    );
  });
});
