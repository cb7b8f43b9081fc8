/** A short answer as JSON, with what the service counts and the log tells of it. */
import type { RejectionCode } from '../../domain/errors.ts';
import type { AppContext } from '../app-env.ts';

interface ShortAnswer {
  /** What the service counts it as; null for what is no rejection. */
  readonly code: RejectionCode | null;
  readonly status: number;
  readonly body: unknown;
}

export function sendBody(c: AppContext, { code, status, body }: ShortAnswer): Response {
  if (code !== null) c.set('rejection', code);
  const text = JSON.stringify(body);
  c.get('logFields')['response_bytes'] = Buffer.byteLength(text);
  c.header('Content-Type', 'application/json');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Hono's list of codes lacks 499, which no caller is left to read
  return c.body(text, status as 200);
}
