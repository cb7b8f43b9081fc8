/**
 * The gVisor wall: each jail is a sandbox of runsc (systrap, no network, an overlay in memory), made by the launcher; in
 * it the same supervisor as behind nsjail. Programs reach a kernel in user space and never the host's. What the host's
 * cgroups see is the sandbox as a whole, so a run's memory and processes are limited inside, and its CPU time is the
 * sandbox's.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { Fault } from '../../domain/errors.ts';
import {
  createLaunchedSandbox,
  type LaunchedOptions,
  type LaunchedSandbox,
  SOCKET_PATH_BYTES,
} from '../launcher/launched.ts';
import type { JailPolicy } from '../port.ts';
import { toBundle, toTree } from './bundle.ts';

export interface GvisorOptions extends LaunchedOptions {
  /** Host paths of runsc and of a jail's first process. */
  readonly runsc: string;
  readonly supervisor: string;
}

/** The sandbox's own threads (a Go runtime, a gofer, the stubs that stand for processes) beside those of the runs. */
const OWN_THREADS = 512;
/** Of runs, each is a thread of the host's, and each address space a process with some besides. */
const THREADS_EACH = 4;
const OWN_BYTES = 256 * 1024 * 1024;
/** The longest name of a jail that the launcher makes; runsc has a socket called after it in a folder of that name. */
const NAME_MAX = 'jail-1000000';

/** Throws as `createLaunchedSandbox`. */
export async function createGvisorSandbox(options: GvisorOptions): Promise<LaunchedSandbox> {
  const trees = new Map<string, Promise<string>>();
  return await createLaunchedSandbox(options, {
    wall: 'gvisor',
    hasHosts: false,
    isOpaque: true,
    namedBy: 'last_argument',
    async prepare(folder) {
      const jails = join(folder, 'j');
      const socket = join(jails, NAME_MAX, `runsc-${NAME_MAX}.sock`);
      // Where it does not fit runsc would take another place, where nobody looks for it.
      if (Buffer.byteLength(socket) > SOCKET_PATH_BYTES)
        throw new Fault(
          'jail_start_failed',
          `the path ${socket} is too long; choose a shorter state folder`,
        );
      await mkdir(jails, { mode: 0o700 });
      return ['--runsc', resolve(options.runsc), '--jails', jails];
    },
    async toRecords(policy, { folder, groupFor }) {
      if (policy.host !== undefined) throw new Error('a warm host has no jail of this wall');
      const group = groupFor({
        memoryMaxBytes: policy.memoryMaxBytes + OWN_BYTES,
        processesMax: THREADS_EACH * policy.processesMax + OWN_THREADS,
        supervisorUid: 0,
      });
      const key = createHash('sha256').update(JSON.stringify(policy)).digest('hex').slice(0, 16);
      const made = trees.get(key) ?? makeTree(join(folder, key), policy);
      trees.set(key, made);
      const tree = await made.catch((error: unknown) => {
        // What is missing may be there when it is tried again.
        trees.delete(key);
        throw error;
      });
      const supervisor = resolve(options.supervisor);
      const text = toBundle(policy, { supervisor, tree, cgroupArgs: group.args });
      return [{ kind: 'config', text }, ...group.records];
    },
  });
}

/** What jails of one policy have in common on the host; read-only for all of them. */
async function makeTree(tree: string, policy: JailPolicy): Promise<string> {
  await rm(tree, { recursive: true, force: true });
  for (const entry of toTree(policy, isFolder)) {
    const path = join(tree, entry.path);
    await mkdir(dirname(path), { recursive: true });
    if (entry.kind === 'folder') await mkdir(path, { recursive: true });
    if (entry.kind === 'file') await writeFile(path, entry.text);
    if (entry.kind === 'link') await symlink(entry.to, path);
  }
  return tree;
}

/** Throws for what is not there, with its path; runsc would not name it. */
function isFolder(source: string): boolean {
  return statSync(source).isDirectory();
}
