/** A compile step that ended well and left no program all the same: what is said of it. Pure. */
import type { Outcome } from '../domain/outcome.ts';

/** An artefact that is not there for the runs. */
export interface LostArtefact {
  readonly path: string;
  /** `unknown`: one of the two, of one or more of them. */
  readonly why: 'missing' | 'too_large' | 'unknown';
}

/**
 * The compiler's outcome with a line of ours behind its own words, and with the disk limit where that is the reason or
 * may be. Preconditions: at least one is lost.
 */
export function withoutArtefacts(
  outcome: Outcome,
  lost: readonly LostArtefact[],
  maxBytes: number,
): Outcome {
  const lines = lost.map(({ path, why }) => `assay: ${reason(path, why, maxBytes)}\n`);
  const stderr = Buffer.concat([outcome.stderr, Buffer.from(lines.join(''))]);
  const stderrBytes = outcome.stderrBytes + stderr.byteLength - outcome.stderr.byteLength;
  const said = { ...outcome, stderr, stderrBytes };
  const isMissing = lost.every(({ why }) => why === 'missing');
  return isMissing ? said : { ...said, kind: 'disk_limit', limit: 'disk' };
}

function reason(path: string, why: LostArtefact['why'], maxBytes: number): string {
  switch (why) {
    case 'missing':
      return `the compiler left no ${path}`;
    case 'too_large':
      return `the artefact ${path} is larger than ${maxBytes} bytes`;
    case 'unknown':
      return `the artefact ${path} is missing, or the artefacts are larger than ${maxBytes} bytes`;
  }
}
