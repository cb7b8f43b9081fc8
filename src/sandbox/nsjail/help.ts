/** nsjail's help text, by which its features are known: it has no option that prints its version. */
import { execFile } from 'node:child_process';

const TIMEOUT_MS = 5000;
const BYTES_MAX = 1024 * 1024;

/** "" when the program cannot be executed here, e.g. for a missing library. */
export function readHelp(nsjail: string): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: {}, timeout: TIMEOUT_MS, maxBuffer: BYTES_MAX };
    // --help may end with any exit code; what it printed decides.
    execFile(nsjail, ['--help'], options, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}
