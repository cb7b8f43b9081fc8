/** A host whose hard limit of the stack is lower than what programs are meant to have. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { command } from '../support/command.ts';
import { projectFile } from '../support/project.ts';
import { temporaryFolder } from '../support/service.ts';

const TIMEOUT_MS = 120_000;

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(path.join(folder, 'add.py'), 'print(sum(map(int, input().split())))\n');
});
afterAll(async () => await rm(folder, { recursive: true }));

describe('under a hard limit of the stack', () => {
  it('programs with a memory limit run as elsewhere', { timeout: TIMEOUT_MS }, async () => {
    // What needs more than the 8 MiB that may be left then is named by the probe (src/sandbox/probe.test.ts).
    const lowered = 'ulimit -S -s 8192 && ulimit -H -s 8192 && exec "$0" "$@"';
    const { code, stdout, stderr } = await command(
      [
        ...['sh', '-c', lowered, projectFile('bin', 'assay'), 'run', path.join(folder, 'add.py')],
        ...['--languages', 'python', '--memory-mb', '1024', '--cpu-ms', '5000'],
      ],
      { stdin: '20 22\n', timeoutMs: TIMEOUT_MS },
    );
    expect([code, stdout], stderr).toEqual([0, '42\n']);
  });
});
