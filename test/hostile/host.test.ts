/** Programs that look for a way out: forbidden calls, the host's files, devices, network, planted links. */
import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { aRun } from '../support/builders.ts';
import { expectHarmlessDevices } from '../support/harmless-devices.ts';
import { answersByCall, hostileProgram } from '../support/hostile-program.ts';
import { PROJECT_ROOT, projectFile, readProjectFile } from '../support/project.ts';
import { temporaryFolder } from '../support/service.ts';
import { describeRuns, useArena } from './hostile-suite.ts';

/** The names of namespaces that a program might make or enter. */
const NAMESPACES = [
  'unshare_user unshare_mount unshare_net unshare_cgroup unshare_ipc unshare_uts unshare_pid unshare_time',
  'unshare_user_net clone_newuser clone_newpid clone_newnet setns_init',
].flatMap((line) => line.split(' '));
/** What the seccomp filter answers, where it matters that it is the filter and not a missing right. */
const FILTERED: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(NAMESPACES.map((name) => [name, /^errno EPERM$/])),
  clone3_any: /^errno ENOSYS$/,
  x32_call: /^(?:errno ENOSYS|signal 31)$/,
  i386_call: /^(?:errno ENOSYS|signal (?:31|11))$/,
  i386_kill: /^(?:errno ENOSYS|signal (?:31|11))$/,
};
const ATTACKS = [
  'ptrace_traceme ptrace_attach_init ptrace_seize_parent process_vm process_vm_parent unshare_user unshare_mount',
  'unshare_net clone_newuser clone_newpid clone3_any setns_init mount_tmpfs remount_root umount_work pivot chroot_tmp',
  'keyctl_session add_key_user request_key_user bpf_map io_uring uffd perf kexec init_mod delete_mod reboot_off',
  'swap_on clock_set host_name acct_file kernel_log handle fanotify read_implies_exec quota fs_open open_tree_root',
  'move_pages_init kcmp_init pidfd_steal netlink packet vsock alg bluetooth xdp raw_icmp mknod_device setuid_bit',
  'setuid_root capability_raise tiocsti tiocsti_high_bits vhangup_tty shadow_stack_of_init unshare_cgroup unshare_ipc',
  'unshare_uts unshare_pid unshare_time unshare_user_net clone_newnet move_mount_call fs_config fs_mount fs_pick',
  'mount_attributes open_tree_attributes io_uring_enter_call io_uring_register_call advise_others reap_others',
  'secret_memory kexec_file init_mod_file swap_off time_set clock_adjust clock_adjust_one domain_name file_handle',
  'migrate affinity real_time scheduling watch_files page_cache security_modules later_call sctp sctp_packets dccp',
  'mptcp smc udp_lite ping netlink_pair vhost virtual_machine tunnel fuse setuid_at_birth setuid_nameless setuid_node',
  'other_families setuid_by_structure folder_signals lease',
  ...(process.arch === 'x64' ? ['x32_call i386_call i386_kill io_ports local_descriptors'] : []),
].flatMap((line) => line.split(' '));

const LanguageFile = z.looseObject({ env: z.record(z.string(), z.string()) });

