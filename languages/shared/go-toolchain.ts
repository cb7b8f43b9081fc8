/** Finds the Go toolchain, and says what set-up prepares of it; the probe and `languages/go/prepare.ts` agree by it. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { onPath, output, requireReachable, Unavailable } from './host.ts';
import { type Preparation, signatureOf } from './prepared.ts';

export interface GoToolchain {
  readonly version: string;
  readonly root: string;
  readonly go: string;
  /** Folder of compile and link. */
  readonly tools: string;
  readonly preparation: Preparation;
}

/** Where a jail has what set-up prepared. */
export const GO_TARGET = '/opt/assay/go';
/** Settings that the prepared cache and the builds in jails share; the cache is keyed by most of them. */
export const GO_SETTINGS = {
  GOENV: 'off',
  GOFLAGS: '-trimpath',
  GOTOOLCHAIN: 'local',
  GOPROXY: 'off',
  GOTELEMETRY: 'off',
  CGO_ENABLED: '0',
} as const;

/** Generics came with 1.18. */
const MINOR_LEAST = 18;

/** The first `go` on PATH, followed to its root. Throws `Unavailable`. */
export function findGo(): GoToolchain {
  const [candidate] = onPath('go');
  if (candidate === undefined) throw new Unavailable('no go on PATH');
  const root = realpathSync(output(candidate, ['env', 'GOROOT']));
  const go = join(root, 'bin', 'go');
  if (!existsSync(go)) throw new Unavailable(`${root} has no bin/go`);
  requireReachable(go);
  const version = output(go, ['env', 'GOVERSION']).replace(/^go/, '');
  const [major = 0, minor = 0] = version.split('.').map(Number.parseFloat);
  if (major < 1 || (major === 1 && minor < MINOR_LEAST)) {
    throw new Unavailable(`${go} is Go ${version}, older than 1.${MINOR_LEAST}`);
  }
  const tools = realpathSync(output(go, ['env', 'GOTOOLDIR']));
  const key = [
    version,
    signatureOf(go),
    signatureOf(join(tools, 'compile')),
    JSON.stringify(GO_SETTINGS),
  ];
  return { version, root, go, tools, preparation: { language: 'go', key } };
}
