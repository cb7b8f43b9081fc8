/**
 * The wall of a pod that is a sandbox itself (a RuntimeClass of gVisor or Kata): the pod's kernel stands between every
 * program and the node, and jails of the usual make inside it between programs and their neighbours. In a virtual machine
 * nsjail makes them; gVisor's kernel lacks what nsjail insists on, so there `enclose` does, with the same namespaces.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { CAP_SETGID, CAP_SETUID, hasCapabilities } from '../instance.ts';
import {
  createLaunchedSandbox,
  type LaunchedOptions,
  type LaunchedSandbox,
} from '../launcher/launched.ts';
import { createNsjailSandbox, toJailIds } from '../nsjail/nsjail.ts';
import { toEncloseConfig } from './config.ts';
import type { PodSandbox } from './detect.ts';

export interface PodOptions extends LaunchedOptions {
  readonly kernel: PodSandbox['kernel'];
  /** What makes jails in such a kernel: enclose in gVisor's, nsjail in Linux. */
  readonly maker: string;
  readonly supervisor: string;
  readonly confine: string;
}

/** Throws as `createLaunchedSandbox`. */
export async function createPodSandbox(options: PodOptions): Promise<LaunchedSandbox> {
  const { kernel, maker } = options;
  return kernel === 'linux'
    ? await createNsjailSandbox({ ...options, nsjail: maker }, 'pod')
    : await createEnclosed(options);
}

async function createEnclosed({ maker, ...options }: PodOptions): Promise<LaunchedSandbox> {
  const canMapIds = await hasCapabilities(CAP_SETUID, CAP_SETGID);
  const supervisor = resolve(options.supervisor);
  return await createLaunchedSandbox(options, {
    wall: 'pod',
    namedBy: 'option',
    hasHosts: false,
    isOpaque: false,
    isSentry: true,
    prepare: async () => ['--enclose', resolve(maker)],
    async toRecords(policy, { index, groupFor }) {
      if (policy.host !== undefined) throw new Error('a warm host has no jail of this wall');
      const ids = toJailIds(index, canMapIds);
      const group = groupFor({ ...policy, supervisorUid: ids.outside });
      const jailHost = { supervisor, ids, cgroupArgs: group.args, isFolder };
      return [{ kind: 'config', text: toEncloseConfig(policy, jailHost) }, ...group.records];
    },
  });
}

/** Throws for what is not there, with its path. */
function isFolder(source: string): boolean {
  return statSync(source).isDirectory();
}
