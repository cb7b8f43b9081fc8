/** What `programs/files/devices.py` may see. */
import { expect } from 'vitest';

const DEVICES: ReadonlySet<string> = new Set(
  'fd full null random shm stderr stdin stdout urandom zero'.split(' '),
);

/** Devices that harm nobody, its own descriptors, no sysfs. */
export function expectHarmlessDevices(stdout: string): void {
  const lines = stdout.trimEnd().split('\n');
  const devices = (lines[0] ?? '').split(' ').slice(1);
  expect(devices.filter((name) => !DEVICES.has(name))).toEqual([]);
  expect(lines).toContain('fds 0 1 2');
  expect(lines).toContain('sys absent');
}
