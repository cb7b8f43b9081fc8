/** The published document and the schemas agree. */
import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { createTestApp } from '../test-support/scripted-service.ts';
import { buildOpenAPIDocument } from './openapi.ts';

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

describe('docs/openapi.json', () => {
  it('is what the schemas say (mend it with scripts/write-openapi.ts)', async () => {
    const file = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(buildOpenAPIDocument())));
  });

  it('is what the service shows', async () => {
    const response = await createTestApp().app.request('/openapi.json');
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(buildOpenAPIDocument())));
  });

  it('describes every field of a request', () => {
    const document = buildOpenAPIDocument() as { components: { schemas: Record<string, Schema> } };
    const silent = [
      'RunRequest',
      'JudgeRequest',
      'StdioCase',
      'LimitsRequest',
      'Extract',
      'StdioTests',
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
