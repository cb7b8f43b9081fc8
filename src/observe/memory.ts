/** How much memory there is for this service and its jails. */
import { totalmem } from 'node:os';

/** The host's memory, or less where a control group gives less, bytes. */
export function hostMemoryBytes(): number {
  // 0 where nothing is constrained, and more than there is where the group's limit is none.
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem();
}
