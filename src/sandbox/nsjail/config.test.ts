/** The whole of what a jail may see, as nsjail is told it. */
import { describe, expect, it } from 'vitest';

import { toNsjailConfig } from './config.ts';
import { toJailIds } from './nsjail.ts';

const MIB = 1024 * 1024;
const policy = {
  environment: 'python-3.12',
  mounts: [
    { kind: 'bind', source: '/opt/py', target: '/usr/python' },
    { kind: 'empty', target: '/usr/python/lib/site-packages' },
    { kind: 'symlink', source: 'usr/lib', target: '/lib' },
  ],
  memoryMaxBytes: 512 * MIB,
  processesMax: 64,
  stagingBytes: MIB,
  warm: null,
} as const;
const host = {
  supervisor: '/srv/assay/supervisor',
  confine: '/srv/assay/confine',
  ids: { outside: 100_016, hasRunId: true },
  hasAutogroup: true,
  cgroupArgs: ['--cgroup', 'v1', '--fd-cpu', '16'],
  fds: [16],
};

describe('toNsjailConfig', () => {
  it('is this text for a jail with ids of its own', () => {
    expect(toNsjailConfig(policy, host)).toMatchInlineSnapshot(`
      "name: "@NAME@"
      description: "python-3.12"
      mode: ONCE
      hostname: "assay"
      log_level: WARNING
      time_limit: 0
      nice_level: 0
      keep_env: false
      keep_caps: true
      disable_rl: true
      clone_newnet: true
      clone_newuser: true
      clone_newns: true
      clone_newpid: true
      clone_newipc: true
      clone_newuts: true
      clone_newcgroup: false
      iface_no_lo: true
      uidmap { inside_id: "0" outside_id: "100016" count: 1 }
      uidmap { inside_id: "1000" outside_id: "100017" count: 1 }
      gidmap { inside_id: "0" outside_id: "100016" count: 1 }
      gidmap { inside_id: "1000" outside_id: "100017" count: 1 }
      pass_fd: 16
      mount { dst: "/proc" fstype: "proc" rw: true }
      mount { dst: "/run" fstype: "tmpfs" rw: true options: "size=1048576,mode=0755" }
      mount { src: "/srv/assay/supervisor" dst: "/supervisor" is_bind: true nosuid: true nodev: true }
      mount { dst: "/skel" fstype: "tmpfs" rw: true options: "size=4194304,mode=0755" nosuid: true }
      mount { src: "/opt/py" dst: "/skel/usr/python" is_bind: true nosuid: true nodev: true }
      mount { dst: "/skel/usr/python/lib/site-packages" fstype: "tmpfs" options: "size=4096,nr_inodes=2,mode=0755" nosuid: true nodev: true }
      mount { src: "usr/lib" dst: "/skel/lib" is_symlink: true }
      mount { src: "/dev/null" dst: "/skel/dev/null" is_bind: true nosuid: true noexec: true }
      mount { src: "/dev/zero" dst: "/skel/dev/zero" is_bind: true nosuid: true noexec: true }
      mount { src: "/dev/full" dst: "/skel/dev/full" is_bind: true nosuid: true noexec: true }
      mount { src: "/dev/random" dst: "/skel/dev/random" is_bind: true nosuid: true noexec: true }
      mount { src: "/dev/urandom" dst: "/skel/dev/urandom" is_bind: true nosuid: true noexec: true }
      mount { src: "/proc/self/fd" dst: "/skel/dev/fd" is_symlink: true }
      mount { src: "/proc/self/fd/0" dst: "/skel/dev/stdin" is_symlink: true }
      mount { src: "/proc/self/fd/1" dst: "/skel/dev/stdout" is_symlink: true }
      mount { src: "/proc/self/fd/2" dst: "/skel/dev/stderr" is_symlink: true }
      mount { src_content: "root:x:0:0:root:/:/bin/sh\\012run:x:1000:1000::/work:/bin/sh\\012" dst: "/skel/etc/passwd" }
      mount { src_content: "root:x:0:\\012run:x:1000:\\012" dst: "/skel/etc/group" }
      mount { src_content: "127.0.0.1 localhost\\012" dst: "/skel/etc/hosts" }
      mount { src_content: "passwd: files\\012group: files\\012hosts: files\\012" dst: "/skel/etc/nsswitch.conf" }
      exec_bin { path: "/supervisor" arg: "--name" arg: "@NAME@" arg: "--uid" arg: "1000" arg: "--nice" arg: "19" arg: "--cgroup" arg: "v1" arg: "--fd-cpu" arg: "16" }
      "
    `);
  });

  it('is this text for a jail of a host: one id, no capability, nothing to write to', () => {
    const program = { command: ['/opt/node', 'main.ts'] };
    expect(toNsjailConfig({ ...policy, host: program }, host)).toMatchInlineSnapshot(`
      "name: "@NAME@"
      description: "python-3.12"
      mode: ONCE
      hostname: "assay"
      log_level: WARNING
      time_limit: 0
      nice_level: 0
      keep_env: false
      keep_caps: false
      disable_rl: true
      clone_newnet: true
      clone_newuser: true
      clone_newns: true
      clone_newpid: true
      clone_newipc: true
      clone_newuts: true
      clone_newcgroup: true
      iface_no_lo: true
      uidmap { inside_id: "1000" outside_id: "100017" count: 1 }
      gidmap { inside_id: "1000" outside_id: "100017" count: 1 }
      mount { dst: "/proc" fstype: "proc" options: "hidepid=2,subset=pid" }
      mount { src: "/srv/assay/confine" dst: "/confine" is_bind: true nosuid: true nodev: true }
      mount { src: "/opt/py" dst: "/usr/python" is_bind: true nosuid: true nodev: true }
      mount { dst: "/usr/python/lib/site-packages" fstype: "tmpfs" options: "size=4096,nr_inodes=2,mode=0755" nosuid: true nodev: true }
      mount { src: "usr/lib" dst: "/lib" is_symlink: true }
      mount { src: "/dev/null" dst: "/dev/null" is_bind: true rw: true nosuid: true noexec: true }
      mount { src: "/dev/urandom" dst: "/dev/urandom" is_bind: true rw: true nosuid: true noexec: true }
      exec_bin { path: "/confine" arg: "/opt/node" arg: "main.ts" arg: "--name" arg: "@NAME@" arg: "--cgroup" arg: "v1" }
      "
    `);
  });

  it('maps one id only where no other can be mapped', () => {
    const text = toNsjailConfig(policy, { ...host, ids: { outside: 1001, hasRunId: false } });
    expect(text.match(/^[ug]idmap .*$/gm)).toEqual([
      'uidmap { inside_id: "0" outside_id: "1001" count: 1 }',
      'gidmap { inside_id: "0" outside_id: "1001" count: 1 }',
    ]);
    expect(text).toContain('arg: "--uid" arg: "0"');
  });

  it('shows a jail the modules that its warm runtime holds, and no others', () => {
    const preload = ['b', 'a'].map((name) => ({
      source: `/src/${name}.py`,
      target: `/assay/own/${name}.py`,
    }));
    const warm = {
      library: '/l.so',
      argv: [],
      env: {},
      imports: [],
      lightImports: ['a', 'b'],
      preload,
      startLimitMs: 1,
    };
    const text = toNsjailConfig({ ...policy, warm }, host);
    expect(text.match(/dst: "\/skel\/assay[^"]*"/g)).toEqual([
      'dst: "/skel/assay/warm.so"',
      'dst: "/skel/assay/own/b.py"',
      'dst: "/skel/assay/own/a.py"',
    ]);
    expect(text).toContain('arg: "--warm-light-env" arg: "ASSAY_WARM_IMPORTS=a,b"');
    expect(text).toContain('arg: "ASSAY_WARM_PRELOAD=/assay/own/b.py,/assay/own/a.py"');
  });

  it('lets no path end its string', () => {
    const source = '/a"} mount { src: "/\\\n/ä';
    const mounts = [{ kind: 'bind', source, target: '/x' } as const];
    const text = toNsjailConfig({ ...policy, mounts }, host);
    expect(text).toContain(
      String.raw`src: "/a\042} mount { src: \042/\134\012/\303\244" dst: "/skel/x"`,
    );
  });

  it.each(['x', '/', '/a/../b', '/a/', '//a', '/./a'])('refuses the mount target %j', (target) => {
    const mounts = [{ kind: 'empty', target } as const];
    expect(() => toNsjailConfig({ ...policy, mounts }, host)).toThrow(RangeError);
  });
});

describe('toJailIds', () => {
  it('gives neighbours ids that do not meet, and starts over after 4000', () => {
    expect(toJailIds(0, true)).toEqual({ outside: 100_000, hasRunId: true });
    expect(toJailIds(1, true).outside).toBe(100_016);
    expect(toJailIds(3999, true).outside).toBe(163_984);
    expect(toJailIds(4000, true).outside).toBe(100_000);
  });
});
