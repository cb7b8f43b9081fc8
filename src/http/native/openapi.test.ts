/** The published document and the schemas agree. */
import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { BatchRequestDoc, BatchResponseDoc } from '../compat/open-r1/openapi.ts';
import { ExecuteRequestDoc, ExecuteResponseDoc } from '../compat/piston/openapi.ts';
import {
  DATASET_POSTINGS,
  DetailDoc,
  RunCodeRequestDoc,
  RunCodeResponseDoc,
  RunJupyterResponseDoc,
} from '../compat/sandbox-fusion/openapi.ts';
import { SURFACES, type Surface } from '../../domain/surfaces.ts';
import { createTestApp, post } from '../test-support/scripted-service.ts';
import { EXAMPLES } from './examples.ts';
import { datasetExample } from '../compat/sandbox-fusion/register-openapi.ts';
import { buildOpenAPIDocument } from './openapi.ts';
import { JudgeRequest } from './schema/judge.ts';
import { RunRequest } from './schema/submission.ts';

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** Paths that do as the ones described do: slashes at the end, and what clients make of a base URL. */
const OTHER_NAMES = /.\/$|^\/faas\/|^\/run_code\/run_code$|^\/api\/v2\/piston\//;

/** Pages for people, and what they load. */
const PAGES = /^\/(?:dashboard|docs)(?:\/|$)/;

describe('docs/openapi.json', () => {
  it('is what the schemas say (mend it with scripts/write-openapi.ts)', async () => {
    const file = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(buildOpenAPIDocument(SURFACES))));
  });

  it.each<[string, readonly Surface[]]>([
    ['every wire', SURFACES],
    ['no wire of others', []],
    ...SURFACES.map((surface): [string, readonly Surface[]] => [surface, [surface]]),
  ])('shows exactly what is served: %s', async (_, surfaces) => {
    const { app } = createTestApp({ config: { surfaces } });
    const shown = Document.parse(await (await app.request('/openapi.json')).json());
    const described = Object.entries(shown.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    const served = app.routes
      .filter(
        ({ method, path }) => method !== 'ALL' && !OTHER_NAMES.test(path) && !PAGES.test(path),
      )
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    // The upgrade to a WebSocket is no route.
    if (surfaces.includes('piston')) served.push('get /api/v2/connect');
    expect(described.toSorted()).toEqual([...new Set(served)].toSorted());
  });

  it('gives requests that are valid, and answers that are as described', async () => {
    expect(() => RunRequest.parse(EXAMPLES.run)).not.toThrow();
    expect(() => JudgeRequest.parse(EXAMPLES.judge)).not.toThrow();
    expect(() => RunCodeRequestDoc.parse(EXAMPLES.runCode)).not.toThrow();
    expect(() => ExecuteRequestDoc.parse(EXAMPLES.execute)).not.toThrow();
    expect(() => BatchRequestDoc.parse(EXAMPLES.executeBatch)).not.toThrow();
    const { app } = createTestApp();
    const executed = await app.request('/api/v2/execute', post(EXAMPLES.execute));
    expect(ExecuteResponseDoc.parse(await executed.json())).toMatchObject({ run: { code: 0 } });
    const items = await app.request('/execute_batch', post(EXAMPLES.executeBatch));
    expect(BatchResponseDoc.parse(await items.json())).toHaveLength(1);
    const answer = await app.request('/run_code', post(EXAMPLES.runCode));
    expect(RunCodeResponseDoc.parse(await answer.json())).toMatchObject({ status: 'Success' });
    const refused = await app.request('/run_code', post({ ...EXAMPLES.runCode, run_timeout: 0 }));
    expect(refused.status).toBe(422);
    expect(DetailDoc.parse(await refused.json()).detail).toHaveLength(1);
  });

  it('describes what Sandbox Fusion’s other endpoints answer', async () => {
    const { app } = createTestApp();
    const cells = await app.request('/run_jupyter', post({ cells: ['1'] }));
    expect(RunJupyterResponseDoc.parse(await cells.json())).toMatchObject({ status: 'Success' });
    for (const [path, , request, response] of DATASET_POSTINGS) {
      const body = datasetExample(path);
      expect(() => request.parse(body), path).not.toThrow();
      const answer = await app.request(path, post(body));
      expect([path, answer.status]).toEqual([path, 200]);
      expect(() => response.parse(JSON.parse(JSON.stringify(body))), path).toThrow();
      response.parse(await answer.json());
    }
  });

  it('has its like in the README, which is valid too', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const requests = [...readme.matchAll(/^```json\n(\{\n[\s\S]*?\n\})\n```$/gm)];
    expect(requests.length).toBeGreaterThan(0);
    for (const [, text = ''] of requests) JudgeRequest.parse(JSON.parse(text));
  });

  it('describes every field of a request', () => {
    const document = buildOpenAPIDocument(SURFACES) as {
      components: { schemas: Record<string, Schema> };
    };
    const silent = [
      'RunRequest',
      'JudgeRequest',
      'StdioCase',
      'LimitsRequest',
      'Extract',
      'StdioTests',
      'RunCodeRequest',
    ].flatMap((name) =>
      Object.entries(document.components.schemas[name]?.properties ?? {})
        .filter(
          ([, schema]) =>
            !JSON.stringify(schema).includes('"description"') &&
            !JSON.stringify(schema).includes('$ref'),
        )
        .map(([field]) => `${name}.${field}`),
    );
    expect(silent).toEqual([]);
  });
});
