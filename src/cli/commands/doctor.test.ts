/** What the doctor concludes from what was found. */
import { describe, expect, it } from 'vitest';

import { ENFORCED_PROPERTIES, type EnforcedProperty } from '../../domain/wall.ts';
import type { HostProbe } from '../../sandbox/probe.ts';
import { describeFindings } from './doctor.ts';

function aProbe(how: string | null): HostProbe {
  const enforced: Partial<Record<EnforcedProperty, string | null>> = {};
  for (const property of ENFORCED_PROPERTIES) enforced[property] = how;
  return {
    wall: 'nsjail',
    available: how !== null,
    version: '3.5',
    cgroup: 'none',
    enforced: enforced as HostProbe['enforced'], // every property has just been set
    stackMb: 256,
    problems: [],
    host: {
      kernel: '6.1',
      isRoot: false,
      maxUserNamespaces: 1,
      unprivilegedUserNamespaces: true,
      apparmorRestrictsUserNamespaces: false,
      swapBytes: 0,
      randomizeVaSpace: 2,
    },
    program: '/usr/bin/nsjail',
    controllers: [],
    jailStartMs: how === null ? null : 10,
  };
}

const works = { id: 'c', version: '12', available: true, reason: null };
const fails = { id: 'javascript', version: null, available: false, reason: 'its self-test failed' };

describe('describeFindings', () => {
  it('says what was not checked where no jail started', () => {
    const walls = [{ probe: aProbe(null), isAsked: true, missing: ['no nsjail'] }];
    const text = describeFindings({ walls, languages: null });
    expect(text).not.toContain('NOT ENFORCED');
    expect(text).toMatch(/memory +not checked/);
    expect(text).toMatch(/languages\n {2}not checked/);
    expect(text).toContain('NOT fit to serve as configured:\n  - no nsjail');
  });

  it('names the languages for which the host is fit, and those for which not', () => {
    const text = describeFindings({
      walls: [{ probe: aProbe('namespace'), isAsked: true, missing: [] }],
      languages: [works, fails],
    });
    expect(text).toContain('javascript     NOT AVAILABLE: its self-test failed');
    expect(text).toContain('This host is fit to serve c, but not javascript.');
  });

  it('is not content with a host on which nothing works', () => {
    const walls = [{ probe: aProbe('namespace'), isAsked: true, missing: [] }];
    const text = describeFindings({ walls, languages: [fails] });
    expect(text).toContain('NOT fit to serve as configured:\n  - no language works here');
  });

  it('says of a wall that nobody asked for what it would take, and is content without', () => {
    const probe: HostProbe = {
      ...aProbe(null),
      wall: 'gvisor',
      program: null,
      problems: ['runsc is not found; get one: npm run gvisor'],
    };
    const text = describeFindings({
      walls: [
        { probe: aProbe('namespace'), isAsked: true, missing: [] },
        { probe, isAsked: false, missing: [] },
      ],
      languages: [works],
    });
    expect(text).toMatch(/gvisor .*not offered.*\n.*npm run gvisor/);
    expect(text).toContain('This host is fit to serve c.');
  });
});
