/** Names for what is under way, unique over all replicas. */
import { randomBytes } from 'node:crypto';

/** 128 random bits in base64url. */
export function createLeaseId(): string {
  return randomBytes(16).toString('base64url');
}
