/** `assay doctor`: what it says of this host, and of a service that runs. */
import { rm } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { assay } from '../support/command.ts';
import { freshStateDir, startService } from '../support/service.ts';

describe('assay doctor', () => {
  it('says what this host enforces', async () => {
    const stateDir = await freshStateDir();
    const argv = ['doctor', '--state-dir', stateDir, '--languages', 'python'];
    const { code, stdout } = await assay(argv);
    for (const word of ['memory', 'network', 'seccomp', 'nsjail', 'python']) {
      expect(stdout).toContain(word);
    }
    expect([0, 1]).toContain(code);
    await rm(stateDir, { recursive: true });
  });

  it('asks a running service, which tries its walls for it', async () => {
    await using service = await startService({ languages: ['python'] });
    const { code, stdout } = await assay(['doctor', '--url', service.url]);
    expect(stdout).toMatch(/^service +\S+, ready$/m);
    expect(stdout).toMatch(/^tried +holds: \d+ ways out/m);
    expect(stdout).toMatch(/^ {4}tests +function, asserts/m);
    expect(stdout).toContain('This service is fit to serve');
    expect(code).toBe(0);
  });
});
