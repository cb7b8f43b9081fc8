/** open-instruct's paths, as its reward function calls them. A thin adapter: no features of its own. */
import { Hono } from 'hono';

import type { AppContext, AppEnv, HTTPDeps } from '../../app-env.ts';
import type { JudgeReport } from '../../../domain/report.ts';
import { inParallel } from '../../../lib/in-parallel.ts';
import { knownCaller, serving } from '../../middleware/caller/caller.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import { placesAt } from '../../middleware/body/places.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { logUnknown, methodNotAllowed } from '../../middleware/errors/errors.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { patiently } from '../../native/reward/patience.ts';
import { parseJudgeRequest, toJudgeSubmission } from '../../native/to-judge-submission.ts';
import { parseWith } from '../../native/validation.ts';
import { answerHeld } from '../answer-held.ts';
import { toDetailError } from '../fastapi.ts';
import { TestProgramRequest, type TestProgramResponse } from './schema.ts';
import {
  allFailed,
  hasRefusedWord,
  NO_RESULTS,
  toJudgeBodies,
  toResponse,
  toRowText,
  toTests,
  type Endpoint,
} from './translate.ts';
import { sendBody } from '../send-body.ts';

const PATHS: Readonly<Record<string, Endpoint>> = {
  '/test_program': 'code',
  '/test_program_stdio': 'code_stdio',
};

const PROGRAM = placesAt('program');
/** The client bears 30 s of silence at least. */
const SILENCE_MS = 20_000;
/** Statements of one request that are judged at once. */
const AT_ONCE = 4;

export function openInstructRoutes(deps: HTTPDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const [path, endpoint] of Object.entries(PATHS)) {
    app.use(path, knownCaller(deps));
    app.post(path, (c) => testProgram(c, serving(c, deps), endpoint));
    app.all(path, methodNotAllowed(['POST']));
  }
  app.onError((error, c) => {
    logUnknown(c, error, deps);
    return sendBody(c, toDetailError(error));
  });
  return app;
}

async function testProgram(c: AppContext, deps: HTTPDeps, endpoint: Endpoint): Promise<Response> {
  // Held while the work goes on, since the tests are.
  await using held = new AsyncDisposableStack();
  const body = held.use(await readBody(c, deps));
  const request = parseWith(TestProgramRequest, parseJSON(body.take(), PROGRAM));
  const lasting = held.move();
  return await answerHeld(c, deps, {
    silenceMs: SILENCE_MS,
    async work(signal) {
      await using _ = lasting;
      const answer = await results(request, { deps, endpoint, signal });
      const passed = answer.results.filter((each) => each === 1).length;
      Object.assign(c.get('logFields'), { tests: answer.results.length, passed });
      return answer;
    },
    afterwards: (error) => toDetailError(error).body,
  });
}

interface Work {
  readonly deps: HTTPDeps;
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
}

/** Waits where the queue is full, for this client takes any error for a program that earned nothing. */
async function results(
  { program, tests: given, max_execution_time: seconds }: TestProgramRequest,
  { deps, endpoint, signal }: Work,
): Promise<TestProgramResponse> {
  const { service, clock, rows, config } = deps;
  const text = toRowText(given, endpoint);
  const tests = toTests(await rows.read({ text, schema: 'open_instruct' }), given);
  if (tests === null) return NO_RESULTS;
  const isRefused = endpoint === 'code' && config.openInstructWords && hasRefusedWord(program);
  // There, such text cannot be executed either.
  if (isRefused || !program.isWellFormed()) return allFailed(tests);
  const bodies = toJudgeBodies({ program, seconds }, tests, endpoint);
  const judge = async (body: object): Promise<JudgeReport> => {
    const resolution = { maxima: service.maxima, id: createId('jdg') };
    const submission = toJudgeSubmission(parseJudgeRequest(body), resolution);
    // A request is one line of the log, however many statements it has.
    return await patiently(
      (deadlineMs) => service.judge(submission, { signal, deadlineMs, isTold: true }),
      { clock, signal, deadlineAt: null },
    );
  };
  const reports = await inParallel(bodies, { most: AT_ONCE, work: judge });
  return toResponse(reports, seconds);
}
