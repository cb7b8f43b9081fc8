/** The nsjail wall: each jail with ids of its own on the host and its own cgroups, made by the launcher. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { CAP_SETGID, CAP_SETUID, hasCapabilities } from '../instance.ts';
import {
  createLaunchedSandbox,
  type LaunchedOptions,
  type LaunchedSandbox,
} from '../launcher/launched.ts';
import { toNsjailConfig } from './config.ts';
import type { JailIds } from './config.ts';

export interface NsjailOptions extends LaunchedOptions {
  /** Host paths of nsjail and of what is a jail's first process. */
  readonly nsjail: string;
  readonly supervisor: string;
  readonly confine: string;
}

/** Outside ids: one range of 16 for each jail, far above a machine's own users. */
const FIRST_ID = 100_000;
const IDS_PER_JAIL = 16;
const ID_RANGES = 4000;

/** `wall` is `pod` where the kernel that nsjail works with is the pod's own. Throws as `createLaunchedSandbox`. */
export async function createNsjailSandbox(
  options: NsjailOptions,
  wall: 'nsjail' | 'pod' = 'nsjail',
): Promise<LaunchedSandbox> {
  const canMapIds = await hasCapabilities(CAP_SETUID, CAP_SETGID);
  const hasAutogroup = await schedulesSessions();
  const programs = { supervisor: resolve(options.supervisor), confine: resolve(options.confine) };
  return await createLaunchedSandbox(options, {
    wall,
    isOpaque: false,
    namedBy: 'option',
    hasHosts: true,
    prepare: async () => ['--nsjail', options.nsjail],
    async toRecords(policy, { index, groupFor }) {
      const ids = toJailIds(index, canMapIds);
      const group = groupFor({ ...policy, supervisorUid: ids.outside });
      const jailHost = { ...programs, ids, hasAutogroup, cgroupArgs: group.args, fds: group.fds };
      return [{ kind: 'config', text: toNsjailConfig(policy, jailHost) }, ...group.records];
    },
  });
}

/** Ids of the n-th jail, from 0. Without CAP_SETUID only one's own id can be mapped (user_namespaces(7)). */
export function toJailIds(index: number, canMapIds: boolean): JailIds {
  if (!canMapIds) return { outside: process.geteuid?.() ?? 0, hasRunId: false };
  return { outside: FIRST_ID + IDS_PER_JAIL * (index % ID_RANGES), hasRunId: true };
}

/** Whether this kernel makes a scheduling group of each session (sched(7)); it has no such file where it cannot. */
async function schedulesSessions(): Promise<boolean> {
  const setting = '/proc/sys/kernel/sched_autogroup_enabled';
  return (await readFile(setting, 'latin1').catch(() => '0')).trim() === '1';
}
