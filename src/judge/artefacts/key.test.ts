/** The key: everything that a compile step depends on changes it, and nothing else does. */
import { describe, expect, it } from 'vitest';

import { artefactKey, type KeyParts } from './key.ts';

const file = (path: string, content: string) => ({ path, content: Buffer.from(content) });
const PARTS: KeyParts = {
  tenant: 'default',
  fingerprint: 'sha256:1',
  plan: { argv: ['/cc', 'main.c'], env: { A: '1', B: '2' }, collect: ['main'] },
  limits: {
    ...{ cpuMs: 1, wallMs: 1, memoryBytes: 1, outputBytes: 1, processes: 1, diskBytes: 1 },
    ...{ inodes: 1, openFiles: 1, stackBytes: 1, collectBytes: 1 },
  },
  files: [file('main.c', 'int x;'), file('x.h', '')],
};

describe('artefactKey', () => {
  it('is 64 hex digits, and the same for equal parts in another order', async () => {
    const key = await artefactKey(PARTS);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const { argv, collect } = PARTS.plan;
    const plan = { collect, env: { B: '2', A: '1' }, argv };
    expect(await artefactKey({ ...PARTS, plan, files: PARTS.files.toReversed() })).toBe(key);
  });

  it.each<[string, Partial<KeyParts>]>([
    ['the tenant', { tenant: 'other' }],
    ['the fingerprint', { fingerprint: 'sha256:2' }],
    ['an argument', { plan: { ...PARTS.plan, argv: ['/cc', '-O3', 'main.c'] } }],
    ['the environment', { plan: { ...PARTS.plan, env: { A: '1', B: '3' } } }],
    ['the artefacts', { plan: { ...PARTS.plan, collect: ['a.out'] } }],
    ['a limit', { limits: { ...PARTS.limits, cpuMs: 2 } }],
    ['a byte', { files: [file('main.c', 'int y;'), file('x.h', '')] }],
    ['a byte of another file', { files: [file('main.c', 'int x;'), file('x.h', ' ')] }],
    ['a path', { files: [file('main.c', 'int x;'), file('y.h', '')] }],
    ['a file more', { files: [...PARTS.files, file('z.h', '')] }],
    ['a byte that moved to the next file', { files: [file('main.c', 'int x'), file('x.h', ';')] }],
  ])('changes with %s', async (_what, changes) => {
    expect(await artefactKey({ ...PARTS, ...changes })).not.toBe(await artefactKey(PARTS));
  });

  it('hashes large files in slices', async () => {
    const large = (last: string) => [file('main.c', `${'x'.repeat(3 * 1024 * 1024)}${last}`)];
    const keys = ['a', 'b', 'a'].map((last) => artefactKey({ ...PARTS, files: large(last) }));
    const [a, b, again] = await Promise.all(keys);
    expect(a).toBe(again);
    expect(a).not.toBe(b);
  });
});
