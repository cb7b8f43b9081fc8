/** What the doctor concludes from what was found. */
import { describe, expect, it } from 'vitest';

import { ENFORCED_PROPERTIES, type EnforcedProperty } from '../../domain/wall.ts';
import type { HostProbe } from '../../sandbox/probe.ts';
import { describeFindings } from './describe.ts';
import type { Findings, LanguageFindings, WallFindings } from './findings.ts';

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
      isGvisor: false,
      isRoot: false,
      maxUserNamespaces: 1,
      unprivilegedUserNamespaces: true,
      apparmorRestrictsUserNamespaces: false,
      swapBytes: 0,
      randomizeVaSpace: 2,
    },
    program: '/usr/bin/nsjail',
    isSentry: false,
    controllers: [],
    jailStartMs: how === null ? null : 10,
  };
}

const HOLDS: NonNullable<WallFindings['test']> = {
  wall: 'nsjail',
  state: 'holds',
  at: '2026-01-01T00:00:00.000Z',
  ms: 120,
  tried: ['tcp4', 'dns'],
  holes: [],
  reason: null,
};

function aWall(over: Partial<WallFindings> = {}): WallFindings {
  return { probe: aProbe('namespace'), isAsked: true, missing: [], test: HOLDS, ...over };
}

function aLanguage(id: string, over: Partial<LanguageFindings> = {}): LanguageFindings {
  const own = { version: '12', available: true, reason: null };
  return { id, ...own, environments: [], tests: [], ...over };
}

const works = aLanguage('c');
const fails = aLanguage('javascript', { available: false, reason: 'its self-test failed' });

function describeHost(walls: readonly WallFindings[], languages: Findings['languages']): string {
  return describeFindings({ service: null, walls, languages });
}

describe('describeFindings', () => {
  it('says what was not checked where no jail started', () => {
    const weak = aWall({ probe: aProbe(null), missing: ['no nsjail'], test: null });
    const text = describeHost([weak], null);
    expect(text).not.toContain('NOT ENFORCED');
    expect(text).toMatch(/memory +not checked/);
    expect(text).toMatch(/languages\n {2}not checked/);
    expect(text).toContain('NOT fit to serve as configured:\n  - no nsjail');
  });

  it('names the languages for which the host is fit, and those for which not', () => {
    const text = describeHost([aWall()], [works, fails]);
    expect(text).toContain('javascript     NOT AVAILABLE: its self-test failed');
    expect(text).toContain('tried     holds: 2 ways out were tried in 120 ms');
    expect(text).toContain('This host is fit to serve c, but not javascript.');
  });

  it('is not content with a host on which nothing works', () => {
    expect(describeHost([aWall()], [fails])).toContain(
      'NOT fit to serve as configured:\n  - no language works here',
    );
  });

  it('says of a wall that nobody asked for what it would take, and is content without', () => {
    const problems = ['runsc is not found; get one: npm run gvisor'];
    const probe: HostProbe = { ...aProbe(null), wall: 'gvisor', program: null, problems };
    const text = describeHost([aWall(), aWall({ probe, isAsked: false, test: null })], [works]);
    expect(text).toMatch(/gvisor .*not offered.*\n.*npm run gvisor/);
    expect(text).toContain('This host is fit to serve c.');
  });

  it.each([
    [
      { state: 'fails', holes: [{ what: 'dns', detail: 'it arrived on the host' }] },
      'DOES NOT HOLD: dns (it arrived on the host)',
    ],
    [{ state: 'unknown', reason: 'no room' }, 'NOT PROVED: no room'],
  ] as const)('is not content with a wall that %j', (over, words) => {
    const test = { ...HOLDS, ...over, holes: 'holes' in over ? [...over.holes] : [] };
    const text = describeHost([aWall({ test })], [works]);
    expect(text).toContain(`tried     ${words}`);
    expect(text).toContain(`NOT fit to serve as configured:\n  - nsjail: ${words}`);
  });

  it('says which packages and which kinds of tests there are, and what the others take', () => {
    const environment = { title: '', aliases: [], fingerprint: null, warm: false };
    const python = aLanguage('python', {
      environments: [
        { ...environment, id: 'python', available: true, reason: null, packages: {} },
        {
          ...environment,
          id: 'scientific',
          available: true,
          reason: null,
          packages: { numpy: '2' },
        },
        { ...environment, id: 'other', available: false, reason: 'run set-up', packages: {} },
      ],
      tests: [
        { kind: 'function', available: true, reason: null },
        { kind: 'pytest', available: false, reason: 'npm run packages' },
      ],
    });
    const lines = describeHost([aWall()], [python]).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '    scientific   numpy 2',
        '    other        NOT AVAILABLE: run set-up',
        '    tests        function',
        '    pytest       NOT AVAILABLE: npm run packages',
      ]),
    );
  });

  it('of a service that is not ready says why', () => {
    const service = { version: '1', ready: false, reasons: ['the service is stopping'] };
    const text = describeFindings({ service, walls: [aWall()], languages: [works] });
    expect(text).toContain('service   1, NOT READY: the service is stopping');
    expect(text).toContain('This service is NOT fit to serve as configured:\n  - the service is');
  });
});
