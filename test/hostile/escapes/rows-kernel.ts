/** Rows F and G: the kernel's calls; channels between runs, and looking at the host. */
import { expect } from 'vitest';

import type { Outcome } from '../../support/client.ts';
import { expectHarmlessDevices } from '../../support/harmless-devices.ts';
import { answersByCall } from '../../support/hostile-program.ts';
import type { Escape, RunAttempt } from './escape.ts';
import { findsNothing } from './scenes.ts';

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
      const answers = answersByCall(stdout);
      for (const name of names.split(' '))
        expect(answers.get(name) ?? 'not tried', name).toMatch(errors);
    },
  };
}

const IS_X64 = process.arch === 'x64';
export const KERNEL: readonly Escape[] = [
  {
    row: 27,
    attack: 'calls of another ABI',
    runs: IS_X64
      ? [denied('x32_call i386_call i386_kill', /^(?:errno ENOSYS|signal (?:31|11))$/)]
      : [denied('later_call', /^errno ENOSYS$/)],
    heldBy: 'test/hostile/host.test.ts',
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
    heldBy: 'test/hostile/host.test.ts',
  },
  {
    row: 29,
    attack: 'calls in which the kernel has had its faults',
    runs: [
      denied(
        'io_uring io_uring_enter_call io_uring_register_call netlink netlink_pair alg bpf_map perf keyctl_session add_key_user request_key_user ptrace_traceme ptrace_attach_init ptrace_seize_parent process_vm process_vm_parent kexec kexec_file mount_tmpfs remount_root fs_open fs_config fs_mount fs_pick move_mount_call mount_attributes open_tree_root open_tree_attributes read_implies_exec uffd vsock vhost virtual_machine tunnel fuse other_families sctp sctp_packets dccp mptcp smc udp_lite ping packet xdp bluetooth raw_icmp handle file_handle pidfd_steal kcmp_init advise_others reap_others secret_memory later_call',
      ),
    ],
    heldBy: 'test/hostile/host.test.ts',
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
    heldBy: 'test/hostile/host.test.ts',
  },
  {
    row: 34,
    attack: 'signals through files that jails have in common',
    runs: [{ program: 'escapes/watch-neighbours.py' }],
  },
  {
    row: 35,
    attack: 'shared memory, SysV objects, abstract sockets',
    scene: async (scene) => await findsNothing(scene, { together: 3 }),
    heldBy: 'test/hostile/leftovers.test.ts',
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
    runs: [
      { program: 'files/devices.py', check: ({ stdout }) => expectHarmlessDevices(stdout) },
      denied('mknod_device'),
    ],
    heldBy: 'test/hostile/host.test.ts',
  },
];
