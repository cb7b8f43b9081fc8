/** What a container's control group has left, on v1 and v2; the files are those of a folder made for it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { parseCgroup, parseMountinfo, readCgroupView } from './mounts.ts';
import { foldersOf, leastOf } from './own-memory.ts';

const NONE_ON_V1 = String(2n ** 63n - 4096n);

async function aTree(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'assay-test-'));
  onTestFinished(async () => await rm(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

const viewOf = (mountinfo: string, cgroup: string) => ({
  mounts: parseMountinfo(mountinfo),
  paths: parseCgroup(cgroup),
});

describe('the memory of one’s own control group', () => {
  it('on v2 is that of the group above, where only that has a limit', async () => {
    const root = await aTree({
      'pod/memory.max': '1000\n',
      'pod/memory.current': '900\n',
      'pod/memory.stat': 'anon 500\ninactive_file 300\nactive_file 50\n',
      'pod/init/memory.max': 'max\n',
      'pod/init/memory.current': '1\n',
      'pod/init/memory.stat': 'inactive_file 0\n',
    });
    const view = viewOf(`1 0 0:1 / ${root} rw - cgroup2 cgroup rw\n`, '0::/pod/init\n');
    expect(foldersOf(view).map(({ folder }) => folder)).toEqual([
      root,
      join(root, 'pod'),
      join(root, 'pod/init'),
    ]);
    expect(await leastOf(view)).toEqual({ totalBytes: 1000, freeBytes: 450 });
  });

  it('on v1 has its cache under other names, and a number for no limit', async () => {
    const root = await aTree({
      'memory.limit_in_bytes': `${NONE_ON_V1}\n`,
      'memory.usage_in_bytes': '5000\n',
      'memory.stat': 'total_inactive_file 0\n',
      'box/memory.limit_in_bytes': '2000\n',
      'box/memory.usage_in_bytes': '1900\n',
      'box/memory.stat': 'inactive_file 7\ntotal_inactive_file 100\ntotal_active_file 100\n',
    });
    const mountinfo = `1 0 0:1 / ${root} rw - cgroup cgroup rw,memory\n`;
    const view = viewOf(mountinfo, '4:memory:/box\n');
    expect(await leastOf(view)).toEqual({ totalBytes: 2000, freeBytes: 300 });
    expect(await leastOf(viewOf(mountinfo, '4:memory:/\n'))).toBeNull();
  });

  it('is nothing without the controller, and can be asked for on any host', async () => {
    expect(await leastOf(viewOf('1 0 0:1 / /nowhere rw - cgroup cgroup rw,pids\n', ''))).toBeNull();
    const own = await leastOf(await readCgroupView());
    if (own !== null) expect(own.freeBytes).toBeLessThanOrEqual(own.totalBytes);
  });
});
