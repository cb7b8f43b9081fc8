/** The worker thread's side of `compare-pool`: one comparison per message, no state. */
import type { PlainCompare } from '../domain/submission.ts';
import { compareOutput, type Comparison } from './compare.ts';

/** What the pool posts; both byte arrays are the worker's own or shared. */
export interface CompareTask {
  readonly expected: Uint8Array;
  readonly actual: Uint8Array;
  readonly compare: PlainCompare;
}

// oxlint-disable-next-line import/no-default-export -- piscina calls a worker file's default export
export default function runTask(task: CompareTask): Comparison {
  return compareOutput(task.expected, task.actual, task.compare);
}
