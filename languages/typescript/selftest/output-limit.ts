// Prints without end. Expected: output_limit.
import { writeSync } from 'node:fs';
const line = 'x'.repeat(4096) + '\n';
for (;;) {
  try {
    writeSync(1, line);
  } catch (error) {
    // A pipe that is full for the moment.
    if ((error as any).code !== 'EAGAIN') throw error;
  }
}
