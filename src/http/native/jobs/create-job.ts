/** `POST /v1/jobs`: takes in the items of a job as they come, and says yes only when all are kept. */
import { isUtf8 } from 'node:buffer';

import { Rejection } from '../../../domain/errors.ts';
import { JOB_BOUNDS } from '../../../domain/limits.ts';
import type { Payer } from '../../../domain/tenant.ts';
import { parseReference } from '../../../judge/testsets/reference.ts';
import type { NewItem } from '../../../jobs/store.ts';
import { shortage } from '../../../lib/room.ts';
import type { AppContext, HTTPDeps, Jobs } from '../../app-env.ts';
import {
  checkJSONMediaType,
  NDJSON_MEDIA_TYPE,
  parseJSON,
} from '../../middleware/body/parse-json.ts';
import {
  bodiesFull,
  readBody,
  readChunks,
  refuseEncodedBody,
} from '../../middleware/body/read-body.ts';
import { placesAt } from '../../middleware/body/places.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { createLineReader } from '../ndjson.ts';
import { JobRequest } from '../schema/job.ts';
import { invalid, parseWith } from '../validation.ts';

/** What models wrote, a part of each sample. */
const MODEL_TEXTS = placesAt('samples.*.code', 'samples.*.completion');

/** Items that are written at once, and their bytes. */
const CHUNK_ITEMS = 500;
const CHUNK_BYTES = 4 * 1024 * 1024;
const RETRY_AFTER_MS = 10_000;

/**
 * The id of the job, which is kept from here on. Throws Rejection: `jobs_full` (429), `host_full` (503), `too_large` (413: items, bytes, a line),
 * `invalid` (422: no items, a wrong field), `malformed_json` (400), `caller_gone`; nothing is kept then.
 */
export async function createJob(c: AppContext, deps: HTTPDeps, payer: Payer): Promise<string> {
  const type = c.req.header('content-type');
  const isLines = NDJSON_MEDIA_TYPE.pattern.test((type?.split(';')[0] ?? '').trim());
  if (!isLines) checkJSONMediaType(type);
  refuseEncodedBody(c);
  const { store } = deps.jobs;
  deps.checkHost();
  await checkRoom(deps, payer);
  const items = isLines ? linesOf(c, deps) : samplesOf(c, deps);
  const id = createId('job');
  await store.create({ id, payer });
  try {
    await addAll(id, items, { deps, payer });
    await store.seal(id);
  } catch (error) {
    await store.remove(id);
    throw error;
  }
  return id;
}

async function checkRoom({ jobs }: HTTPDeps, { tenant }: Payer): Promise<void> {
  const all = await jobs.store.list(tenant);
  const open = all.filter(({ endedAt }) => endedAt === null).length;
  if (open >= JOB_BOUNDS.open)
    refuse(`${open} jobs have not ended, of ${JOB_BOUNDS.open} that may be open at once`);
  if (all.length >= JOB_BOUNDS.kept)
    refuse(`${all.length} jobs are kept, of ${JOB_BOUNDS.kept}: delete some`);
  await checkBytes(jobs, tenant, 1);
}

/** Whether so many bytes more may be kept: all jobs have a room, of which one tenant's may take a share. */
async function checkBytes({ store, room }: Jobs, tenant: string, more: number): Promise<void> {
  const [all, own] = await Promise.all([store.bytes(), store.bytes(tenant)]);
  const short = shortage(room, { all, own }, more);
  if (short === 'all') refuse('jobs take all the room that there is for them: delete some');
  if (short === 'own')
    refuse('your jobs take all the room that there is for those of one tenant: delete some');
}

function refuse(detail: string): never {
  throw new Rejection('jobs_full', { detail, retryAfterMs: RETRY_AFTER_MS });
}

interface Adding {
  readonly deps: HTTPDeps;
  readonly payer: Payer;
}

/** Looks for room before each write: others' jobs grow meanwhile. */
async function addAll(
  id: string,
  items: AsyncIterable<NewItem>,
  { deps: { jobs }, payer }: Adding,
): Promise<void> {
  const most = Math.min(JOB_BOUNDS.bytes, Math.ceil(jobs.room.max * jobs.room.share));
  let chunk: NewItem[] = [];
  let [count, bytes, chunkBytes] = [0, 0, 0];
  const write = async (): Promise<void> => {
    await checkBytes(jobs, payer.tenant, chunkBytes);
    await jobs.store.add(id, chunk);
    chunk = [];
    chunkBytes = 0;
  };
  for await (const item of items) {
    const size = Buffer.byteLength(item.body);
    count += 1;
    bytes += size;
    chunkBytes += size;
    if (count > JOB_BOUNDS.items) throw tooLarge(`a job has at most ${JOB_BOUNDS.items} items`);
    if (bytes > most) throw tooLarge(`the items of a job have at most ${most} bytes together`);
    chunk.push(item);
    if (chunk.length >= CHUNK_ITEMS || chunkBytes >= CHUNK_BYTES) await write();
  }
  if (count === 0) throw invalid([{ path: '', message: 'has no items' }]);
  if (chunk.length > 0) await write();
}

function tooLarge(detail: string): Rejection {
  return new Rejection('too_large', { detail });
}

/** Judge requests as they are written; whether they are any is said in their results. */
async function* linesOf(c: AppContext, { config, clock }: HTTPDeps): AsyncGenerator<NewItem> {
  const chunks = readChunks(c, { maxBytes: null, arrival: config.arrival, clock });
  const { lines } = createLineReader(chunks, {
    maxBytes: config.bodyMaxBytes,
    budget: c.get('bodyBudget'),
  });
  for await (const line of lines) {
    using _ = { [Symbol.dispose]: line.release };
    const { number, bytes, dropped } = line;
    if (dropped === 'no_memory') throw bodiesFull();
    if (bytes === null)
      throw tooLarge(`line ${number} is longer than ${config.bodyMaxBytes} bytes`);
    if (!isUtf8(bytes))
      throw new Rejection('malformed_json', { detail: `line ${number} is not UTF-8` });
    yield { line: number, body: Buffer.from(bytes).toString('utf8') };
  }
}

/** Samples of a test set, each as a judge request of its own. */
async function* samplesOf(c: AppContext, deps: HTTPDeps): AsyncGenerator<NewItem> {
  using body = await readBody(c, deps);
  const { testset, samples, ...shared } = parseWith(
    JobRequest,
    parseJSON(body.take(), MODEL_TEXTS),
  );
  const reference = parseReference(testset);
  if (reference.problem !== null)
    throw invalid([{ path: 'testset', message: 'is a test set; samples name their problems' }]);
  const known = await deps.testsets.summary(reference.id);
  const newest = known.versions.at(-1)?.digest ?? '';
  const version = reference.digest ?? newest;
  for (const [index, { problem, ...sample }] of samples.entries()) {
    const name = problem === undefined ? reference.id : `${reference.id}/${problem}`;
    const request = { ...shared, ...sample, testset: `${name}@${version}` };
    yield { line: index + 1, body: JSON.stringify(request) };
  }
}
