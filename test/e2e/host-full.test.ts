/**
 * A host that runs out of room: nothing new is accepted, by any wire, what is under way ends well, and when there is room
 * again all goes on by itself. The disk is a real, small one (a tmpfs below the state folder); without root there is none.
 */
import { statfs, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StatsResponse } from '../../src/http/native/stats-to-wire.ts';
import { aJudge, aRun } from '../support/builders.ts';
import { toProblem, type Answer } from '../support/client.ts';
import { command } from '../support/command.ts';
import { startService, temporaryFolder, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const DISK_MIB = 64;
const missing = process.geteuid?.() === 0 ? null : 'a tmpfs can only be mounted as root';
const note = missing === null ? '' : ` (skipped: ${missing})`;

describe.skipIf(missing !== null)(`a host whose disk is full${note}`, () => {
  let folder = '';
  let service: RunningService;
  const client = () => service.client;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await command(['mount', '-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'assay-test', folder]);
    service = await startService({
      stateDir: folder,
      languages: ['python'],
      flags: { '--slots': '1', '--host-disk-percent': '80', '--host-disk-free-mb': '1024' },
    });
  });
  afterAll(async () => {
    await service?.stop({ keepState: true });
    await command(['umount', folder]);
    await command(['rmdir', folder]);
  });

  /** Fills the disk up to a share of it. */
  async function fillTo(percent: number): Promise<void> {
    await unlink(path.join(folder, 'ballast')).catch(() => undefined);
    const { bsize, blocks, bfree } = await statfs(folder);
    const bytes = (blocks * percent) / 100 - (blocks - bfree);
    await writeFile(path.join(folder, 'ballast'), Buffer.alloc(Math.floor(bytes * bsize)));
  }
  const isReady = async (): Promise<boolean> => (await client().get('/readyz')).status === 200;
  const becomes = async (ready: boolean): Promise<true> =>
    await waitFor(async () => ((await isReady()) === ready ? true : null), {
      what: ready ? 'room' : 'a full disk',
      timeoutMs: 20_000,
    });
  const metric = async (name: string): Promise<string | undefined> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return text.split('\n').find((line) => line.startsWith(`${name}{resource="disk"}`));
  };

  it('takes nothing new and ends what is under way, until there is room again', async () => {
    expect((await client().judge(aJudge())).verdict).toBe('accepted');
    // The one slot is taken for longer than a look at the disk takes.
    const waits = aRun({
      code: 'import time\ntime.sleep(3)\nprint("done")',
      limits: { wall_ms: 30_000 },
    });
    const underWay = client().outcome(waits);
    const queued = client().judge(aJudge());
    await waitFor(async () => ((await client().stats()).queue.length === 1 ? true : null), {
      what: 'a run and one that waits for it',
      timeoutMs: 10_000,
    });

    await fillTo(85);
    await becomes(false);
    const expectRefusal = (answer: Answer): void => {
      expect(answer.status).toBe(503);
      const { code, detail, retry_after_ms: retryAfterMs } = toProblem(answer);
      expect({ code, retryAfterMs }).toEqual({ code: 'host_full', retryAfterMs: 5000 });
      expect(detail).toMatch(/^the disk of the state folder is 8\d % full, \d+ MiB are left/);
      expect(answer.headers.get('retry-after')).toBe('5');
    };
    expectRefusal(await client().post('/v1/judge', aJudge()));
    expectRefusal(await client().post('/v1/run', aRun()));
    expectRefusal(await client().post('/v1/jobs', '{}'));
    // The one status that this wire's clients try again.
    const fusion = { code: 'print(1)', language: 'python' };
    expect((await client().post('/run_code', fusion)).status).toBe(504);
    expect((await client().get('/readyz')).body).toMatchObject({
      ready: false,
      reasons: [expect.stringContaining('the disk of the state folder') as string],
    });
    expect(await metric('assay_host_full')).toBe('assay_host_full{resource="disk"} 1');
    const { host_room } = StatsResponse.parse((await client().get('/v1/stats')).body);
    expect(host_room.find(({ resource }) => resource === 'disk')).toMatchObject({ full: true });
    expect(service.output()).toContain('nothing new is taken');

    expect(await underWay).toMatchObject({ kind: 'exited', stdout: 'done\n' });
    expect((await queued).verdict).toBe('accepted');

    // Rewards are asked for in bulk: they wait as they wait for a place in the queue.
    const reward = client().post('/v1/reward', {
      dataset: 'auto',
      language: 'python',
      items: [
        {
          row: { tests: [{ input: '', output: '1\n' }] },
          completions: ['```python\nprint(1)\n```'],
        },
      ],
    });
    await fillTo(10);
    await becomes(true);
    expect((await client().judge(aJudge())).verdict).toBe('accepted');
    expect((await reward).status).toBe(200);
    expect(await metric('assay_host_full')).toBe('assay_host_full{resource="disk"} 0');
    expect(service.output()).toContain('there is room again');
  });
});
