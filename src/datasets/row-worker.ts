/** The worker thread's side of `row-pool`: one row per message, no state. */
import { readRow, type ReadTask, type RowReading } from './row-reading.ts';

// oxlint-disable-next-line import/no-default-export -- piscina calls a worker file's default export
export default function runTask(task: ReadTask): RowReading {
  return readRow(task);
}