describe('the way out', () => {
  const arena = useArena({ languages: ['javascript'] });

  it('grants no forbidden call', async () => {
    const outcome = await arena
      .service()
      .client.outcome(aRun(hostileProgram('kernel/denied-calls.c')));
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0 });
    const answers = answersByCall(outcome.stdout);
    expect(new Set(answers.keys())).toEqual(new Set(ATTACKS));
    const granted = [...answers].filter(([, answer]) => !/^(?:errno|signal) /.test(answer));
    expect(granted).toEqual([]);
    for (const [name, pattern] of Object.entries(FILTERED))
      if (answers.has(name)) expect(answers.get(name), name).toMatch(pattern);
    await arena.guard().expectUnharmed();
  });

  describeRuns('honest programs pass the filter', arena, [
    {
      program: 'kernel/threads.c',
      expect: { kind: 'exited', exit_code: 0, stdout: '140\n', stderr: '' },
    },
    {
      program: 'kernel/threads.py',
      expect: { kind: 'exited', exit_code: 0, stdout: '140 child\n', stderr: '' },
    },
    {
      program: 'kernel/threads.js',
      expect: { kind: 'exited', exit_code: 0, stdout: '140 true\n', stderr: '' },
    },
  ]);

  it('reads no file of the host', async () => {
    const folder = await temporaryFolder();
    const canary = path.join(folder, 'canary');
    await writeFile(canary, randomUUID());
    const service = arena.service();
    const outcome = await service.client.outcome(
      aRun({
        ...hostileProgram('files/read-host.py'),
        args: [
          canary,
          folder,
          service.stateDir,
          PROJECT_ROOT,
          projectFile('package.json'),
          '/etc/shadow',
          '/root',
          '/home',
          '/var/lib',
          '/boot',
          '/run/systemd',
          `/proc/${service.pid}/environ`,
          '/var/run/docker.sock',
          '/skel',
          '/run/w',
        ],
      }),
    );
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0, stderr: '' });
    expect(outcome.stdout.split('\n').filter((line) => line.startsWith('yes'))).toEqual([]);
    await rm(folder, { recursive: true });
    await arena.guard().expectUnharmed();
  });

  it('writes only into its own folders', async () => {
    const request = aRun({
      ...hostileProgram('files/write-everywhere.py'),
      limits: { cpu_ms: 30_000 },
    });
    const outcome = await arena.service().client.outcome(request);
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0, stderr: '' });
    expect(outcome.stdout).toBe('/dev/shm /tmp /work\n');
    await arena.guard().expectUnharmed();
  });

  it('sees harmless devices, no capabilities, its own descriptors', async () => {
    const outcome = await arena.service().client.outcome(aRun(hostileProgram('files/devices.py')));
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0, stderr: '' });
    const lines = outcome.stdout.trimEnd().split('\n');
    expectHarmlessDevices(outcome.stdout);
    expect(lines.find((line) => line.startsWith('uid'))).toMatch(
      /^uid [1-9]\d* [1-9]\d*(?: \d+)*$/,
    );
    expect(lines).toContain('NoNewPrivs: 1');
    expect(lines).toContain('Seccomp: 2');
    for (const set of ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
      expect(lines).toContain(`${set}: 0000000000000000`);
    }
  });

  it('reaches no network, and learns so at once', async () => {
    const { client, url } = arena.service();
    const request = aRun({ ...hostileProgram('files/network.py'), args: [new URL(url).port] });
    const outcome = await client.outcome(request);
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^no tcp 127/m);
    expect(outcome.stdout.split('\n').filter((line) => line.startsWith('yes'))).toEqual([]);
    expect(outcome.wall_ms).toBeLessThan(2000);
    await arena.guard().expectUnharmed();
  });

  it('gets exactly the declared environment', async () => {
    const declared = LanguageFile.parse(
      JSON.parse(readProjectFile('languages', 'c', 'language.json')),
    ).env;
    const bare = await arena.service().client.outcome(aRun(hostileProgram('files/environment.c')));
    const own = await arena.service().client.outcome(
      aRun({
        ...hostileProgram('files/environment.c'),
        env: { GIVEN: 'a b="c"\n$HOME', EMPTY: '' },
      }),
    );
    const names = bare.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('=', 1)[0]);
    for (const name of Object.keys(declared)) expect(names).toContain(name);
    expect(
      names.filter(
        (name) => !FIXED_NAMES.includes(name ?? '') && !Object.hasOwn(declared, name ?? ''),
      ),
    ).toEqual([]);
    const lines = (text: string): string[] => text.trimEnd().split('\n').toSorted();
    expect(lines(own.stdout)).toEqual(
      [...lines(bare.stdout), 'EMPTY=', 'GIVEN=a b="c"', '$HOME'].toSorted(),
    );
  });

  it('gets its arguments literally', async () => {
    const args = [
      'a\nb',
      '',
      ' ',
      '$(id)',
      '`id`',
      ';id',
      '&& id',
      '-rf',
      '--',
      '*',
      "'",
      '"',
      '\\',
      'ü\u{1f600}',
      '\t',
    ];
    const outcome = await arena
      .service()
      .client.outcome(aRun({ ...hostileProgram('files/arguments.c'), args }));
    expect(outcome.stdout).toBe(args.map((arg) => `[${arg}]\n`).join(''));
  });

  it('refuses to collect what is no plain file, and follows no link', async () => {
    const refused = [
      'link',
      'environ',
      'environ-of-init',
      'root/etc/passwd',
      'root/work/plain',
      'loop',
      'link-to-plain',
      'pipe',
      'folder',
      'socket',
      'missing',
      'plain/below',
    ];
    const answer = await arena.service().client.run(
      aRun({
        ...hostileProgram('files/plant.py'),
        collect: [...refused, 'plain', 'new\nline', 'binary', 'swapped', 'hidden'],
      }),
    );
    expect(answer.outcome).toMatchObject({ kind: 'exited', exit_code: 0, stderr: '' });
    const { swapped, hidden, ...files } = answer.files;
    expect(files).toEqual({
      plain: 'plain text',
      'new\nline': 'odd name',
      binary: { base64: Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('base64') },
    });
    expect(['', undefined]).toContain(swapped);
    expect(['hidden text', undefined]).toContain(hidden);
    expect(Object.keys(answer.uncollected)).toEqual(expect.arrayContaining(refused));
    const passwd = await readFile('/etc/passwd', 'utf8');
    const [line = ''] = passwd.split('\n');
    expect(JSON.stringify(answer)).not.toContain(line);
    await arena.guard().expectUnharmed();
  });

  it('never returns a byte behind a link, however often file and link are swapped', async () => {
    const secret = createHash('sha256')
      .update(await readFile('/etc/passwd'))
      .digest('hex');
    for (let i = 0; i < 10; i += 1) {
      const answer = await arena
        .service()
        .client.run(aRun({ ...hostileProgram('files/plant.py'), collect: ['swapped', 'next'] }));
      for (const content of Object.values(answer.files)) {
        expect(content).toBe('');
        expect(createHash('sha256').update(JSON.stringify(content)).digest('hex')).not.toBe(secret);
      }
    }
    await arena.guard().expectUnharmed();
  });
});

/** What the service sets for every language (native API: the fixed environment). */
const FIXED_NAMES: readonly string[] = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'USER',
  'LOGNAME',
  'SHELL',
  'PWD',
  'OMP_NUM_THREADS',
  'OPENBLAS_NUM_THREADS',
  'MKL_NUM_THREADS',
  'NUMEXPR_NUM_THREADS',
];
