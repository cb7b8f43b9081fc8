/** A process that holds one jail with a program running in it, until it is killed; for the sweep test. Prints the jail's name. */
import { systemClock as clock } from '../../src/lib/clock.ts';
import type { CgroupBackEnd, RealWall } from '../../src/domain/wall.ts';
import { createWall } from '../../src/sandbox/probe.ts';
import { POLICY, aCommand, nsjailPaths, openSession } from './walls.ts';

const [, , wall = '', program = '', stateDir = '', cgroup = 'none'] = process.argv;
const means = { clock, ...nsjailPaths, stateDir, cgroup: cgroup as CgroupBackEnd };
const sandbox = await createWall(wall as RealWall, means, { path: program, isSentry: false });
const session = await openSession(await sandbox.start(POLICY), sandbox);
void session.run(aCommand(['/bin/sleep', '1000']));
process.stdout.write(`${session.hello.name}\n`);
process.stdin.resume();
