/** The LAUNCH frame against the golden one that the launcher's tests read. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import type { LaunchRecord } from './launch-record.ts';
import { encodeLaunch } from './launch.ts';

const golden = new URL('../../../runners/golden/golden.txt', import.meta.url);
const line = existsSync(golden)
  ? readFileSync(golden, 'utf8')
      .split('\n')
      .find((text) => text.startsWith('launch | '))
  : undefined;

/** `fd:PARENT:ACCESS:NUMBER:PATH` and the like, as golden.txt writes records. */
function parseRecord(text: string): LaunchRecord {
  const [kind = '', first = '', ...rest] = text.split(':');
  const parent = Number(first);
  const [a = '', b = '', c = ''] = rest.map(decodeURIComponent);
  if (kind === 'config') return { kind, text: decodeURIComponent([first, ...rest].join(':')) };
  if (kind === 'write') return { kind, parent, path: a, value: b };
  if (kind === 'chown') return { kind, parent, uid: Number(a), path: b };
  if (kind === 'mkdir' || kind === 'join') return { kind, parent, path: a };
  const access = (['read', 'read_write', 'directory'] as const)[Number(a)];
  if (kind !== 'fd' || access === undefined) throw new Error(`unknown record ${text}`);
  return { kind, parent, access, fd: Number(b), path: c };
}

describe('encodeLaunch', () => {
  it.skipIf(line === undefined)('writes the golden frame', () => {
    const [, , hex, says] = (line ?? '').split(' | ');
    const records = (says ?? '')
      .replace(/^.*records=/, '')
      .split(',')
      .map(parseRecord);
    expect(records.length).toBeGreaterThan(5);
    expect(encodeLaunch(records).toString('hex')).toBe(hex);
  });

  it('refuses more than one frame holds', () => {
    const text = 'x'.repeat(262_144 - 5);
    expect(encodeLaunch([{ kind: 'config', text }])).toHaveLength(12 + 262_144);
    expect(() => encodeLaunch([{ kind: 'config', text: `${text}x` }])).toThrow(RangeError);
  });
});
