/**
 * One real jail without the service around it: nsjail sandbox, launcher, supervisor, with the mounts of the C
 * environment, as the pool would start it. For measuring runs below HTTP.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ToolchainProbe, type ToolchainMount } from '../../src/domain/language.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { Session } from '../../src/runner/session.ts';
import { createNsjailSandbox } from '../../src/sandbox/nsjail/nsjail.ts';
import { ROOT } from './service.ts';

const run = promisify(execFile);
const MIB = 1024 * 1024;
const HELLO_TIMEOUT_MS = 15_000;

export interface BenchJail extends AsyncDisposable {
  readonly session: Session;
  readonly cgroup: string;
}

export async function openJail(): Promise<BenchJail> {
  const stateDir = mkdtempSync(join(tmpdir(), 'assay-jail-'));
  const sandbox = await createNsjailSandbox({
    clock: systemClock,
    nsjail: join(ROOT, '.assay', 'bin', 'nsjail'),
    launcher: join(ROOT, 'runners', 'build', 'launcher'),
    supervisor: join(ROOT, 'runners', 'build', 'supervisor'),
    confine: join(ROOT, 'runners', 'build', 'confine'),
    stateDir,
    cgroup: 'auto',
  });
  const close = async (): Promise<void> => {
    await sandbox.close();
    rmSync(stateDir, { recursive: true, force: true });
  };
  try {
    const jail = await sandbox.start({
      environment: 'bench',
      mounts: await mountsOfC(),
      memoryMaxBytes: 4096 * MIB,
      processesMax: 640,
      stagingBytes: 1024 * MIB,
      warm: null,
    });
    const session = await Session.open(jail, {
      clock: systemClock,
      helloTimeoutMs: HELLO_TIMEOUT_MS,
    });
    return { session, cgroup: sandbox.cgroup, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function mountsOfC(): Promise<readonly ToolchainMount[]> {
  const probe = join(ROOT, 'languages', 'shared', 'gcc.ts');
  const { stdout } = await run(process.execPath, [probe, 'c']);
  // The probe prints more than a policy needs.
  const { mounts } = JSON.parse(stdout) as { readonly mounts: unknown };
  return ToolchainProbe.shape.mounts.parse(mounts);
}
