/** Finds the program of a wall on this host: the configured one, else one on PATH, else what set-up has put aside. */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { readHelp } from './nsjail/help.ts';
import { readPodFacts, sandboxOf } from './pod/detect.ts';

export interface FindOptions {
  /** A path; "" searches `searchPath`. */
  readonly program: string;
  /** A PATH to search, e.g. the machine's. */
  readonly searchPath: string;
  /** Where set-up has put its own, tried last. */
  readonly ownProgram: string;
}

export type Found =
  | {
      readonly path: string;
      readonly version: string;
      /** Whether the jails are in gVisor's kernel as in any, one for all of them. */
      readonly isSentry?: boolean;
    }
  | { readonly path: null; readonly problem: string };

export interface PodFindOptions extends FindOptions {
  /** Path of what makes jails in gVisor's kernel. */
  readonly enclose: string;
  /** The pod's runtime by the operator's word; "" for none. */
  readonly podSandbox: string;
}

interface Kind {
  readonly name: string;
  /** What to do where there is none that is good enough. */
  readonly remedy: string;
  /** The least that is taken, for people. */
  readonly least: string;
  /** Null for a program that is too old, or does not run. */
  readonly versionOf: (path: string) => Promise<string | null>;
}

/**
 * nsjail prints no version. What we use has long been there but for one thing, so its help text decides:
 * `--experimental_mnt` came with 3.5.
 */
const NSJAIL: Kind = {
  name: 'nsjail',
  remedy: 'npm run setup',
  least: '3.5',
  versionOf: async (path) =>
    (await readHelp(path)).includes('--experimental_mnt') ? '>=3.5' : null,
};

/** The release that our own is of is the oldest that the tests have seen; scripts/gvisor.sh holds the same month. */
const RUNSC_RELEASE_MIN = 20_260_501;
const VERSION_TIMEOUT_MS = 10_000;

const RUNSC: Kind = {
  name: 'runsc',
  remedy: 'npm run gvisor (builds it with Go)',
  least: `release-${RUNSC_RELEASE_MIN}`,
  versionOf: async (path) => {
    const release = releaseOf(await readVersion(path));
    return release === null || Number(release.slice(0, 8)) < RUNSC_RELEASE_MIN
      ? null
      : `release-${release}`;
  },
};

export const findNsjail = (options: FindOptions): Promise<Found> => find(NSJAIL, options);
export const findRunsc = (options: FindOptions): Promise<Found> => find(RUNSC, options);

/** What makes jails in this pod, if it is a sandbox; the version is the sandbox's name. */
export async function findPod(options: PodFindOptions): Promise<Found> {
  const { sandbox, problem } = sandboxOf(await readPodFacts(options.enclose), options.podSandbox);
  if (sandbox === null) return { path: null, problem };
  if (sandbox.kernel === 'gvisor')
    return { path: options.enclose, version: sandbox.name, isSentry: true };
  const nsjail = await findNsjail(options);
  return nsjail.path === null ? nsjail : { path: nsjail.path, version: sandbox.name };
}

/** `20260527.0` of `runsc version release-20260527.0`; null where there is no release, as of distributions. Pure. */
export function releaseOf(text: string): string | null {
  return /^runsc version release-(\d{8}(?:\.\d+)?)/m.exec(text)?.[1] ?? null;
}

async function find(kind: Kind, { program, searchPath, ownProgram }: FindOptions): Promise<Found> {
  const candidates =
    program === ''
      ? [...searchPath.split(delimiter).map((folder) => join(folder, kind.name)), ownProgram]
      : [program];
  let tooOld: string | null = null;
  for (const path of candidates) {
    if (!(await isExecutable(path))) continue;
    const version = await kind.versionOf(path);
    if (version !== null) return { path, version };
    tooOld ??= path;
  }
  const problem =
    tooOld === null
      ? `${kind.name} is not found${program === '' ? ' on PATH' : ` at ${program}`}; get one: ${kind.remedy}`
      : `${tooOld} does not run, or is older than ${kind.least}; get a newer one: ${kind.remedy}`;
  return { path: null, problem };
}

function readVersion(path: string): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: {}, timeout: VERSION_TIMEOUT_MS };
    execFile(path, ['--version'], options, (_, stdout) => resolve(stdout));
  });
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // Missing or forbidden, which is the answer.
    return false;
  }
}
