/** Finding one's own groups, and what a jail's group is made of on v1 and v2. */
import { describe, expect, it } from 'vitest';

import { parseCgroup, parseMountinfo, toFolder } from './mounts.ts';
import { findV1Folders, toV1JailGroup } from './v1.ts';
import { toV2JailGroup } from './v2.ts';

const MOUNTINFO = `25 20 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
26 25 0:23 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory
27 25 0:24 /docker/ab /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
28 25 0:25 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
29 25 0:26 / /sys/fs/cgroup/uni\\040fied rw - cgroup2 cgroup2 rw,nsdelegate
`;
const CGROUP =
  '4:memory:/api/x\n3:pids:/docker/ab/c\n2:cpu,cpuacct:/other\n1:name=systemd:/\n0::/s\n';
const view = { mounts: parseMountinfo(MOUNTINFO), paths: parseCgroup(CGROUP) };
const spec = { memoryMaxBytes: 1000, processesMax: 50, supervisorUid: 100_016 };

describe('where the service sits', () => {
  it('is read from mountinfo and cgroup', () => {
    expect(findV1Folders(view, undefined)).toEqual({
      memory: '/sys/fs/cgroup/memory/api/x',
      pids: '/sys/fs/cgroup/pids/c',
      cpuacct: '/sys/fs/cgroup/cpu,cpuacct/other',
    });
    expect(view.mounts.find(({ type }) => type === 'cgroup2')?.mountPoint).toBe(
      '/sys/fs/cgroup/uni fied',
    );
    expect(view.paths.get('')).toBe('/s');
  });

  it('is the mount point when the path lies outside of what is mounted', () => {
    const mount = {
      mountPoint: '/m',
      root: '/docker/ab',
      type: 'cgroup',
      controllers: [],
    } as const;
    expect(toFolder(mount, '/docker')).toBe('/m');
    expect(toFolder(mount, '/docker/ab')).toBe('/m');
  });

  it('says which controller is missing', () => {
    const mounts = view.mounts.filter(({ controllers }) => !controllers.includes('pids'));
    expect(() => findV1Folders({ ...view, mounts }, undefined)).toThrow(/controller pids/);
  });
});

describe('a group of a jail', () => {
  it('on v1 has caps above and all processes below', () => {
    const { records, args, fds } = toV1JailGroup(spec, true);
    expect(records.slice(0, 4)).toEqual([
      { kind: 'write', parent: 0, path: 'memory.swappiness', value: '0' },
      { kind: 'write', parent: 0, path: 'memory.limit_in_bytes', value: '1000' },
      { kind: 'write', parent: 0, path: 'memory.memsw.limit_in_bytes', value: '1000' },
      { kind: 'write', parent: 1, path: 'pids.max', value: '50' },
    ]);
    expect(records.slice(-3)).toEqual(
      [0, 1, 2].map((parent) => ({ kind: 'join', parent, path: 'run' })),
    );
    expect(args.slice(0, 4)).toEqual(['--cgroup', 'v1', '--fd-cpu', '16']);
    expect(fds).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24]);
  });

  it('of a sandbox whose processes are not the runs’ has caps and figures, and no limit of a run', () => {
    const has = { peak: true, swap: true };
    const opaque = { ...spec, isOpaque: true };
    for (const { records, args } of [toV1JailGroup(opaque, true), toV2JailGroup(opaque, has)]) {
      expect(args.filter((word) => word.startsWith('--fd-')).toSorted()).toEqual([
        ...['--fd-cpu', '--fd-memory-peak', '--fd-memory-stat', '--fd-memory-usage'],
      ]);
      const caps = records.flatMap((record) => (record.kind === 'write' ? [record.value] : []));
      expect(caps).toEqual(expect.arrayContaining(['1000', '50']));
      expect(records.at(-1)?.kind).toBe('join');
      expect(records.some(({ kind }) => kind === 'chown')).toBe(false);
    }
  });

  it('on v2 delegates to the supervisor exactly what cloning into a group needs', () => {
    const { records, args } = toV2JailGroup(spec, { peak: true, swap: true });
    expect(records.filter(({ kind }) => kind === 'chown')).toEqual([
      { kind: 'chown', parent: 0, uid: 100_016, path: 'cgroup.procs' },
      { kind: 'chown', parent: 0, uid: 100_016, path: 'run/cgroup.procs' },
    ]);
    expect(records.at(-1)).toEqual({ kind: 'join', parent: 0, path: 'sup' });
    expect(args).toContain('--fd-memory-peak');
    const lean = toV2JailGroup(spec, { peak: false, swap: false });
    expect(lean.args).not.toContain('--fd-memory-peak');
    expect(lean.records.some((record) => 'path' in record && record.path.includes('swap'))).toBe(
      false,
    );
  });
});
