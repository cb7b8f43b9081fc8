/** SHA-256 of contents, off the event loop where they are long, and not holding it up where they are many. */
import { createHash, webcrypto } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Below this a hash costs less than handing it to another thread. */
const LARGE_BYTES = 64 * 1024;
/** Hashed without a turn of the event loop, about; a content counts for something however short it is. */
const SLICE_BYTES = 1024 * 1024;
const CONTENT_BYTES = 4096;

/** Of each, in order; lower-case hex. */
export async function digestAll(contents: readonly Uint8Array[]): Promise<string[]> {
  const digests: string[] = [];
  let sinceTurn = 0;
  for (const content of contents) {
    if (content.byteLength >= LARGE_BYTES) {
      const digest = await webcrypto.subtle.digest('SHA-256', content);
      digests.push(Buffer.from(digest).toString('hex'));
      continue;
    }
    digests.push(createHash('sha256').update(content).digest('hex'));
    sinceTurn += CONTENT_BYTES + content.byteLength;
    if (sinceTurn < SLICE_BYTES) continue;
    sinceTurn = 0;
    await setImmediate();
  }
  return digests;
}
