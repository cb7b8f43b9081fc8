/** Answers with JSON and notes its size for the log. */
import type { AppContext } from './app-env.ts';

/** `status` 200 unless given. */
export function sendJSON(c: AppContext, value: unknown, status: 200 | 503 = 200): Response {
  const text = JSON.stringify(value);
  c.get('logFields')['response_bytes'] = Buffer.byteLength(text);
  c.header('Content-Type', 'application/json');
  return c.body(text, status);
}
