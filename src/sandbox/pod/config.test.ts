/** The whole of what a jail in gVisor's kernel may see, as `enclose` is told it. */
import { describe, expect, it } from 'vitest';

import type { JailPolicy } from '../port.ts';
import { toEncloseConfig } from './config.ts';

const POLICY: JailPolicy = {
  environment: 'python',
  mounts: [
    { kind: 'bind', source: '/opt/py', target: '/usr/python' },
    { kind: 'bind', source: '/opt/tool', target: '/usr/bin/tool' },
    { kind: 'empty', target: '/usr/python/site' },
    { kind: 'symlink', source: 'usr/lib', target: '/lib' },
  ],
  memoryMaxBytes: 1000,
  processesMax: 10,
  stagingBytes: 4096,
  warm: null,
};
const host = {
  supervisor: '/srv/supervisor',
  ids: { outside: 100_016, hasRunId: true },
  cgroupArgs: ['--cgroup', 'v1', '--fd-cpu', '16'],
  isFolder: (source: string) => source === '/opt/py',
};

const wordsOf = (policy: JailPolicy, over: Partial<typeof host> = {}): string[] =>
  toEncloseConfig(policy, { ...host, ...over })
    .slice(0, -1)
    .split('\0');

describe('toEncloseConfig', () => {
  const text = wordsOf(POLICY).join(' ');

  it('maps ids before all else, and the run’s own where there is one', () => {
    expect(text).toMatch(/^--map 0 100016 --map 1000 100017 --(?!map)/);
    const one = wordsOf(POLICY, { ids: { outside: 5, hasRunId: false } }).join(' ');
    expect(one).toMatch(/^--map 0 5 --(?!map)/);
    expect(one).toContain('--uid 0 --cgroup');
  });

  it('makes what binds need before they come, and nothing that was not asked for', () => {
    const at = (words: string): number => {
      expect(text).toContain(words);
      return text.indexOf(words);
    };
    expect(at('--folder /usr/python ')).toBeLessThan(at('--bind /opt/py /usr/python'));
    expect(at('--bind /opt/py /usr/python')).toBeLessThan(at('--tmpfs /usr/python/site size=4096'));
    at('--link /lib usr/lib');
    at('--tmpfs /run size=4096,mode=0755 --bind /srv/supervisor /run/supervisor');
    const bound = wordsOf(POLICY).flatMap((word, index, words) =>
      word === '--bind' ? [words[index + 1]] : [],
    );
    expect(bound).toEqual(['/srv/supervisor', '/opt/py', '/opt/tool']);
    const devices = wordsOf(POLICY).flatMap((word, index, words) =>
      word === '--device' ? [words[index + 1]] : [],
    );
    expect(devices).toEqual(['null', 'zero', 'full', 'random', 'urandom'].map((n) => `/dev/${n}`));
  });

  it('ends with the supervisor, whose root is built', () => {
    expect(text).toMatch(
      /-- \/run\/supervisor --name @NAME@ --root built --uid 1000 --cgroup v1 --fd-cpu 16$/,
    );
  });

  it('refuses a path that would end its word', () => {
    const mounts = [{ kind: 'bind', source: '/opt/py\0--bind', target: '/usr/python' }] as const;
    expect(() => wordsOf({ ...POLICY, mounts })).toThrow(RangeError);
  });
});
