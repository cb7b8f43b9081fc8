/** Rows F and G: the kernel's calls; channels between runs, and looking at the host. */
import { expect } from 'vitest';

import { aRun } from '../../support/builders.ts';
import type { Outcome } from '../../support/client.ts';
import { expectHarmlessDevices } from '../../support/harmless-devices.ts';
import { hostileProgram } from '../../support/hostile-program.ts';
import type { Escape, RunAttempt, Scene } from './escape.ts';

const HONEST: readonly RunAttempt[] = [
  { program: 'kernel/threads.c', outcome: { kind: 'exited', exit_code: 0, stdout: '140\n' } },
  {
    program: 'kernel/threads.py',
    outcome: { kind: 'exited', exit_code: 0, stdout: '140 child\n' },
  },
  { program: 'kernel/threads.js', outcome: { kind: 'exited', exit_code: 0, stdout: '140 true\n' } },
];

/** The calls of these names were made, and each failed by the given errors or ended its process. */
function denied(names: string, errors = /^(?:errno E[A-Z]+|signal \d+)$/): RunAttempt {
  return {
    program: 'kernel/denied-calls.c',
    as: names,
    outcome: { kind: 'exited', exit_code: 0 },
    check: ({ stdout }: Outcome) => {
      const results = new Map(
        stdout.split('\n').map((line) => [line.split(' ', 1)[0], line.replace(/^\S+ /, '')]),
      );
      for (const name of names.split(' '))
        expect(`${name}: ${results.get(name)}`.slice(name.length + 2)).toMatch(errors);
    },
  };
}

const IS_X64 = process.arch === 'x64';
const TWO_SECONDS = '2';

/** Two runs at the same moment: one holds locks on the files that jails share, the other looks for them. */
async function locksAreNoChannel({ service, wall }: Scene): Promise<void> {
  const locks = hostileProgram('escapes/locks.py');
  const limits = { wall_ms: 20_000 };
  const [held, seen] = await Promise.all([
    service.client.outcome(aRun({ ...locks, args: ['hold', TWO_SECONDS], limits })),
    service.client.outcome(aRun({ ...locks, args: ['look', TWO_SECONDS], limits })),
  ]);
  expect([held.stdout, held.kind, seen.kind]).toEqual(['held\n', 'exited', 'exited']);
  // Behind nsjail the inodes are the host's, and a lock on one is seen (docs/escapes.md, "Known to be open").
  if (wall === 'gvisor') expect(seen.stdout).toBe('no flock\nno fcntl\nno ofd\n');
}

export const KERNEL: readonly Escape[] = [
  {
    row: 27,
    attack: 'calls of another ABI',
    runs: IS_X64
      ? [denied('x32_call i386_call i386_kill', /^(?:errno ENOSYS|signal (?:31|11))$/)]
      : [denied('later_call', /^errno ENOSYS$/)],
  },
  {
    row: 28,
    attack: 'namespaces of its own',
    runs: [
      denied(
        'unshare_user unshare_mount unshare_net unshare_cgroup unshare_ipc unshare_uts unshare_pid unshare_time unshare_user_net clone_newuser clone_newpid clone_newnet setns_init',
        /^errno EPERM$/,
      ),
    ],
  },
  {
    row: 29,
    attack: 'calls in which the kernel has had its faults',
    runs: [
      denied(
        'io_uring io_uring_enter_call io_uring_register_call netlink netlink_pair alg bpf_map perf keyctl_session add_key_user request_key_user ptrace_traceme ptrace_attach_init ptrace_seize_parent process_vm process_vm_parent kexec kexec_file mount_tmpfs remount_root fs_open fs_config fs_mount fs_pick move_mount_call mount_attributes open_tree_root open_tree_attributes read_implies_exec uffd vsock vhost virtual_machine tunnel fuse other_families sctp sctp_packets dccp mptcp smc udp_lite ping packet xdp bluetooth raw_icmp handle file_handle pidfd_steal kcmp_init advise_others reap_others secret_memory later_call',
      ),
    ],
  },
  {
    row: 30,
    attack: 'honest threads, where clone3 is not there',
    runs: [...HONEST, denied('clone3_any', /^errno ENOSYS$/)],
    heldBy: 'test/hostile/host.test.ts',
  },
  {
    row: 31,
    attack: 'honest programs under the filter',
    runs: HONEST,
    heldBy: 'test/languages/self-tests.test.ts',
  },
  {
    row: 32,
    attack: 'what decides by pointers, by the child alone or by user time',
    runs: [
      {
        program: 'escapes/execve-pointers.c',
        outcome: { kind: 'exited', exit_code: 0, stdout: '6\n' },
      },
      {
        program: 'processes/spin-system.c',
        request: { limits: { cpu_ms: 400, wall_ms: 15_000 } },
        outcome: { kind: 'time_limit', limit: 'cpu' },
      },
    ],
  },
  {
    row: 33,
    attack: 'channels by calls',
    runs: [
      denied(
        'keyctl_session add_key_user request_key_user vsock io_uring watch_files folder_signals lease page_cache',
      ),
    ],
  },
  {
    row: 34,
    attack: 'signals through files that jails have in common',
    runs: [{ program: 'escapes/watch-neighbours.py' }],
    scene: locksAreNoChannel,
  },
  {
    row: 35,
    attack: 'shared memory, SysV objects, abstract sockets',
    scene: async ({ service }) => {
      const given = aRun({
        ...hostileProgram('leftovers/leave-and-look.c'),
        files: { 'data.txt': 'data' },
      });
      const outcomes = await Promise.all(
        [1, 2, 3].map(async () => await service.client.outcome(given)),
      );
      expect(outcomes.map(({ stdout }) => stdout)).toEqual(['clean\n', 'clean\n', 'clean\n']);
    },
  },
  {
    row: 36,
    attack: 'the load of the machine as a channel',
    runs: [
      {
        program: 'escapes/load-channel.py',
        gvisor: {
          granted: ['/proc/net/snmp'],
          reason: 'they count in the network of this run alone, which nobody else is in',
        },
      },
    ],
  },
  {
    row: 37,
    attack: 'looking into other processes',
    runs: [
      {
        program: 'escapes/other-processes.py',
        gvisor: {
          granted: ['/proc/1/fdinfo'],
          reason:
            'its proc knows no hidepid: the run’s own init is listed, and how many descriptors it has',
        },
      },
    ],
  },
  {
    row: 38,
    attack: 'devices and sysfs',
    runs: [{ program: 'files/devices.py', check: ({ stdout }) => expectHarmlessDevices(stdout) }],
  },
];
