/** Digests that name things in files of results. */
import { createHash } from 'node:crypto';

/** In hex, of the parts with their lengths, so that no two lists of parts are the same. */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}
