/**
 * What identifies a compile step: two submissions with one key are built by the same command from the same bytes under
 * the same limits, so that the one's artefacts are the other's.
 */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import type { CompilePlan } from '../../catalog/plan.ts';
import type { SourceFile } from '../../domain/submission.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { RunLimits } from '../../runner/protocol.ts';

export interface KeyParts {
  /** Artefacts are never shared between tenants. */
  readonly tenant: string;
  /** Of the environment. */
  readonly fingerprint: string;
  readonly plan: CompilePlan;
  readonly limits: RunLimits;
  /** All files of the program: headers and data may be compiled in. */
  readonly files: readonly SourceFile[];
}

/** Another layout of entries on disk gets another version. */
const VERSION = 1;
/** Hashed in one go at most; then the event loop gets its turn. */
const SLICE_BYTES = 1024 * 1024;

/** 64 hex digits. Sizes come before the bytes, so that no two lists of files give the same stream. */
export async function artefactKey({ files, ...parts }: KeyParts): Promise<string> {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const sizes = sorted.map(({ path, content }) => [path, content.length]);
  const hash = createHash('sha256').update(`${canonicalJson({ VERSION, ...parts, sizes })}\n`);
  for (const { content } of sorted) {
    for (let at = 0; at < content.length; at += SLICE_BYTES) {
      if (at > 0) await setImmediate();
      hash.update(content.subarray(at, at + SLICE_BYTES));
    }
  }
  return hash.digest('hex');
}
