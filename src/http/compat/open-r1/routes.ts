/** The path of Open R1's routers, as its clients call them. A thin adapter: no features of its own. */
import { Hono } from 'hono';

import { FAULTS, REJECTIONS, Rejection, toFault } from '../../../domain/errors.ts';
import type { Limits } from '../../../domain/limits.ts';
import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import { NOT_TEXT } from '../../../judge/program.ts';
import { knownCaller, serving } from '../../middleware/caller/caller.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { placesAt } from '../../middleware/body/places.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { logUnknown, methodNotAllowed } from '../../middleware/errors/errors.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { patiently } from '../../native/reward/patience.ts';
import { untilGone } from '../hold-open.ts';
import { callerGone, sendSteadily, type SteadyAnswer } from '../steady-answer.ts';
import { failedItem, limitsOf, parseBatch, type BatchItem, type BatchRequest } from './schema.ts';
import { ofCells, ofRun, toCell, toProgram, type Script } from './translate.ts';

const SCRIPTS = placesAt('scripts.*');
/** The Morph client gives up after so much silence as its caller says: 96 s and, by default, 60. */
const SILENCE_MS = 8000;

export function openR1Routes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use('/execute_batch', knownCaller(deps));
  app.post('/execute_batch', (c) => executeBatch(c, serving(c, deps)));
  app.all('/execute_batch', methodNotAllowed(['POST']));
  app.onError((error, c) => {
    logUnknown(c, error, deps);
    if (error instanceof Rejection) c.set('rejection', error.code);
    const status = error instanceof Rejection ? REJECTIONS[error.code].status : 500;
    // The E2B client goes through whatever it gets as a list.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Hono's list of codes lacks 499, which no caller is left to read
    return c.json([], status as 200);
  });
  return app;
}

async function executeBatch(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { clock } = deps;
  const parsed = parseBatch(await readJSON(c, deps));
  if (!parsed.ok) {
    c.set('rejection', 'invalid');
    return c.json(
      Array.from({ length: parsed.count }, () => failedItem(parsed.message)),
      422,
    );
  }
  const { signal, leave } = untilGone(c, callerGone);
  const answer = runAll(c, deps, parsed.request, signal).then((body): SteadyAnswer => ({
    status: 200,
    body,
  }));
  return await sendSteadily(c, answer, { clock, silenceMs: SILENCE_MS, cancel: leave });
}

async function readJSON(c: AppContext, deps: HTTPDeps): Promise<unknown> {
  using held = await readBody(c, deps);
  return parseJSON(held.take(), SCRIPTS);
}

/** One item per script, in their order. As many are under way at once as of a batch; never rejects. */
async function runAll(
  c: AppContext,
  deps: HTTPDeps,
  request: BatchRequest,
  signal: AbortSignal,
): Promise<readonly BatchItem[]> {
  const { scripts, languages } = request;
  const limits = limitsOf(request, deps.service.maxima);
  const items: BatchItem[] = [];
  const left = scripts.entries();
  const lane = async (): Promise<void> => {
    for (const [index, text] of left) {
      const name = languages[index] ?? '';
      items[index] = await runOne(c, deps, { text, name, limits }, signal);
    }
  };
  const lanes = Math.min(scripts.length, deps.config.batch.inFlightMax);
  await Promise.all(Array.from({ length: lanes }, lane));
  c.get('logFields')['scripts'] = items.length;
  return items;
}

interface Wanted {
  readonly text: string;
  /** Of a language. */
  readonly name: string;
  readonly limits: Limits;
}

async function runOne(
  c: AppContext,
  deps: HTTPDeps,
  { text, name, limits }: Wanted,
  signal: AbortSignal,
): Promise<BatchItem> {
  const { service, clock } = deps;
  const language = service.language(name) ?? service.language(name.toLowerCase());
  if (language === null) return failedItem(`unknown language ${JSON.stringify(name.slice(0, 64))}`);
  if (!text.isWellFormed()) return failedItem(`the script ${NOT_TEXT}`);
  const script: Script = { id: createId('run'), text, language, limits };
  const context = { signal, deadlineMs: null };
  const wait = { clock, signal, deadlineAt: null };
  try {
    if (!language.hasCells) {
      return ofRun(await patiently(() => service.run(toProgram(script), context), wait));
    }
    return ofCells(await patiently(() => service.runCells(toCell(script), context), wait));
  } catch (error) {
    logUnknown(c, error, deps);
    if (!(error instanceof Rejection)) return failedItem(FAULTS[toFault(error).code].message);
    service.rejected(error.code);
    return failedItem(error.context.detail);
  }
}
