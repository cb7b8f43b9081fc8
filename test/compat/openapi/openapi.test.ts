/**
 * schemathesis, unchanged, against the whole service by the OpenAPI document that it shows: no 5xx, only the statuses, media
 * types and bodies that are described, 4xx for what is not valid, and the document's own examples answered well.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { SURFACES } from '../../../src/domain/surfaces.ts';
import { getPythonClient } from '../../support/python-client.ts';
import { startService, type RunningService } from '../../support/service.ts';

/** What schemathesis asks for. */
const PYTHON_MINOR = 11;
const found = await getPythonClient('openapi', PYTHON_MINOR);
const note =
  found.kind === 'unreachable' ? ` — SKIPPED, it cannot be fetched: ${found.reason}` : '';

/** Some twenty seconds at rest. */
const TIMEOUT_MS = 240_000;
/** Requests that it makes of the document; a few less with another Python. */
const CASES_MIN = 2000;

const Result = z.looseObject({
  code: z.int(),
  output: z.string(),
  report: z
    .looseObject({
      complete: z.boolean(),
      operations: z.looseObject({ total: z.int(), tested: z.int(), errored: z.int() }),
      test_cases: z.looseObject({ generated: z.int() }),
    })
    .nullable(),
});

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

describe.skipIf(found.kind === 'unreachable')(`schemathesis${note}`, () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({
      languages: ['python', 'cpp', 'bash'],
      flags: { '--surfaces': SURFACES.join(',') },
    });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service?.stop();
  }, TIMEOUT_MS);

  it(
    'finds the service to be as its document says, in every operation',
    { timeout: TIMEOUT_MS },
    async () => {
      if (found.kind === 'unreachable') throw new Error(found.reason);
      const shown = Document.parse(await (await fetch(`${service.url}/openapi.json`)).json());
      const operations = Object.values(shown.paths).flatMap((each) => Object.keys(each)).length;
      const { code, output, report } = Result.parse(
        await found.drive('driver.py', { url: service.url }),
      );
      expect(code, output).toBe(0);
      // It leaves out the operation that it has the document from.
      const tried = operations - 1;
      expect(report).toMatchObject({
        complete: true,
        operations: { total: tried, tested: tried, errored: 0 },
      });
      expect(report?.test_cases.generated).toBeGreaterThan(CASES_MIN);
      const { status } = await fetch(`${service.url}/readyz`);
      expect(status).toBe(200);
    },
  );
});
