/** NeMo-Skills' operations for the OpenAPI document. */
import { z } from '@hono/zod-openapi';

import { EXAMPLES } from '../../native/examples.ts';
import type { Operation } from '../operation.ts';
import { ExecuteRequest, ExecuteResponse, SESSION_NAME_MAX, SessionList } from './schema.ts';

const SessionHeaders = z.object({
  'x-session-id': z
    .string()
    .optional()
    .describe(`Of ipython: required, 1 to ${SESSION_NAME_MAX} characters.`),
});

export const NEMO_SKILLS_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/execute',
    summary: "NeMo-Skills' wire: run a program once, or a cell of a session",
    description:
      'python, python3 and shell: each call by itself. ipython: the cells of a session are texts that are kept for an hour; a call runs them all again in a fresh jail, then its own. Where they give another output than before, stderr says so. A cell that did not come to its end leaves nothing behind. No pypy3 or lean4. Every body has process_status, stdout and stderr, for the client takes any answer for a result.',
    headers: SessionHeaders,
    request: ExecuteRequest,
    example: EXAMPLES.nemoSkills,
    answers: {
      200: ['Run.', ExecuteResponse],
      400: ['Not served here, or not JSON.', ExecuteResponse],
      413: ['The body is too large.', ExecuteResponse],
      415: ['An encoded body.', ExecuteResponse],
      422: ['Not a valid request.', ExecuteResponse],
      500: ['A fault of ours.', ExecuteResponse],
      503: ['The service is stopping.', ExecuteResponse],
    },
  },
  {
    method: 'get',
    path: '/sessions',
    summary: "NeMo-Skills' wire: a session, if it is there",
    headers: SessionHeaders,
    answers: { 200: ['OK', SessionList] },
  },
  {
    method: 'delete',
    path: '/sessions/{id}',
    summary: "NeMo-Skills' wire: end a session",
    params: z.object({ id: z.string() }),
    answers: {
      200: ['It is gone.', z.strictObject({ message: z.string() })],
      404: ['There is no such session.', z.strictObject({ error: z.string() })],
    },
  },
];
