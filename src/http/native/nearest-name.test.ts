/** The nearest known name. */
import { describe, expect, it } from 'vitest';

import { editDistance, nearestName } from './nearest-name.ts';

describe('nearestName', () => {
  it.each([
    ['expectedOutput', ['expected_stdout', 'stdin'], 'expected_stdout'],
    ['memoryMb', ['memory_mb', 'wall_ms'], 'memory_mb'],
    ['lang', ['language', 'labels'], 'language'],
    ['la', ['language', 'labels'], null],
    ['std', ['id', 'seed'], null],
    ['uid', ['id', 'seed'], 'id'],
    ['memory', ['memory_mb', 'memory_kb'], null],
    ['source', ['code', 'seed'], null],
    ['tets', ['tests', 'args'], 'tests'],
    ['x'.repeat(65), ['x'], null],
  ])('%s', (name, known, expected) => {
    expect(nearestName(name, known)).toBe(expected);
  });
});

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
  ])('%s → %s: %i', (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
    expect(editDistance(right, left)).toBe(distance);
  });
});
