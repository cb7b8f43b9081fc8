/** `/v1/testsets`: register, list, look at, delete. */
import type { AppContext, HTTPDeps } from '../app-env.ts';
import { Rejection } from '../../domain/errors.ts';
import type { Calibration } from '../../judge/testsets/calibrate.ts';
import type { TestsetSummary } from '../../judge/testsets/library.ts';
import { checkJSONMediaType, NDJSON_MEDIA_TYPE, parseJSON } from '../middleware/body/parse-json.ts';
import { logUnknown, toProblem } from '../middleware/errors/errors.ts';
import { readBody } from '../middleware/body/read-body.ts';
import { sendJSON } from '../send-json.ts';
import { streamLines, wantsLines, type LineStreamContext } from './line-stream.ts';
import { registerTestset, type ProblemResult } from './register-testset.ts';
import { TestsetRequest } from './schema/testset.ts';
import { parseWith } from './validation.ts';

const NAMED_AT_MOST = 20;

/**
 * Answers when all problems were tried: 200 with the set, 422 `testset_refused` naming what does not hold. With
 * `Accept: application/x-ndjson` a line for each problem as it was tried, and then a summary with the set, or the error.
 */
export async function postTestset(c: AppContext, deps: HTTPDeps): Promise<Response> {
  checkJSONMediaType(c.req.header('content-type'));
  await using held = new AsyncDisposableStack();
  const body = held.use(await readBody(c, deps));
  const wire = parseWith(TestsetRequest, parseJSON(body.take()));
  const { service, testsets, controls } = deps;
  const fields = c.get('logFields');
  Object.assign(fields, { testset: wire.id, problems: wire.problems.length });
  const begin = (signal: AbortSignal) =>
    registerTestset({ wire, service, library: testsets, controls, signal, clock: deps.clock });
  if (wantsLines(c)) {
    const progress = new RegistrationLines(wire.problems.length, { c, deps });
    const gone = new AbortController();
    const registration = begin(gone.signal);
    // The body is held for as long as problems are made of it.
    const lasting = held.move();
    c.header('Content-Type', NDJSON_MEDIA_TYPE.name);
    const lines = async function* ({ signal }: LineStreamContext): AsyncGenerator<string> {
      await using _ = lasting;
      signal.addEventListener('abort', () => gone.abort(signal.reason), { once: true });
      yield* progress.lines(registration, wire.id);
    };
    return c.body(streamLines(c, progress.summary, lines));
  }
  const registration = begin(c.req.raw.signal);
  let step = await registration.next();
  while (step.done !== true) step = await registration.next();
  const { version, results } = step.value;
  fields['refused'] = results.filter(({ result }) => result.refused !== null).length;
  if (version === null) throw refusal(results);
  const summary = toWire(await testsets.summary(wire.id));
  return sendJSON(c, { ...summary, digest: version, results: results.map(resultToWire) });
}

interface Summary {
  readonly problems: number;
  accepted: number;
  refused: number;
  testset: ReturnType<typeof toWire> | null;
  error: ReturnType<typeof toProblem> | null;
}

/** What a registration tells as it goes on. */
class RegistrationLines {
  readonly summary: Summary;
  readonly #c: AppContext;
  readonly #deps: HTTPDeps;

  constructor(problems: number, { c, deps }: { readonly c: AppContext; readonly deps: HTTPDeps }) {
    this.summary = { problems, accepted: 0, refused: 0, testset: null, error: null };
    this.#c = c;
    this.#deps = deps;
  }

  async *lines(
    registration: ReturnType<typeof registerTestset>,
    id: string,
  ): AsyncGenerator<string> {
    const { summary } = this;
    try {
      let step = await registration.next();
      while (step.done !== true) {
        if (step.value.result.refused === null) summary.accepted += 1;
        else summary.refused += 1;
        yield `${JSON.stringify(resultToWire(step.value))}\n`;
        step = await registration.next();
      }
      const { version, results } = step.value;
      if (version === null) throw refusal(results);
      const set = toWire(await this.#deps.testsets.summary(id));
      summary.testset = { ...set, digest: version };
    } catch (error) {
      // The answer has begun: what would be its status is told in its place.
      logUnknown(this.#c, error, this.#deps);
      if (error instanceof Rejection) this.#deps.service.rejected(error.code);
      summary.error = toProblem(error);
    }
  }
}

export async function listTestsets(c: AppContext, { testsets }: HTTPDeps): Promise<Response> {
  return sendJSON(c, { testsets: (await testsets.summaries()).map(toWire) });
}

/** One set with its problems and what their registration found; never their tests. */
export async function getTestset(c: AppContext, { testsets }: HTTPDeps): Promise<Response> {
  const summary = await testsets.summary(c.req.param('id') ?? '');
  const results = summary.problems.map(({ id, calibration }) => ({
    id,
    ...proofOf(calibration),
    calibration: calibrationToWire(calibration),
  }));
  return sendJSON(c, { ...toWire(summary), results });
}

export async function deleteTestset(c: AppContext, { testsets }: HTTPDeps): Promise<Response> {
  await testsets.remove(c.req.param('id') ?? '');
  return c.body(null, 204);
}

function refusal(results: readonly ProblemResult[]): Rejection {
  const errors = results.flatMap(({ id, result }, index) =>
    result.refused === null
      ? []
      : [{ path: `problems[${index}]`, message: `${id}: ${result.refused}` }],
  );
  return new Rejection('testset_refused', {
    detail: `${errors.length} of ${results.length} problems do not hold; mend them, or register the others with "partial": true`,
    errors: errors.slice(0, NAMED_AT_MOST),
  });
}

function toWire({ id, hidden, versions, problems }: TestsetSummary) {
  const all = versions.map(({ digest, registered }) => ({
    digest: `sha256:${digest}`,
    registered,
  }));
  return { id, digest: all.at(-1)?.digest ?? '', hidden, problems: problems.length, versions: all };
}

function resultToWire({ id, result: { calibration, refused } }: ProblemResult) {
  return {
    id,
    accepted: refused === null,
    reason: refused,
    ...proofOf(calibration),
    calibration: calibration === null ? null : calibrationToWire(calibration),
  };
}

const UNPROVED =
  'no references were given: nothing shows that a right program passes, in which mode, or that it does every time';

/** A problem without references is kept, and said to be unproved wherever it is told of. */
function proofOf(calibration: Calibration | null) {
  const isUnproved = calibration !== null && calibration.references === 0;
  return {
    calibrated: calibration !== null && !isUnproved,
    warning: isUnproved ? UNPROVED : null,
  };
}

function calibrationToWire({ cpuMsMax, ...rest }: Calibration) {
  return { ...rest, cpu_ms_max: cpuMsMax };
}
