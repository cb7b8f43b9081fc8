/** A process that holds one jail with a program running in it, until it is killed; for the sweep test. Prints the jail's name. */
import { systemClock as clock } from '../../src/lib/clock.ts';
import { createNsjailSandbox } from '../../src/sandbox/nsjail/nsjail.ts';
import type { CgroupBackEnd } from '../../src/domain/wall.ts';
import { POLICY, aCommand, nsjailPaths, openSession } from './walls.ts';

const [, , stateDir = '', cgroup = 'none'] = process.argv;
const sandbox = await createNsjailSandbox({
  clock,
  ...nsjailPaths,
  stateDir,
  cgroup: cgroup as CgroupBackEnd,
});
const session = await openSession(await sandbox.start(POLICY), sandbox);
void session.run(aCommand(['/bin/sleep', '1000']));
process.stdout.write(`${session.hello.name}\n`);
process.stdin.resume();
