/** SHA-256 of contents, off the event loop where they are long. */
import { createHash, webcrypto } from 'node:crypto';

/** Below this a hash costs less than handing it to another thread. */
const LARGE_BYTES = 64 * 1024;

/** Lower-case hex. */
export async function digestBytes(content: Uint8Array): Promise<string> {
  if (content.byteLength < LARGE_BYTES) return createHash('sha256').update(content).digest('hex');
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', content)).toString('hex');
}
