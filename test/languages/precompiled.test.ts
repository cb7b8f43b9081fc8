/**
 * Precompiled headers of C++: the compiler takes them, and nobody can tell but by the clock. What the service reports is
 * compared with the same compiler on the host, which knows nothing of them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findHeaders, type HeaderToolchain } from '../../languages/shared/gcc-headers.ts';
import { preparedFolder } from '../../languages/shared/prepared.ts';
import { startService, type RunningService } from '../support/service.ts';

/** With set-up done; null where this host has no g++. */
function prepared(): (HeaderToolchain & { readonly folder: string }) | null {
  try {
    const found = findHeaders();
    const folder = preparedFolder(found.preparation);
    return existsSync(folder) ? { ...found, folder } : null;
  } catch {
    // No compiler here: the tests say that they are skipped.
    return null;
  }
}

const toolchain = prepared();
const rows = (toolchain?.sets ?? []).flatMap(({ environment, flags, headers }) =>
  headers.map((header): [string, string, readonly string[]] => [environment, header, flags]),
);

/** With the last one's macros no precompiled header may be taken. */
const PROGRAMS: readonly (readonly [string, string])[] = [
  [
    'a warning, and places',
    `#include <bits/stdc++.h>
int f() {}
int main() { std::cout << __FILE__ << __LINE__ << __INCLUDE_LEVEL__ << __COUNTER__; }`,
  ],
  [
    'an error deep in a template',
    '#include <bits/stdc++.h>\nstruct X {};\nint main() { std::cout << X{}; }',
  ],
  [
    'macros before the header',
    `#define _GLIBCXX_DEBUG
#pragma GCC optimize("O3")
#include <bits/stdc++.h>
int main() { std::cout << sizeof(std::vector<int>) << __LINE__; }`,
  ],
];

describe.skipIf(toolchain === null)('precompiled headers (skipped without g++ or set-up)', () => {
  let service: RunningService;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-headers-'));
    service = await startService({
      languages: ['cpp'],
      flags: { '--slots': '2', '--self-test': 'none' },
    });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const onHost = (args: readonly string[]) => {
    const env = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' };
    const { status, stderr } = spawnSync(toolchain?.compiler ?? '', args, {
      ...{ cwd: folder, env, encoding: 'utf8' },
    });
    return { status, stderr };
  };

  it.each(rows)('%s takes <%s>', async (environment, header, flags) => {
    await writeFile(path.join(folder, 'main.cpp'), `#include <${header}>\nint main() {}\n`);
    const ahead = ['-isystem', path.join(toolchain?.folder ?? '', environment)];
    const { status, stderr } = onHost([...ahead, ...flags, '-H', '-fsyntax-only', 'main.cpp']);
    expect(status).toBe(0);
    expect(stderr).toMatch(new RegExp(`^! .*/${header.replaceAll('+', '\\+')}\\.gch$`, 'm'));
  });

  it.each(PROGRAMS)('%s: the same words and output', async (_name, code) => {
    await writeFile(path.join(folder, 'main.cpp'), code);
    const flags = ['-O2', '-std=gnu++17', '-fmax-errors=20', '-o', 'main'];
    const host = onHost([...flags, '-x', 'c++', 'main.cpp', '-x', 'none', '-pthread', '-lm']);
    const { compile, outcome } = await service.client.run({ language: 'cpp', code });
    expect(compile?.stderr).toBe(host.stderr);
    expect(compile?.exit_code).toBe(host.status);
    if (host.status !== 0) return;
    const { status, stdout } = spawnSync(path.join(folder, 'main'), { encoding: 'utf8' });
    expect([outcome?.exit_code, outcome?.stdout]).toEqual([status, stdout]);
  });
});
