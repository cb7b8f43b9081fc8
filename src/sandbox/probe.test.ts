/** What the probe says of settings in the way, and of walls that are weaker than they could be. */
import { describe, expect, it } from 'vitest';

import { weakLimits } from './enforced.ts';
import { hostWeaknesses, obstacles, stackWeaknesses } from './probe.ts';

const host = {
  isGvisor: false,
  kernel: '6.12.0',
  isRoot: false,
  maxUserNamespaces: 1000,
  unprivilegedUserNamespaces: null,
  apparmorRestrictsUserNamespaces: null,
  swapBytes: 0,
  randomizeVaSpace: 2,
};
const hello = {
  cgroup: 'v2',
  features: {
    seccomp: true,
    ownUid: true,
    memoryByCgroup: true,
    pidsByCgroup: true,
    cpuByCgroup: true,
    peakResettable: true,
    warm: false,
    live: true,
  },
} as const;

describe('obstacles', () => {
  it('are none on a host that has none', () => {
    expect(obstacles(host, 'something else')).toEqual([]);
  });

  it.each([
    [{ maxUserNamespaces: 0 }, '', 'user.max_user_namespaces'],
    [{ unprivilegedUserNamespaces: false }, '', 'unprivileged_userns_clone'],
    [{ apparmorRestrictsUserNamespaces: true }, '', 'AppArmor'],
    [{}, "mount('/proc')", 'procMount: Unmasked'],
    [{}, 'clone(): Operation not permitted', 'seccomp=unconfined'],
  ])('%j after "%s" names %s', (over, failure, words) => {
    const lines = obstacles({ ...host, ...over }, failure);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(words);
  });

  it('leaves out what does not bind root', () => {
    expect(obstacles({ ...host, isRoot: true, unprivilegedUserNamespaces: false }, '')).toEqual([]);
  });
});

describe('weaknesses', () => {
  it('are none where all is enforced', () => {
    expect([...weakLimits(hello), ...hostWeaknesses(host)]).toEqual([]);
  });

  it.each([
    ['no cgroups', { cgroup: 'none' as const }, {}, 'no cgroups'],
    ['one id', { features: { ...hello.features, ownUid: false } }, {}, 'CAP_SETUID'],
    ['a fixed peak', { features: { ...hello.features, peakResettable: false } }, {}, 'memory.peak'],
    ['swap', {}, { swapBytes: 4096 }, 'swapoff'],
    ['no randomisation', {}, { randomizeVaSpace: 0 }, 'randomize_va_space'],
  ])('%s is named', (_, changed, settings, words) => {
    const lines = [
      ...weakLimits({ ...hello, ...changed }),
      ...hostWeaknesses({ ...host, ...settings }),
    ];
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(words);
  });
});

describe('a bound of the stack', () => {
  it.each([
    [null, 0],
    [256 * 1024 * 1024, 0],
    [8 * 1024 * 1024, 1],
  ])('of %j bytes is told in %i lines', (bound, count) => {
    const lines = stackWeaknesses(hello, bound);
    expect(lines).toHaveLength(count);
    expect(lines.every((line) => line.includes('is 8 MiB'))).toBe(true);
  });

  it('is no weakness where runs have no more anyway', () => {
    expect(stackWeaknesses({ ...hello, cgroup: 'none' }, 16 * 1024 * 1024)).toEqual([]);
  });
});
