/** The endpoints of sessions and snapshots in the OpenAPI document. */
import { z, type OpenAPIHono } from '@hono/zod-openapi';

import { KEYS_MAX } from '../../../sessions/session.ts';
import {
  ExecRequest,
  ExecResponse,
  FileChange,
  ForkRequest,
  ForkResponse,
  ReplayResponse,
  RestoreRequest,
  SessionList,
  SessionLog,
  SessionRequest,
  SessionWire,
  SessionsDestroyed,
  SnapshotList,
  SnapshotRequest,
  SnapshotWire,
  TreeWire,
} from '../schema/session.ts';

type Registry = OpenAPIHono['openAPIRegistry'];
type Content = Record<string, { schema: z.ZodType }>;

const json = (schema: z.ZodType): Content => ({ 'application/json': { schema } });
const BYTES: Content = {
  'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) },
};
const NONE = { 204: { description: 'Gone.' } };

const label = z.array(z.string()).optional();
const filePath = z.string().describe('Relative to the work folder.');
const KeyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe(
      `The id of the step: sent again, it gets the same answer, or 422 where that was too long to be kept or is gone; of the last ${KEYS_MAX} steps none is done twice.`,
    ),
});

interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: Content;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly answer: Record<number, { description: string; content?: Content }>;
}

const ok = (schema: z.ZodType, status = 200) => ({
  [status]: { description: 'OK', content: json(schema) },
});
const labels = z.object({
  label: label.describe('name=value, once or more often; all of them have to be there.'),
});
const SESSION = '/v1/sessions/{id}';
const SNAPSHOT = '/v1/snapshots/{id}';

const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/sessions',
    summary: 'Make a session: a work folder in which things are run',
    description:
      'It costs memory for its files alone while nothing runs. Each exec is a run like any: a fresh jail of the pool, the same walls and limits, a place in the queue.',
    body: json(SessionRequest),
    answer: ok(SessionWire, 201),
  },
  {
    method: 'get',
    path: '/v1/sessions',
    summary: 'Your sessions',
    query: labels,
    answer: ok(SessionList),
  },
  {
    method: 'delete',
    path: '/v1/sessions',
    summary: 'Destroy your sessions with these labels',
    query: labels,
    answer: ok(SessionsDestroyed),
  },
  { method: 'get', path: SESSION, summary: 'How a session is', answer: ok(SessionWire) },
  {
    method: 'delete',
    path: SESSION,
    summary: 'Destroy a session, and end what runs in it',
    answer: NONE,
  },
  {
    method: 'post',
    path: `${SESSION}/exec`,
    summary: 'Run a command or a program in the work folder',
    description:
      'All processes end with it. A fault of ours is tried again on another jail, and leaves the folder as it was.',
    body: json(ExecRequest),
    headers: KeyHeader,
    answer: ok(ExecResponse),
  },
  {
    method: 'get',
    path: `${SESSION}/files`,
    summary: 'The bytes of a file',
    query: z.object({ path: filePath }),
    answer: { 200: { description: 'Its bytes; `Assay-Mode`: its mode.', content: BYTES } },
  },
  {
    method: 'put',
    path: `${SESSION}/files`,
    summary: 'Write a file, its folders with it',
    query: z.object({
      path: filePath,
      mode: z.string().optional().describe('Three octal digits. Default: 644.'),
    }),
    body: BYTES,
    answer: ok(FileChange),
  },
  {
    method: 'delete',
    path: `${SESSION}/files`,
    summary: 'Remove a file, a link, or a folder with all in it',
    query: z.object({ path: filePath }),
    answer: NONE,
  },
  { method: 'get', path: `${SESSION}/tree`, summary: 'All entries', answer: ok(TreeWire) },
  {
    method: 'post',
    path: `${SESSION}/snapshots`,
    summary: 'Keep the work folder as it is',
    body: json(SnapshotRequest),
    answer: ok(SnapshotWire, 201),
  },
  {
    method: 'post',
    path: `${SESSION}/restore`,
    summary: 'Make the work folder what a snapshot kept',
    body: json(RestoreRequest),
    answer: ok(SessionWire),
  },
  {
    method: 'get',
    path: `${SESSION}/log`,
    summary: 'What was done, each step with the digest it led to',
    answer: ok(SessionLog),
  },
  {
    method: 'post',
    path: `${SESSION}/replay`,
    summary: 'Do it all again in a session of its own, and compare',
    answer: ok(ReplayResponse),
  },
  { method: 'get', path: '/v1/snapshots', summary: 'Your snapshots', answer: ok(SnapshotList) },
  { method: 'get', path: SNAPSHOT, summary: 'A snapshot', answer: ok(SnapshotWire) },
  {
    method: 'delete',
    path: SNAPSHOT,
    summary: 'Forget a snapshot; what was made of it stays',
    answer: NONE,
  },
  {
    method: 'post',
    path: `${SNAPSHOT}/fork`,
    summary: 'Make sessions of a snapshot, each with a seed of its own',
    body: json(ForkRequest),
    answer: ok(ForkResponse),
  },
];

/** `problems`: the answers that all endpoints have in common. */
export function registerSessions(registry: Registry, problems: object): void {
  const params = z.object({ id: z.string() });
  for (const { method, path, summary, description, body, query, headers, answer } of OPERATIONS) {
    registry.registerPath({
      method,
      path,
      summary,
      ...(description === undefined ? {} : { description }),
      request: {
        ...(path.includes('{id}') ? { params } : {}),
        ...(query === undefined ? {} : { query }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body: { required: true, content: body } }),
      },
      responses: { ...problems, ...answer },
    });
  }
}
