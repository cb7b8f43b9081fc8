/** The comparison of Sandbox Fusion's CommonOJ: what it lets pass and what not. */
import { expect, it } from 'vitest';

import { grade } from './grade.ts';

const compare = (expected: string, output: string): boolean =>
  grade('common_oj', Buffer.from(expected), Buffer.from(output)) === null;

it.each([
  ['3', '3\n\n'],
  ['YES\nNo', 'yes\nNO\n'],
  ['1000000', '1000001'],
  ['0.333333', '0.3333333'],
  ['1.0', '1'],
  ['1e3', '1_000'],
  ['a \nb', 'a\n b'],
  ['', '\n \n'],
  ['1\r\n2', '1\n2'],
])('takes %j for %j', (expected, output) => {
  expect(compare(expected, output)).toBe(true);
});

it.each([
  ['3', '4'],
  ['1 2', '1  2'],
  ['1.0 2.0', '1 2'],
  ['1\n2', '1\n\n2'],
  ['1\n2', '1 2'],
  ['nan', '0'],
  ['inf', 'infinity'],
  ['100', '100.01'],
  ['0', '0.00001'],
  ['1', '0x1'],
  ['1', ''],
])('refuses %j for %j', (expected, output) => {
  expect(compare(expected, output)).toBe(expected === output);
});

it('reads long lines in linear time', () => {
  const long = `1${'_1'.repeat(1_000_000)}x`;
  expect(compare(`1${'0'.repeat(2_000_000)}`, long)).toBe(false);
});
