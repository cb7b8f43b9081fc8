/** `/v1/testsets`: register, list, look at, delete. */
import type { AppContext, HTTPDeps } from '../app-env.ts';
import { Rejection } from '../../domain/errors.ts';
import type { Calibration } from '../../judge/testsets/calibrate.ts';
import type { TestsetSummary } from '../../judge/testsets/library.ts';
import { checkJSONMediaType, parseJSON } from '../middleware/body/parse-json.ts';
import { readBody } from '../middleware/body/read-body.ts';
import { sendJSON } from '../send-json.ts';
import { registerTestset, type ProblemResult } from './register-testset.ts';
import { TestsetRequest } from './schema/testset.ts';
import { parseWith } from './validation.ts';

const NAMED_AT_MOST = 20;

/** Answers when all problems were tried: 200 with the set, 422 `testset_refused` naming what does not hold. */
export async function postTestset(c: AppContext, deps: HTTPDeps): Promise<Response> {
  checkJSONMediaType(c.req.header('content-type'));
  using body = await readBody(c, deps);
  const wire = parseWith(TestsetRequest, parseJSON(body.take()));
  const { service, testsets, controls } = deps;
  const fields = c.get('logFields');
  Object.assign(fields, { testset: wire.id, problems: wire.problems.length });
  const { version, results } = await registerTestset({
    wire,
    service,
    library: testsets,
    controls,
    signal: c.req.raw.signal,
  });
  const refused = results.filter(({ result }) => result.refused !== null);
  fields['refused'] = refused.length;
  if (version === null) throw refusal(results);
  const summary = toWire(await testsets.summary(wire.id));
  return sendJSON(c, { ...summary, digest: version, results: results.map(resultToWire) });
}

export async function listTestsets(c: AppContext, { testsets }: HTTPDeps): Promise<Response> {
  return sendJSON(c, { testsets: (await testsets.summaries()).map(toWire) });
}

/** One set with its problems and what their registration found; never their tests. */
export async function getTestset(c: AppContext, { testsets }: HTTPDeps): Promise<Response> {
  const summary = await testsets.summary(c.req.param('id') ?? '');
  const results = summary.problems.map(({ id, calibration }) => ({
    id,
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
    calibration: calibration === null ? null : calibrationToWire(calibration),
  };
}

function calibrationToWire({ cpuMsMax, ...rest }: Calibration) {
  return { ...rest, cpu_ms_max: cpuMsMax };
}
