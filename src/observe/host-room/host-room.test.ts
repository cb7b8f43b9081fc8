/** Watching what the host has left: one look a second, told when it changes, and what was seen last holds. */
import { describe, expect, it, onTestFinished } from 'vitest';

import { createFakeClock } from '../../lib/fake-clock.ts';
import { HostRoom, type RoomStat, type Watched } from './host-room.ts';
import { parseMeminfo, readMemory } from './readings.ts';
import type { Reading, Resource } from './watermark.ts';

const MIB = 1024 * 1024;
const TOTAL = 1000 * MIB;

async function aRoom(resource: Resource = 'memory') {
  const clock = createFakeClock();
  const script: { used: number; looks: number; error: Error | null; isThere: boolean } = {
    ...{ used: 0, looks: 0, error: null, isThere: true },
  };
  const changes: RoomStat[] = [];
  const unreadable: unknown[] = [];
  const watched: Watched = {
    mark: { percent: 80, enoughBytes: 10_000 * MIB },
    settings: 'a setting',
    async read(): Promise<Reading | null> {
      script.looks += 1;
      if (script.error !== null) throw script.error;
      return script.isThere ? { totalBytes: TOTAL, freeBytes: TOTAL - script.used * MIB } : null;
    },
  };
  const room = await HostRoom.open({
    clock,
    watched: { [resource]: watched },
    onChange: (stat) => changes.push(stat),
    onUnreadable: (_, error) => unreadable.push(error),
  });
  onTestFinished(() => room.close());
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i += 1) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { room, script, changes, unreadable, pass };
}

describe('the room of a host', () => {
  it('is looked at once a second, however often it is asked for', async () => {
    const { room, script, pass } = await aRoom();
    for (let i = 0; i < 1000; i += 1) room.reasons();
    expect(script.looks).toBe(1);
    await pass(5);
    expect(script.looks).toBe(6);
    room.close();
    await pass(5);
    expect(script.looks).toBe(6);
  });

  it('says why there is none, and that there is again only some way below', async () => {
    const { room, script, changes, pass } = await aRoom();
    expect(room.reasons()).toEqual([]);
    script.used = 850;
    await pass(1);
    expect(room.reasons()).toEqual([
      'the memory of this host is 85 % full, 150 MiB are left (a setting)',
    ]);
    script.used = 780;
    await pass(1);
    expect(room.reasons()).toHaveLength(1);
    script.used = 740;
    await pass(1);
    expect(room.reasons()).toEqual([]);
    script.used = 780;
    await pass(1);
    expect(room.reasons()).toEqual([]);
    expect(changes.map(({ isFull }) => isFull)).toEqual([true, false]);
    expect(room.stats()).toEqual([
      {
        ...{ resource: 'memory', freeBytes: 220 * MIB, limitPercent: 80, isFull: false },
        usedPercent: expect.closeTo(78) as number,
      },
    ]);
  });

  it('goes by what was seen last where it cannot be read, and tells once', async () => {
    const { room, script, unreadable, pass } = await aRoom('disk');
    script.used = 900;
    await pass(1);
    script.error = new Error('EIO');
    await pass(3);
    expect(room.reasons()).toHaveLength(1);
    expect(unreadable).toHaveLength(1);
    script.error = null;
    script.used = 0;
    await pass(1);
    expect(room.reasons()).toEqual([]);
  });

  it('knows nothing of a control group without a limit', async () => {
    const { room, script, pass } = await aRoom('cgroup_memory');
    script.used = 990;
    await pass(1);
    expect(room.reasons()).toHaveLength(1);
    script.isThere = false;
    await pass(1);
    expect(room.stats()).toEqual([]);
    expect(room.reasons()).toEqual([]);
  });
});

describe('memory', () => {
  it('is read from /proc/meminfo', async () => {
    const text = 'MemTotal:       24601000 kB\nMemFree: 1 kB\nMemAvailable:   22000000 kB\n';
    expect(parseMeminfo(text)).toEqual({
      totalBytes: 24_601_000 * 1024,
      freeBytes: 22_000_000 * 1024,
    });
    expect(() => parseMeminfo('MemTotal: 1 kB\n')).toThrow('no MemAvailable');
    const { totalBytes, freeBytes } = await readMemory();
    expect(freeBytes).toBeGreaterThan(0);
    expect(totalBytes).toBeGreaterThan(freeBytes);
  });
});
