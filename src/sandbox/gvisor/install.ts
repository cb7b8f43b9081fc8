/** Has a current runsc built where this host has none; the script says what it does on stderr. */
import { spawn } from 'node:child_process';

/** Runs the script at that path; resolves to its exit code. Rejects where there is no `sh`. */
export function installGvisor(script: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  // stdout is the command's own.
  const child = spawn('sh', [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  child.once('error', reject);
  child.once('close', (code) => resolve(code ?? 1));
  return promise;
}
