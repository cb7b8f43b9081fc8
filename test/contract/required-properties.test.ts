/** What a configuration asks of a wall against what a wall gives. */
import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load.ts';
import type { WallProbe } from '../../src/sandbox/port.ts';
import { missingProperties } from '../../src/wall.ts';

function aProbe(over: Partial<WallProbe['enforced']> = {}): WallProbe {
  return {
    wall: 'nsjail',
    available: true,
    version: '3.6',
    cgroup: 'v2',
    stackMb: 256,
    problems: ['swap is on'],
    enforced: {
      memory: 'cgroup v2',
      cpu_time: 'cgroup v2',
      processes: 'cgroup v2',
      disk: 'tmpfs size',
      network: 'network namespace',
      own_uid: 'user namespace',
      seccomp: 'seccomp filter',
      pid_namespace: 'pid namespace',
      ...over,
    },
  };
}

const loaded = (require?: string) =>
  loadConfig({ environment: require === undefined ? {} : { ASSAY_REQUIRE: require } });

describe('missingProperties', () => {
  it('finds nothing missing on a full wall, whatever else is to mend', () => {
    const everything = Object.keys(aProbe().enforced).join(',');
    expect(missingProperties(aProbe(), loaded(everything))).toEqual([]);
  });

  it('names what is required and not enforced', () => {
    expect(missingProperties(aProbe({ seccomp: null }), loaded())).toEqual([
      'seccomp is required and not enforced here',
    ]);
  });

  it('does not take polling for a memory limit where one is required, and does where it is not', () => {
    const probe = aProbe({ memory: 'rlimit and polling' });
    expect(missingProperties(probe, loaded('memory'))).toHaveLength(1);
    expect(missingProperties(probe, loaded())).toEqual([]);
  });

  it('gives the reasons of a wall that is not available', () => {
    expect(missingProperties({ ...aProbe(), available: false }, loaded())).toEqual(['swap is on']);
  });
});
