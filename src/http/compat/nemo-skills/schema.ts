/** NeMo-Skills' wire: one run of a program, and its output cut to a number of characters. */
import { z } from '@hono/zod-openapi';

/** Names of the wire → names of the catalog, of what is run as a program. */
export const LANGUAGES: Readonly<Record<string, string>> = Object.fromEntries([
  ['python', 'python'],
  ['python3', 'python'],
  ['shell', 'bash'],
]);

const NAMES = ['ipython', 'python', 'python3', 'pypy3', 'lean4', 'shell'] as const;
const VERBOSITIES = ['Plain', 'Context', 'Verbose', 'Minimal'] as const;

export const ExecuteRequest = z
  .looseObject({
    generated_code: z.string().describe('The program.'),
    timeout: z.number().positive().max(86_400).describe('Seconds, > 0.'),
    language: z
      .enum(NAMES, { error: () => `is one of ${NAMES.join(', ')}` })
      .default('ipython')
      .describe(
        'python, python3 and shell run a program; ipython a cell of the session that X-Session-ID names. pypy3 and lean4 are not served.',
      ),
    std_input: z.string().nullish().describe('Not for shell.'),
    max_output_characters: z.number().int().min(0).default(1000).describe('Of each stream.'),
    traceback_verbosity: z.enum(VERBOSITIES).default('Plain').describe('Without effect.'),
  })
  .openapi('NeMoSkillsExecute');
export type ExecuteRequest = z.infer<typeof ExecuteRequest>;

export const ExecuteResponse = z
  .looseObject({
    process_status: z.enum(['completed', 'error', 'timeout']),
    stdout: z.string(),
    stderr: z.string(),
    new_session_created: z
      .boolean()
      .optional()
      .describe('Of ipython: nothing was kept under this name.'),
    error: z.string().optional().describe('Where nothing was run.'),
  })
  .openapi('NeMoSkillsResult');
export type ExecuteResponse = z.infer<typeof ExecuteResponse>;

/** Characters of a session's name. */
export const SESSION_NAME_MAX = 256;

const Time = z.string().describe('ISO 8601.');
export const SessionList = z
  .strictObject({
    sessions: z
      .record(
        z.string(),
        z.strictObject({
          backend: z.literal('ipython'),
          created: Time,
          last_used: Time,
          alive: z.literal(true),
        }),
      )
      .describe('By name: the one that X-Session-ID names, if it is there. Names are not told.'),
    backend: z.literal('ipython'),
  })
  .openapi('NeMoSkillsSessions');
export type SessionList = z.infer<typeof SessionList>;
