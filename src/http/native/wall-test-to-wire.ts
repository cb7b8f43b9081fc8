/** What tests of walls found, in the native wire's words. Pure. */
import { z } from '@hono/zod-openapi';

import type { WallTest } from '../../judge/wall-test/verdict.ts';

export const WallTestWire = z
  .strictObject({
    wall: z.string(),
    state: z
      .enum(['holds', 'fails', 'unknown'])
      .describe(
        'Unknown: not tested yet, or the test could not be carried out; tried again by itself.',
      ),
    at: z.string().nullable().describe('When it began, RFC 3339; null before the first.'),
    ms: z.number().describe('How long it took.'),
    tried: z
      .array(z.string())
      .describe('What a program of ours tried in a jail of this wall, and the host looked for.'),
    holes: z
      .array(z.strictObject({ what: z.string(), detail: z.string() }))
      .describe('What of that was possible.'),
    reason: z.string().nullable().describe('Why it is unknown.'),
  })
  .openapi('WallTest');

export const SelfTestResponse = z
  .strictObject({
    holds: z.boolean().describe('Whether every wall was tried and holds.'),
    walls: z.array(WallTestWire),
  })
  .openapi('SelfTest');
export type SelfTestResponse = z.infer<typeof SelfTestResponse>;

export function selfTestToWire(tests: readonly WallTest[]): SelfTestResponse {
  return {
    holds: tests.length > 0 && tests.every(({ state }) => state === 'holds'),
    walls: tests.map(wallTestToWire),
  };
}

export function wallTestToWire({
  at,
  ms,
  tried,
  holes,
  ...rest
}: WallTest): z.infer<typeof WallTestWire> {
  return {
    ...rest,
    at: at?.toISOString() ?? null,
    ms: Math.round(ms),
    tried: [...tried],
    holes: holes.map((hole) => ({ ...hole })),
  };
}
