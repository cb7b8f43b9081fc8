// Prints without end. Expected: output_limit.
const { writeSync } = require('node:fs');
const line = 'x'.repeat(4096) + '\n';
for (;;) {
  try {
    writeSync(1, line);
  } catch (error) {
    // A pipe that is full for the moment.
    if (error.code !== 'EAGAIN') throw error;
  }
}
