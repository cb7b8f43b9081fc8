/**
 * The JavaScript host: PID 1 of a jail of its own, in place of the supervisor. It runs programs in isolates instead of
 * processes; the jail around it is the wall that counts. Arguments: `--name NAME --cgroup none|v1|v2`.
 */
import { Socket } from 'node:net';
import { parseArgs } from 'node:util';

import { countJail } from './counts.ts';
import { Dialogue } from './dialogue.ts';
import { createGuest } from './snapshot.ts';
import { createThreads } from './threads.ts';

const BACK_ENDS = ['none', 'v1', 'v2'] as const;

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'jail-0' },
    cgroup: { type: 'string', default: 'none' },
    check: { type: 'boolean', default: false },
  },
});

const threads = createThreads(createGuest());
await threads.ready();
if (values.check) process.exit(0);
const dialogue = new Dialogue({
  channel: new Socket({ fd: 0, readable: true, writable: true }),
  threads,
  hello: {
    name: values.name,
    cgroup: BACK_ENDS.find((name) => name === values.cgroup) ?? 'none',
    features: {
      seccomp: true,
      ownUid: process.getuid?.() !== 0,
      memoryByCgroup: false,
      pidsByCgroup: false,
      cpuByCgroup: false,
      peakResettable: false,
      warm: false,
      live: false,
    },
  },
  count: countJail,
  exit: (code) => process.exit(code),
});
dialogue.start();
