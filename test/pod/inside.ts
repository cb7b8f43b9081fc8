/**
 * What happens in the pod: a service with no wall but the pod's own judges programs, then ends. Prints a line of JSON for each
 * answer and one for what is left. `inside.ts few WORD…` takes the programs of `programs.ts` whose names hold one of the words,
 * all where none is given, and `inside.ts known WORD…` those of the long proof.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { startService } from '../support/service.ts';
import { knownPrograms, namedBy, POD_PORT, PROGRAMS, type PodLine } from './programs.ts';

const START_MS = 300_000;
const AT_A_TIME = 2;
const DEADLINE_MS = 600_000;

const [kind, ...words] = process.argv.slice(2);
const programs = namedBy(kind === 'known' ? await knownPrograms() : PROGRAMS, words);
const say = (line: PodLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Folders of cgroups and mounts; a jail would have some of each. */
function countMeans() {
  const groups = readdirSync('/sys/fs/cgroup').flatMap((controller) => {
    const folder = path.join('/sys/fs/cgroup', controller);
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  });
  const mounts = readFileSync('/proc/self/mounts', 'utf8').trimEnd().split('\n');
  return { groups: groups.length, mounts: mounts.length };
}

/** Command lines of the pod's other processes. Zombies have none: the pod's init waits for them, which is not here. */
function otherProcesses(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim())
    .filter((line) => line !== '');
}

const before = { ...countMeans(), processes: otherProcesses() };
{
  await using service = await startService({
    languages: [...new Set(programs.map(({ language }) => language))],
    port: POD_PORT,
    startTimeoutMs: START_MS,
    flags: { '--walls': 'pod' },
  });
  const queue = [...programs];
  const worker = async (): Promise<void> => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
      const report = await service.client.judge({
        ...each.request,
        wall: 'pod',
        deadline_ms: DEADLINE_MS,
      });
      const { verdict, passed, total, reward, fault, wall } = report;
      const answer = { name: each.name, verdict, passed, total, reward, wall };
      say({ answer: { ...answer, fault: fault?.code ?? null } });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}
say({ left: { before, after: { ...countMeans(), processes: otherProcesses() } } });
