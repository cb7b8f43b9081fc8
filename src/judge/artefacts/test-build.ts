/** Builders for the cache's tests. */
import type { Outcome } from '../../domain/outcome.ts';
import type { Build } from './entry.ts';

const AN_OUTCOME: Outcome = {
  ...{
    kind: 'exited',
    exitCode: 0,
    signal: null,
    limit: null,
    forked: false,
    cpuMs: 300,
    wallMs: 310,
  },
  ...{ memoryBytes: 1_000_000, memorySource: 'cgroup_peak', collected: [] },
  ...{ stdout: Buffer.from(''), stdoutBytes: 0, stdoutTruncated: false },
  ...{ stderr: Buffer.from('note\n'), stderrBytes: 5, stderrTruncated: false },
};

/** A successful build with one artefact. */
export function aBuild(content = 'program', outcome: Partial<Outcome> = {}): Build {
  const artefacts = [{ path: 'main', content: Buffer.from(content) }];
  return { ok: true, outcome: { ...AN_OUTCOME, ...outcome }, artefacts };
}

/** A key like the real ones, from one digit. */
export function aKey(digit: string): string {
  return digit.repeat(64);
}
