/** Judge0's operations for the OpenAPI document. */
import { z } from '@hono/zod-openapi';

import { EXAMPLES } from '../../native/examples.ts';
import type { Operation } from '../operation.ts';
import {
  BATCH_MAX,
  FieldErrors,
  LanguageList,
  StatusList,
  SubmissionRequest,
  SubmissionResponse,
  TOKENS_MAX,
} from './schema.ts';
import { orNull } from '../../schema-words.ts';

const Query = z.object({
  base64_encoded: z.string().optional().describe('true: texts are base64, both ways.'),
  fields: z.string().optional().describe('Names of fields, separated by commas; * for all.'),
});
const Waiting = Query.extend({
  wait: z.string().optional().describe('true: the answer is the result.'),
});
const Tokens = Query.extend({
  tokens: z.string().describe(`1 to ${TOKENS_MAX}, separated by commas.`),
});

const ERRORS = {
  400: ['Not a valid request.', FieldErrors],
  413: ['The body is too large.', FieldErrors],
  415: ['An encoded body.', FieldErrors],
} as const;
const NO_PLACE = {
  500: ['A fault of ours.', FieldErrors],
  503: ['No place for it, or the service is stopping.', FieldErrors],
} as const;

export const JUDGE0_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/submissions',
    summary: "Judge0's wire: run a program on one input, and compare",
    description: 'With ?wait=true the whole answer, else {"token"}, for GET /submissions/{token}.',
    query: Waiting,
    request: SubmissionRequest,
    example: EXAMPLES.judge0,
    answers: {
      201: ['The result, or its token.', SubmissionResponse],
      ...ERRORS,
      422: ['Fields that are not valid.', FieldErrors],
      ...NO_PLACE,
    },
  },
  {
    method: 'get',
    path: '/submissions/{token}',
    summary: "Judge0's wire: a result, or how far it is",
    params: z.object({ token: z.string() }),
    query: Query,
    answers: {
      200: ['As it is now.', SubmissionResponse],
      400: ERRORS[400],
      404: ['No submission has this token.', FieldErrors],
    },
  },
  {
    method: 'post',
    path: '/submissions/batch',
    summary: "Judge0's wire: many submissions, a token each",
    query: Query,
    request: z.looseObject({ submissions: z.array(SubmissionRequest).min(1).max(BATCH_MAX) }),
    example: { submissions: [EXAMPLES.judge0] },
    answers: {
      201: [
        'In order: the token, or what is wrong.',
        z.array(z.union([SubmissionResponse, FieldErrors])),
      ],
      ...ERRORS,
      ...NO_PLACE,
    },
  },
  {
    method: 'get',
    path: '/submissions/batch',
    summary: "Judge0's wire: many results",
    query: Tokens,
    answers: {
      200: [
        'In order; null for a token that is not known.',
        z.strictObject({ submissions: z.array(orNull(SubmissionResponse)) }),
      ],
      400: ERRORS[400],
    },
  },
  {
    method: 'get',
    path: '/languages',
    summary: "Judge0's wire: the languages that are served",
    answers: { 200: ['OK', LanguageList] },
  },
  {
    method: 'get',
    path: '/statuses',
    summary: "Judge0's wire: what may become of a submission",
    answers: { 200: ['OK', StatusList] },
  },
];
