/**
 * Chaos: every second something is killed (jails, supervisors, warm runtimes, launchers, Redis, whole replicas), under load of
 * three tenants through the HAProxy configuration that is shipped, and jobs beside it. Then everything has to be there again:
 * no wrong verdict, nothing lost that was taken, no reward with a fault, nothing left.
 *
 * `npm run prove:chaos -- [MINUTES] [SEED] [FILE]`: ten minutes, a seed from the clock, figures as JSON to `.assay/chaos.json`.
 * Needs redis-server and haproxy (Debian).
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createRandom } from '../bench/lib/random.ts';
import { haproxyMissing, startHaproxy } from '../test/support/haproxy.ts';
import { groupParents, groupsOf } from '../test/support/host-snapshot.ts';
import { freePorts } from '../test/support/ports.ts';
import { descendants } from '../test/support/process-tree.ts';
import { projectFile } from '../test/support/project.ts';
import { redisMissing } from '../test/support/redis.ts';
import { startService, temporaryFolder } from '../test/support/service.ts';
import { writeTenants } from '../test/support/tenants.ts';
import { settle, waitFor } from '../test/support/wait.ts';
import { handIn, insist, look, newFindings, type Sender, type TakenJob } from './chaos/load.ts';
import {
  identityOf,
  killOne,
  LastingRedis,
  PARTS,
  Place,
  replicaOptions,
} from './chaos/victims.ts';

const TENANTS = { 'team-a': {}, 'team-b': {}, 'team-c': {} };
const LANES = 2;
const STEP_MS = 1000;
const JOB_EVERY_MS = 20_000;
const JOB_ITEMS = 20;
/** After the last kill: everything is there again, and all that was taken has its end, ms. */
const AFTER_MS = 240_000;
/** Of a job's items, which are tried three times each, so many may end with a fault. */
const ITEM_FAULTS_MAX = 0.02;
/** Of each kind, how often it is chosen; without one of each nothing is proved. */
const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ jail: 4, supervisor: 4, 'warm runtime': 4, launcher: 3, redis: 1, replica: 1 },
};

const [minutes = '10', seed = String(Date.now() % 1_000_000), out] = process.argv.slice(2);
const file = out ?? projectFile('.assay', 'chaos.json');
const missing = redisMissing() ?? haproxyMissing();
if (missing !== null) throw new Error(missing);
const random = createRandom(Number(seed));

const troubles: string[] = [];
/** What is to be ended whatever happens. */
await using held = new AsyncDisposableStack();
const folder = await temporaryFolder();
held.defer(async () => await rm(folder, { recursive: true, force: true }));
const redisFolder = path.join(folder, 'redis');
await mkdir(redisFolder);
const keys = Object.values(await writeTenants(path.join(folder, 'tenants.json'), TENANTS));
const redis = new LastingRedis(redisFolder);
await redis.begin();
held.defer(async () => await redis.stop());
const ports = await freePorts(3);
const options = { redisUrl: redis.url, tenants: path.join(folder, 'tenants.json') };
const places = ports.map(
  (port) =>
    new Place(async (stateDir) => {
      const own = replicaOptions(port, options);
      return await startService({ ...own, ...(stateDir === undefined ? {} : { stateDir }) });
    }),
);
held.defer(async () => {
  for (const place of places) await endPlace(place);
});
await Promise.all(places.map((place) => place.begin()));
const haproxy = held.adopt(await startHaproxy(ports), async (each) => await each.stop());

const findings = newFindings();
const kills = new Map<string, number>();
/** By number and start. */
const processes = new Set<string>();
const groups = new Set<string>();
const since = performance.now();
const endAt = since + Number(minutes) * 60_000;

const pending = new Set<Promise<void>>();
const senders = keys.map((key): Sender => ({ url: haproxy.url, key, findings }));
const lanes = senders.flatMap((sender, tenant) =>
  Array.from({ length: LANES }, (_, lane) => load(sender, tenant * LANES + lane)),
);
const jobs = senders.map((sender, tenant) => handInJobs(sender, tenant));
while (performance.now() < endAt) {
  const began = performance.now();
  strike();
  note();
  await sleep(Math.max(0, STEP_MS - (performance.now() - began)));
}
await Promise.all(pending);
const struckS = (performance.now() - since) / 1000;
await Promise.all(lanes);
const untilMs = performance.now() + AFTER_MS;
await Promise.all(
  (await Promise.all(jobs)).map(async (taken, at) => {
    const sender = senders[at];
    if (sender !== undefined) for (const job of taken) await look(sender, job, untilMs);
  }),
);
await recovered();
await end();
const figures = toFigures();
await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
console.table(
  Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) =>
      typeof value === 'object' ? [] : [[name, String(value)]],
    ),
  ),
);
console.table(Object.fromEntries(kills));
for (const trouble of [...findings.wrong, ...troubles]) console.error(trouble);
process.exitCode = figures.isProved ? 0 : 1;

