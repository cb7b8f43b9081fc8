/** Puts Piston's endpoints into the OpenAPI document, and the packages with which Open R1 judges. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';

import { EXAMPLES } from '../../native/examples.ts';
import {
  ExecuteRequestDoc,
  ExecuteResponseDoc,
  PackageRequestDoc,
  PackagesDoc,
  PistonMessageDoc,
  RuntimesDoc,
} from './openapi.ts';

const json = (schema: z.ZodType, example?: unknown) => ({
  'application/json': example === undefined ? { schema } : { schema, example },
});

export function registerPiston(registry: OpenAPIHono['openAPIRegistry']): void {
  const error = (description: string) => ({ description, content: json(PistonMessageDoc) });
  registry.registerPath({
    method: 'post',
    path: '/api/v2/execute',
    summary: "Piston's wire: run a program, or judge one with the packages of Open R1",
    description:
      'An answer that takes longer than 8 s begins as a 200 with white space; its body is null where the client should ask again. The languages of the packages codeforces and cms_ioi judge: files hold the program, a test and perhaps a checker, and `run` looks like what their scripts print.',
    request: { body: { required: true, content: json(ExecuteRequestDoc, EXAMPLES.execute) } },
    responses: {
      200: {
        description: 'Answered, whatever the program did.',
        content: json(ExecuteResponseDoc),
      },
      400: error('Not a valid request.'),
      413: error('The body is too large.'),
      415: error('Not JSON.'),
      500: error('A fault of ours: ask again.'),
      503: error('No capacity, or stopping: ask again.'),
    },
  });
  const lists = [
    ['/api/v2/runtimes', 'Languages by the names of Piston', RuntimesDoc],
    ['/api/v2/packages', 'Packages by the names of Piston; all are installed', PackagesDoc],
  ] as const;
  for (const [path, summary, schema] of lists) {
    const responses = { 200: { description: 'OK', content: json(schema) } };
    registry.registerPath({ method: 'get', path, summary, responses });
  }
  const changes = [
    ['post', 'Install a package: all that there are, are', 500, 'It is installed already.'],
    ['delete', 'Uninstall a package, which is never done', 403, 'It is part of the service.'],
  ] as const;
  for (const [method, summary, status, refusal] of changes) {
    registry.registerPath({
      method,
      path: '/api/v2/packages',
      summary,
      request: { body: { required: true, content: json(PackageRequestDoc) } },
      responses: {
        400: error('Not JSON, or no object.'),
        404: error('There is no such package.'),
        413: error('The body is too large.'),
        415: error('Not JSON.'),
        [status]: error(refusal),
      },
    });
  }
  registry.registerPath({
    method: 'get',
    path: '/api/v2/connect',
    summary: "Piston's wire: talk with one program over a WebSocket",
    description:
      'Messages init, data and signal in; runtime, stage, data and exit out. Without an upgrade it is not found.',
    responses: {
      101: { description: 'The connection is a WebSocket.' },
      404: error('No upgrade was asked for.'),
    },
  });
}
