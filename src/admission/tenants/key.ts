/** Keys: `assay_ID_SECRET`. The id finds the record, the digest of the whole is compared in constant time. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 8;
/** 256 bits: no dictionary reaches it, so one round of SHA-256 is digest enough. */
const SECRET_BYTES = 32;

/** Longer texts are no keys, and are not hashed. */
const KEY_LENGTH_MAX = 256;

const SHAPE = /^assay_([0-9a-f]{16})_[\w-]{43}$/;

export interface NewKey {
  /** To be shown once. */
  readonly key: string;
  readonly id: string;
  readonly sha256: string;
}

export function createKey(): NewKey {
  const id = randomBytes(ID_BYTES).toString('hex');
  const key = `assay_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { key, id, sha256: digestOf(key).toString('hex') };
}

/** The id in a key; null for what cannot be one. */
export function keyId(text: string): string | null {
  if (text.length > KEY_LENGTH_MAX) return null;
  return SHAPE.exec(text)?.[1] ?? null;
}

/** Whether a key has this digest, in a time that does not tell where they differ. */
export function hasDigest(key: string, sha256: string): boolean {
  return timingSafeEqual(digestOf(key), Buffer.from(sha256, 'hex'));
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
