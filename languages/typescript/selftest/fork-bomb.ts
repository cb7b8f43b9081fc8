// Starts sleepers until it is refused, and goes on. Expected: runtime_error (limit processes).
import { spawn } from 'node:child_process';

for (;;) {
  const child = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
  child.on('error', () => {});
}
