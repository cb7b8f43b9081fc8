/** What a compile report says when there is nothing to run. */
import { describe, expect, it } from 'vitest';

import type { Outcome } from '../domain/outcome.ts';
import { withoutArtefacts, type LostArtefact } from './kept-artefacts.ts';

const clean: Outcome = {
  kind: 'exited',
  exitCode: 0,
  signal: null,
  limit: null,
  cpuMs: 1,
  wallMs: 1,
  memoryBytes: 1,
  memorySource: 'cgroup_peak',
  stdout: new Uint8Array(0),
  stderr: Buffer.from('warning\n'),
  stdoutBytes: 0,
  stderrBytes: 8,
  stdoutTruncated: false,
  stderrTruncated: false,
  forked: false,
  collected: [],
};

describe('withoutArtefacts', () => {
  it.each<[LostArtefact['why'], string, string | null, string]>([
    ['missing', 'exited', null, 'the compiler left no main'],
    ['too_large', 'disk_limit', 'disk', 'the artefact main is larger than 64 bytes'],
    ['not_a_file', 'exited', null, 'the artefact main is no readable file'],
  ])('says why behind the compiler’s own words: %s', (why, kind, limit, text) => {
    const outcome = withoutArtefacts(clean, [{ path: 'main', why }], 64);
    expect(outcome).toMatchObject({ kind, limit, exitCode: 0 });
    const stderr = Buffer.from(outcome.stderr).toString();
    expect(stderr).toContain(`warning\nassay: ${text}`);
    expect(outcome.stderrBytes).toBe(stderr.length);
  });
});
