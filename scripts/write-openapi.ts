/** Writes docs/openapi.json, of a service with all wires, from the schemas; a test fails when the file and the schemas differ. */
import { writeFile } from 'node:fs/promises';

import { SURFACES } from '../src/domain/surfaces.ts';
import { buildOpenAPIDocument } from '../src/http/native/openapi.ts';

const target = new URL('../docs/openapi.json', import.meta.url);
await writeFile(target, `${JSON.stringify(buildOpenAPIDocument(SURFACES), null, 2)}\n`);
