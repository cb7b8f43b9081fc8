/** A compile step that ended well and left no program all the same: what is said of it. Pure. */
import type { CollectedStatus, Outcome } from '../domain/outcome.ts';

/** An artefact that is not there for the runs. */
export interface LostArtefact {
  readonly path: string;
  readonly why: Exclude<CollectedStatus, 'ok'>;
}

/**
 * The compiler's outcome with a line of ours behind its own words, and with the disk limit where that is the reason. Preconditions: at least one is lost.
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
  const isTooLarge = lost.some(({ why }) => why === 'too_large');
  return isTooLarge ? { ...said, kind: 'disk_limit', limit: 'disk' } : said;
}

function reason(path: string, why: LostArtefact['why'], maxBytes: number): string {
  switch (why) {
    case 'missing':
      return `the compiler left no ${path}`;
    case 'too_large':
      return `the artefact ${path} is larger than ${maxBytes} bytes`;
    case 'not_a_file':
    case 'unreadable':
      return `the artefact ${path} is no readable file`;
  }
}
