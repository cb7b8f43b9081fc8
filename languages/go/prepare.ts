/**
 * Set-up for Go: compiles what tests beside the program need, and the standard library once, as a build cache and as two lists of archives, one for the
 * compiler (what a program may import) and one for the linker (everything).
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import {
  findGo,
  GO_SETTINGS,
  GO_TARGET,
  GO_TESTS,
  type GoToolchain,
  TEST_SOURCES,
} from '../shared/go-toolchain.ts';
import { build, prepare } from '../shared/prepared.ts';

const EXPORTS = '{{if .Export}}{{.ImportPath}}={{.Export}}{{end}}';
/** As the go command has it: not to be imported from outside the standard library. */
const INTERNAL = /(?:^|\/)internal(?:\/|$)|^vendor\//;

prepare(findGo, fill);

function fill(folder: string, { go, root }: GoToolchain): void {
  const cache = join(folder, 'cache');
  const env = { ...GO_SETTINGS, GOROOT: root, GOCACHE: cache, GOPATH: join(folder, 'path') };
  build(go, ['build', 'std'], { cwd: folder, env });
  const listed = build(go, ['list', '-export', '-deps', '-f', EXPORTS, 'std'], {
    cwd: folder,
    env,
  });
  const packages = listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(cache, `${GO_TARGET}/cache`));
  const importable = packages.filter((line) => !INTERNAL.test(line.split('=', 1)[0] ?? ''));
  writeFileSync(join(folder, 'importcfg'), toConfig(importable));
  writeFileSync(join(folder, 'importcfg.link'), toConfig(packages));
  for (const path of TEST_SOURCES) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(GO_TESTS, path), join(folder, path));
  }
  build(go, ['build', '-ldflags', '-s -w', '-o', 'planner', '.'], {
    cwd: join(folder, 'planner'),
    env,
  });
  const settings = Object.entries(GO_SETTINGS).map(([name, value]) => `export ${name}=${value}\n`);
  writeFileSync(join(folder, 'settings.sh'), settings.join(''));
}

function toConfig(packages: readonly string[]): string {
  return packages.map((line) => `packagefile ${line}\n`).join('');
}
