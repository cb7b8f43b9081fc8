/** What holds a pod, told from what its kernel says: a wall must not be believed in that is not there. */
import { describe, expect, it } from 'vitest';

import { GVISOR_BUILD, sandboxOf, type PodFacts } from './detect.ts';

const LINUX: PodFacts = {
  version: 'Linux version 6.12.1 (gcc) #1 SMP PREEMPT_DYNAMIC',
  commandLine: 'BOOT_IMAGE=/vmlinuz root=/dev/sda1 quiet',
  mountinfo: '22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n',
  cpuinfo: 'processor\t: 0\nflags\t\t: fpu vme sse2\n',
  kernelLog: '',
};
const GVISOR: PodFacts = {
  ...LINUX,
  version: `Linux version 4.19.0-gvisor ${GVISOR_BUILD}\n`,
  kernelLog: '<6>[    0.000000] Starting gVisor...\n<6>[    0.3] Feeding the init monster...\n',
};
const GUEST: PodFacts = { ...LINUX, cpuinfo: 'flags\t\t: fpu vme hypervisor\n' };
const SHARE = '23 1 0:20 / / rw - virtiofs kataShared rw\n';

describe('sandboxOf', () => {
  it.each<[string, Partial<PodFacts>]>([
    ['a share of its agent', { mountinfo: SHARE }],
    ['a share over 9p', { mountinfo: '23 1 0:20 / / rw - 9p kataShared rw\n' }],
    ['its unit', { commandLine: 'quiet systemd.unit=kata-containers.target' }],
    ['what its agent is told', { commandLine: 'agent.log=debug quiet' }],
  ])('finds Kata by %s, in a virtual machine only', (_, shown) => {
    const kata = { name: 'Kata Containers', kernel: 'linux' };
    expect(sandboxOf({ ...GUEST, ...shown }, '').sandbox).toEqual(kata);
    expect(sandboxOf({ ...GUEST, ...shown, cpuinfo: 'Features : fp\n' }, '').sandbox).toEqual(kata);
    expect(sandboxOf({ ...LINUX, ...shown }, '').sandbox).toBeNull();
  });

  it('finds gVisor by its log and its build together', () => {
    expect(sandboxOf(GVISOR, '').sandbox).toEqual({ name: 'gVisor', kernel: 'gvisor' });
    expect(sandboxOf({ ...GVISOR, kernelLog: '' }, '').sandbox).toBeNull();
    expect(sandboxOf({ ...GVISOR, version: LINUX.version }, '').sandbox).toBeNull();
    // A line that somebody wrote into the log later.
    const late = { ...GVISOR, kernelLog: '<6>[   12.000000] Starting gVisor...\n' };
    expect(sandboxOf(late, '').sandbox).toBeNull();
  });

  it.each([
    ['nothing', LINUX],
    ['a virtual machine, which the node may be', GUEST],
  ])('is none of a kernel that shows %s, and says what to do', (_, facts) => {
    const { sandbox, problem } = sandboxOf(facts, '');
    expect(sandbox).toBeNull();
    expect(problem).toMatch(/Linux version 6\.12\.1.*runtimeClassName.*ASSAY_POD_SANDBOX/);
  });

  it('takes the operator’s word for another one, and not for those that show themselves', () => {
    const declared = { name: 'firecracker (declared)', kernel: 'linux' };
    expect(sandboxOf(GUEST, 'firecracker').sandbox).toEqual(declared);
    for (const word of ['gvisor', 'kata-qemu'])
      expect(sandboxOf(GUEST, word).problem).toMatch(new RegExp(`says ${word}.*runtimeClassName`));
    expect(sandboxOf(GVISOR, 'firecracker').sandbox?.kernel).toBe('gvisor');
  });
});
