/** The line by which a forked interpreter knows what its main file would load. */
import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { projectPath } from '../../lib/project.ts';
import { PRELOADED_LINE } from './bundle.ts';

it('has the line that the warm runtime looks for', async () => {
  const header = await readFile(projectPath('runners', 'python', 'interpreter.h'), 'utf8');
  const [, line] = /#define PRELOADED_LINE (".*")/.exec(header) ?? [];
  // A string of C without anything but a line feed in it reads as one of JSON.
  expect(JSON.parse(line ?? '')).toBe(PRELOADED_LINE);
});
