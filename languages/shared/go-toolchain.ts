/** Finds the Go toolchain, and says what set-up prepares of it; the probe and `languages/go/prepare.ts` agree by it. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
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

/** What reads test files, and what they tell how they went; compiled by set-up. */
export const GO_TESTS = join(import.meta.dirname, '../go/tests');
export const TEST_SOURCES = [
  'note/note.go',
  'planner/go.mod',
  'planner/literals.go',
  'planner/main.go',
  'planner/sites.go',
  'planner/tests.go',
] as const;

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
  const sources = TEST_SOURCES.map((path) => readFileSync(join(GO_TESTS, path), 'utf8'));
  const key = [
    version,
    signatureOf(go),
    signatureOf(join(tools, 'compile')),
    JSON.stringify(GO_SETTINGS),
    ...sources,
  ];
  return { version, root, go, tools, preparation: { language: 'go', key } };
}
