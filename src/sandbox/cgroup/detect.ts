/** Chooses the cgroup back end by trying it, and sweeps what dead instances left. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Clock } from '../../lib/clock.ts';
import { isDeadInstance } from '../instance.ts';
import type { CgroupBackEnd } from '../../domain/wall.ts';
import { removeGroup } from './group.ts';
import { readCgroupView } from './mounts.ts';
import type { CgroupView } from './mounts.ts';
import { createNone } from './none.ts';
import { createSentry } from './sentry.ts';
import { CgroupUnavailable } from './types.ts';
import type { CgroupHost, CgroupOptions } from './types.ts';
import { createV1, findV1Folders } from './v1.ts';
import { createV2, findV2Base } from './v2.ts';

export interface DetectOptions extends CgroupOptions {
  readonly clock: Clock;
  /** `auto` takes the strongest that works; a named one that does not work is an error. */
  readonly wanted: CgroupBackEnd | 'auto';
  /** Whether this kernel is gVisor's: its groups of v1 count, and enforce nothing. */
  readonly isSentry?: boolean | undefined;
}

export interface Detected {
  readonly host: CgroupHost;
  /** Why stronger back ends were passed over, one line each. */
  readonly problems: readonly string[];
}

/** Throws `CgroupUnavailable` when the wanted back end does not work here. */
export async function detectCgroup(options: DetectOptions): Promise<Detected> {
  const { wanted } = options;
  if (wanted === 'none') return { host: createNone(), problems: [] };
  const view = await readCgroupView();
  const isSentry = options.isSentry ?? false;
  const makeV1 = isSentry ? createSentry : createV1;
  if (wanted === 'v2') return { host: await createV2(view, options), problems: [] };
  if (wanted === 'v1') return { host: await makeV1(view, options), problems: [] };
  const problems: string[] = [];
  for (const create of isSentry ? [createSentry] : [createV2, createV1]) {
    try {
      return { host: await create(view, options), problems: [] };
    } catch (error) {
      if (!(error instanceof CgroupUnavailable)) throw error;
      problems.push(error.message);
    }
  }
  return { host: createNone(), problems };
}

const SWEEP_TIMEOUT_MS = 5000;

/**
 * Removes the groups of instances that are dead, with all that still lives in them, wherever this service would
 * make its own. Answers the removed folders and those that could not be.
 */
export async function sweepCgroups(options: {
  readonly clock: Clock;
  readonly parent?: string | undefined;
}): Promise<{ readonly removed: readonly string[]; readonly stuck: readonly string[] }> {
  const removed: string[] = [];
  const stuck: string[] = [];
  for (const base of await findBases(await readCgroupView(), options.parent)) {
    for (const name of await readdir(base).catch((): string[] => [])) {
      if (!(await isDeadInstance(name))) continue;
      const folder = join(base, name);
      const isGone = await removeGroup(folder, {
        clock: options.clock,
        timeoutMs: SWEEP_TIMEOUT_MS,
        kill: true,
      });
      (isGone ? removed : stuck).push(folder);
    }
  }
  return { removed, stuck };
}

async function findBases(view: CgroupView, parent: string | undefined): Promise<string[]> {
  const bases = new Set<string>();
  try {
    bases.add((await findV2Base(view, parent)).folder);
  } catch (error) {
    if (!(error instanceof CgroupUnavailable)) throw error;
  }
  try {
    for (const folder of Object.values(findV1Folders(view, parent))) bases.add(folder);
  } catch (error) {
    if (!(error instanceof CgroupUnavailable)) throw error;
  }
  return [...bases];
}
