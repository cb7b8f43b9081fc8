/** The wires of others in the OpenAPI document, but for Sandbox Fusion's. Says also which are off unless switched on. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { z } from 'zod';

import { DEFAULT_SURFACES, type Surface } from '../../domain/surfaces.ts';
import { FieldErrors, SubmissionRequest, SubmissionResponse } from './judge0/schema.ts';
import { ExecuteRequest, ExecuteResponse } from './nemo-skills/schema.ts';
import {
  TestProgramError,
  TestProgramRequest,
  TestProgramResponse,
} from './open-instruct/schema.ts';
import {
  GetRewardRequest,
  GetRewardResponse,
  RemoteRMRequest,
  RemoteRMResponse,
} from './reward-model/schema.ts';
import { ProblemWire } from '../native/schema/report.ts';

type Registry = OpenAPIHono['openAPIRegistry'];

interface Operation {
  readonly surface: Surface;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly request: z.ZodType;
  readonly answers: Readonly<Record<number, readonly [string, z.ZodType]>>;
}

const OPEN_INSTRUCT = {
  surface: 'open_instruct',
  request: TestProgramRequest,
  answers: {
    200: ['Judged; a program that fails has zeros.', TestProgramResponse],
    422: ['Not a valid request.', TestProgramError],
    500: ['A fault of ours: no zeros are made up for it.', TestProgramError],
    503: ['The service is stopping or cannot serve Python.', TestProgramError],
  },
} as const;

/** Both clients try again whatever is no 2xx, and give up loudly. */
const NO_REWARD = {
  422: ['The label, the settings or the request are not valid.', ProblemWire],
  500: ['A fault of ours; there is no reward to give.', ProblemWire],
  503: ['Want of capacity: ask again.', ProblemWire],
  504: ['Not judged within the time that the client waits: ask again.', ProblemWire],
} as const;

const SETTINGS =
  'Settings of /v1/reward in the URL: ?dataset=, language=, environment=, scoring=, reward_range=-1,1, stop=, profile=.';

const POSTING: readonly Operation[] = [
  {
    ...OPEN_INSTRUCT,
    path: '/test_program',
    summary: "open-instruct's wire: statements against a program",
    description:
      'Each statement is judged by itself, in a process of its own. Where it lasts, white space comes before the answer.',
  },
  {
    ...OPEN_INSTRUCT,
    path: '/test_program_stdio',
    summary: "open-instruct's wire: inputs and outputs of a program",
    description: 'By the profile oi-stdio. Goes on after a failure.',
  },
  {
    surface: 'openrlhf',
    path: '/get_reward',
    summary: "OpenRLHF's remote reward model",
    description: SETTINGS,
    request: GetRewardRequest,
    answers: { 200: ['Judged.', GetRewardResponse], ...NO_REWARD },
  },
  {
    surface: 'slime',
    path: '/remote_rm',
    summary: "slime's remote reward model",
    description: `${SETTINGS} answer=object for an object in place of a number.`,
    request: RemoteRMRequest,
    answers: { 200: ['Judged.', RemoteRMResponse], ...NO_REWARD },
  },
  {
    surface: 'nemo_skills',
    path: '/execute',
    summary: "NeMo-Skills' wire: run a program once",
    description:
      'python, python3 and shell, each call by itself; no ipython sessions, pypy3 or lean4. Every body has process_status, stdout and stderr, for the client takes any answer for a result.',
    request: ExecuteRequest,
    answers: {
      200: ['Run.', ExecuteResponse],
      400: ['Not served here.', ExecuteResponse],
      422: ['Not a valid request.', ExecuteResponse],
      500: ['A fault of ours.', ExecuteResponse],
      503: ['The service is stopping.', ExecuteResponse],
    },
  },
  {
    surface: 'judge0',
    path: '/submissions',
    summary: "Judge0's wire: run a program on one input, and compare",
    description:
      'With ?wait=true the whole answer, else {"token"}, for GET /submissions/{token}. ?base64_encoded=true, ?fields=. Also POST and GET /submissions/batch, GET /languages and /statuses.',
    request: SubmissionRequest,
    answers: {
      201: ['The result, or its token.', SubmissionResponse],
      400: ['Not a valid request.', FieldErrors],
      422: ['Fields that are not valid.', FieldErrors],
      503: ['No place for it, or the service is stopping.', FieldErrors],
    },
  },
];

export function registerSurfaces(registry: Registry): void {
  for (const { surface, path, summary, description, request, answers } of POSTING) {
    const isOn = DEFAULT_SURFACES.includes(surface);
    registry.registerPath({
      method: 'post',
      path,
      summary,
      description: isOn ? description : `${description} Off unless \`surfaces\` names ${surface}.`,
      request: { body: { required: true, content: json(request) } },
      responses: Object.fromEntries(
        Object.entries(answers).map(([status, [text, schema]]) => [
          status,
          { description: text, content: json(schema) },
        ]),
      ),
    });
  }
}

function json(schema: z.ZodType) {
  return { 'application/json': { schema } };
}