async function load(sender: Sender, lane: number): Promise<void> {
  for (let number = 0; performance.now() < endAt; number += 1)
    await insist(sender, number, `${lane}-${number}`);
}

async function handInJobs(sender: Sender, tenant: number): Promise<readonly TakenJob[]> {
  const taken: TakenJob[] = [];
  for (let number = 0; performance.now() < endAt - JOB_EVERY_MS; number += 1) {
    const job = await handIn(sender, tenant + number, JOB_ITEMS);
    if (job !== null) taken.push(job);
    await sleep(JOB_EVERY_MS);
  }
  return taken;
}

/** Kills something. One replica at a time: clients of the others are to find somebody. */
function strike(): void {
  const kind = chosen();
  const alive = places.filter(({ service }) => service !== null);
  const place = alive[Math.floor(random.next() * alive.length)];
  if (kind === 'redis') {
    if (redis.isUp) begin(kind, redis.crash());
    return;
  }
  if (kind === 'replica') {
    if (place !== undefined && alive.length === places.length) begin(kind, place.crash());
    return;
  }
  const service = place?.service ?? null;
  const part = PARTS[kind];
  if (service === null || part === undefined) return;
  if (killOne(part(service), random.next())) kills.set(kind, (kills.get(kind) ?? 0) + 1);
}

function begin(kind: string, work: Promise<void>): void {
  kills.set(kind, (kills.get(kind) ?? 0) + 1);
  const settled = work
    .catch((error: unknown) => void troubles.push(`${kind}: ${String(error)}`))
    .finally(() => pending.delete(settled));
  pending.add(settled);
}

function chosen(): string {
  const sum = Object.values(WEIGHTS).reduce((all, weight) => all + weight, 0);
  let left = random.next() * sum;
  for (const [kind, weight] of Object.entries(WEIGHTS)) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'jail';
}

/** What there is, so that it can be looked for at the end. */
function note(): void {
  for (const { service } of places) {
    if (service === null) continue;
    for (const { pid } of descendants(service.pid)) {
      const identity = identityOf(pid);
      if (identity !== null) processes.add(identity);
    }
    for (const group of [...groupsOf(service.pid), ...groupParents(service.pid)]) groups.add(group);
  }
}

async function recovered(): Promise<void> {
  const isWell = async (): Promise<true | null> => {
    for (const { service } of places) {
      const answer = service === null ? null : await service.client.get('/readyz');
      if (answer?.status !== 200 || !JSON.stringify(answer.body).includes('"degraded":[]'))
        return null;
    }
    for (const [at, sender] of senders.entries())
      await insist(sender, at, `well-${at}-${random.next()}`);
    return true;
  };
  await waitFor(isWell, { what: 'recovery', timeoutMs: AFTER_MS }).catch(
    (error: unknown) => void troubles.push(String(error)),
  );
}

/** Also tells what it leaves behind. */
async function endPlace({ service }: Place): Promise<void> {
  await service?.stop({ keepState: true }).catch((error: unknown) => {
    troubles.push(`end: ${String(error)}`);
  });
  if (service === null) return;
  const left = await readdir(service.stateDir, { recursive: true });
  const own = left.filter((name) => name.endsWith('.sock'));
  if (own.length > 0) troubles.push(`left in the state folder: ${own.join(', ')}`);
  await rm(service.stateDir, { recursive: true, force: true });
}

async function end(): Promise<void> {
  note();
  await held.disposeAsync();
  const left = await settle(
    () => [...processes].filter((each) => identityOf(Number.parseInt(each)) === each),
    (found) => found.length === 0,
    20_000,
  );
  if (left.length > 0) troubles.push(`processes left: ${left.join(', ')}`);
  const folders = await settle(
    () => [...groups].filter((group) => existsSync(group)),
    (found) => found.length === 0,
    20_000,
  );
  if (folders.length > 0) troubles.push(`control groups left: ${folders.join(', ')}`);
}

function toFigures() {
  const { statuses, waitsMs, wrong, ...counts } = findings;
  const sorted = waitsMs.toSorted((a, b) => a - b);
  const quantile = (q: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0);
  if (findings.itemFaults > findings.items * ITEM_FAULTS_MAX)
    wrong.push(`${findings.itemFaults} of ${findings.items} items of jobs ended with a fault`);
  const isTried =
    Object.keys(WEIGHTS).every((kind) => kills.has(kind)) &&
    findings.answered > 0 &&
    findings.jobs > 0;
  const isProved = isTried && wrong.length === 0 && troubles.length === 0;
  return {
    isProved,
    isTried,
    seed: Number(seed),
    seconds: Math.round(struckS),
    kills: [...kills.values()].reduce((sum, each) => sum + each, 0),
    ...counts,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    maxMs: quantile(1),
    wrongCount: wrong.length,
    troubleCount: troubles.length,
    killsByKind: Object.fromEntries(kills),
    statuses: Object.fromEntries(statuses),
    wrong: wrong.slice(0, 100),
    troubles: troubles.slice(0, 100),
  };
}
