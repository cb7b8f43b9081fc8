/**
 * What gets through the walls of a real service: between two submissions, and from any language to this machine. One service
 * with both walls and two tenants; a suite each, beside this file.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe } from 'vitest';

import { gvisorWall, skipNote } from '../../contract/walls.ts';
import { createClient } from '../../support/client.ts';
import { startService, temporaryFolder, type RunningService } from '../../support/service.ts';
import { writeTenants } from '../../support/tenants.ts';
import { networkOutside, networkSuite } from './network.suite.ts';
import { secrecySuite, type Two } from './secrecy.suite.ts';

const { missing } = await gvisorWall('auto');
const WALLS = [
  { wall: 'nsjail', without: null },
  { wall: 'gvisor', without: missing },
] as const;

/** Each suite takes seconds behind gVisor, and more beside others. */
const START_MS = 120_000;

let folder: string;
let service: RunningService;
let two: Two;

beforeAll(async () => {
  folder = await temporaryFolder();
  const file = path.join(folder, 'tenants.json');
  const keys = await writeTenants(file, { first: {}, second: {} });
  service = await startService({
    startTimeoutMs: START_MS,
    flags: {
      '--slots': '2',
      '--walls': missing === null ? 'nsjail,gvisor' : 'nsjail',
      '--tenants': file,
    },
  });
  const clientOf = (key: string) => createClient(service.url, { authorization: `Bearer ${key}` });
  two = { first: clientOf(keys.first), second: clientOf(keys.second) };
}, START_MS);
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true });
});

describe('without a wall', () => {
  networkOutside();
});

describe.each(WALLS)('behind $wall', ({ wall, without }) => {
  describe.skipIf(without !== null)(`two submissions${skipNote(without)}`, () => {
    secrecySuite(wall, () => two);
  });
  describe.skipIf(without !== null)(`the network${skipNote(without)}`, () => {
    networkSuite(wall, () => two.first);
  });
});
