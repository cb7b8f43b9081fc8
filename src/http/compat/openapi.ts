/** The wires of others in the OpenAPI document: of those that are on, every operation. */
import { z, type OpenAPIHono } from '@hono/zod-openapi';

import { DEFAULT_SURFACES, SURFACES, type Surface } from '../../domain/surfaces.ts';
import { EXAMPLES } from '../native/examples.ts';
import { ProblemWire } from '../native/schema/report.ts';
import { HEALTH_SURFACES } from './health.ts';
import { JUDGE0_OPERATIONS } from './judge0/openapi.ts';
import { NEMO_SKILLS_OPERATIONS } from './nemo-skills/openapi.ts';
import { registerOpenR1 } from './open-r1/register-openapi.ts';
import { type Operation, registerOperation } from './operation.ts';
import { registerPiston } from './piston/register-openapi.ts';
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
import { registerSandboxFusion } from './sandbox-fusion/register-openapi.ts';

type Registry = OpenAPIHono['openAPIRegistry'];

const OPEN_INSTRUCT = {
  method: 'post',
  request: TestProgramRequest,
  answers: {
    200: ['Judged; a program that fails has zeros.', TestProgramResponse],
    422: ['Not a valid request.', TestProgramError],
    500: ['A fault of ours: no zeros are made up for it.', TestProgramError],
    503: ['The service is stopping or cannot serve Python.', TestProgramError],
  },
} as const;

const problem = (text: string) => [text, ProblemWire, 'application/problem+json'] as const;

/** Both clients try again whatever is no 2xx, and give up loudly. */
const NO_REWARD = {
  400: problem('Not JSON.'),
  413: problem('The body is too large.'),
  415: problem('An encoded body.'),
  422: problem('The label, the settings or the request are not valid.'),
  500: problem('A fault of ours; there is no reward to give.'),
  503: problem('Want of capacity: ask again.'),
  504: problem('Not judged within the time that the client waits: ask again.'),
} as const;

const HEALTH: Operation = {
  method: 'get',
  path: '/health',
  summary:
    "The wires of NeMo-Skills, open-instruct and Open R1's routers: whether the service is there",
  answers: {
    200: ['It is.', z.strictObject({ status: z.string(), worker: z.string().optional() })],
  },
};

const SETTINGS =
  'Settings of /v1/reward in the URL: ?dataset=, language=, environment=, scoring=, reward_range=-1,1, stop=, profile=.';

const OPERATIONS: Readonly<Partial<Record<Surface, readonly Operation[]>>> = {
  open_instruct: [
    {
      ...OPEN_INSTRUCT,
      path: '/test_program',
      example: EXAMPLES.testProgram,
      summary: "open-instruct's wire: statements against a program",
      description:
        'Each statement is judged by itself, in a process of its own. Where it lasts, white space comes before the answer.',
    },
    {
      ...OPEN_INSTRUCT,
      path: '/test_program_stdio',
      example: EXAMPLES.testProgramStdio,
      summary: "open-instruct's wire: inputs and outputs of a program",
      description: 'By the profile oi-stdio. Goes on after a failure.',
    },
  ],
  openrlhf: [
    {
      method: 'post',
      path: '/get_reward',
      summary: "OpenRLHF's remote reward model",
      description: SETTINGS,
      request: GetRewardRequest,
      example: EXAMPLES.getReward,
      answers: { 200: ['Judged.', GetRewardResponse], ...NO_REWARD },
    },
  ],
  slime: [
    {
      method: 'post',
      path: '/remote_rm',
      summary: "slime's remote reward model",
      description: `${SETTINGS} answer=object for an object in place of a number.`,
      request: RemoteRMRequest,
      example: EXAMPLES.remoteRM,
      answers: { 200: ['Judged.', RemoteRMResponse], ...NO_REWARD },
    },
  ],
  nemo_skills: NEMO_SKILLS_OPERATIONS,
  judge0: JUDGE0_OPERATIONS,
};

const OTHERS: Readonly<Partial<Record<Surface, (registry: Registry) => void>>> = {
  sandbox_fusion: registerSandboxFusion,
  piston: registerPiston,
  open_r1: registerOpenR1,
};

/** The operations of these surfaces, and what several of them share. */
export function registerSurfaces(registry: Registry, surfaces: readonly Surface[]): void {
  for (const surface of SURFACES.filter((name) => surfaces.includes(name))) {
    OTHERS[surface]?.(registry);
    const note = DEFAULT_SURFACES.includes(surface)
      ? ''
      : `Off unless \`surfaces\` names ${surface}.`;
    for (const operation of OPERATIONS[surface] ?? []) registerOperation(registry, operation, note);
  }
  if (HEALTH_SURFACES.some((name) => surfaces.includes(name))) registerOperation(registry, HEALTH);
}
