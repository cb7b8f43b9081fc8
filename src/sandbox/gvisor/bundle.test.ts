/** What a gVisor jail is made of: everything of the host read-only, and nothing but what was asked for. */
import { describe, expect, it } from 'vitest';

import type { JailPolicy } from '../port.ts';
import { toBundle, toTree } from './bundle.ts';

const POLICY: JailPolicy = {
  environment: 'python',
  mounts: [
    { kind: 'bind', source: '/usr/lib/python3', target: '/usr/lib/python3' },
    { kind: 'bind', source: '/opt/extra', target: '/usr/lib/python3/extra' },
    { kind: 'bind', source: '/usr/bin/python3', target: '/usr/bin/python3' },
    { kind: 'symlink', source: 'usr/lib', target: '/lib' },
    { kind: 'empty', target: '/home/none' },
  ],
  memoryMaxBytes: 1000,
  processesMax: 10,
  stagingBytes: 4096,
  warm: {
    library: '/assay/build/zygote.so',
    argv: ['/usr/bin/python3', 'main.py'],
    env: { TZ: 'UTC' },
    lightImports: null,
    imports: ['re'],
    preload: [{ source: '/host/module.py', target: '/assay/module.py' }],
    startLimitMs: 5000,
  },
};
const host = {
  supervisor: '/host/supervisor',
  tree: '/state/tree',
  cgroupArgs: ['--cgroup', 'v1'],
};

interface Bundle {
  readonly process: { readonly args: readonly string[]; readonly env: readonly string[] };
  readonly root: { readonly path: string };
  readonly mounts: readonly {
    readonly destination: string;
    readonly type: string;
    readonly source?: string;
    readonly options?: readonly string[];
  }[];
}

describe('toBundle', () => {
  // What was just written is read back.
  const bundle = JSON.parse(toBundle(POLICY, host)) as Bundle;

  it('starts the supervisor in the root of runs, with no environment', () => {
    expect(bundle.root.path).toBe('/state/tree');
    expect(bundle.process.env).toEqual([]);
    expect(bundle.process.args.slice(0, 9)).toEqual([
      ...['/run/supervisor', '--name', '@NAME@', '--root', 'own', '--uid', '1000'],
      ...['--cgroup', 'v1'],
    ]);
    expect(bundle.process.args).toContain('--warm-env');
  });

  it('mounts of the host what the policy names, all of it read-only', () => {
    const binds = bundle.mounts.filter(({ type }) => type === 'bind');
    expect(binds.map(({ source }) => source)).toEqual([
      ...['/host/supervisor', '/usr/lib/python3', '/opt/extra', '/usr/bin/python3'],
      ...['/assay/build/zygote.so', '/host/module.py'],
    ]);
    for (const { options } of binds)
      expect(options).toEqual(expect.arrayContaining(['ro', 'nosuid', 'nodev']));
    const others = bundle.mounts.filter(({ type }) => type !== 'bind');
    expect(others.map(({ destination, type }) => `${type} ${destination}`)).toEqual([
      ...['proc /proc', 'tmpfs /run', 'tmpfs /home/none'],
    ]);
  });

  it('refuses a target that is no plain absolute path', () => {
    const mounts = [{ kind: 'bind', source: '/a', target: '/b/../c' } as const];
    expect(() => toBundle({ ...POLICY, mounts }, host)).toThrow(RangeError);
  });
});

describe('toTree', () => {
  it('has a mount point like each source, but none below another mount, and the links last', () => {
    const entries = toTree(POLICY, (source) => source !== '/usr/bin/python3');
    const told = entries.map(({ kind, path }) => `${kind} ${path}`);
    expect(told).toEqual(
      expect.arrayContaining([
        ...['folder /proc', 'folder /run', 'folder /work', 'folder /tmp', 'folder /dev'],
        ...['file /etc/passwd', 'folder /usr/lib/python3', 'file /usr/bin/python3'],
        ...['folder /assay/warm.so', 'folder /home/none'],
      ]),
    );
    expect(told).not.toContain('folder /usr/lib/python3/extra');
    expect(entries.at(-1)).toEqual({ kind: 'link', path: '/lib', to: 'usr/lib' });
  });
});
