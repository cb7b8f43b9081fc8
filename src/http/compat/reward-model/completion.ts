/** The model's answer in a text that begins with its prompt. Pure. */
import { Rejection } from '../../../domain/errors.ts';

/**
 * What comes behind the prompt. A tokenizer may have put a mark before it, so it is looked for, and the first place counts.
 * Throws Rejection `invalid`: fenced code of the prompt would be taken for the answer's.
 */
export function completionIn(query: string, prompt: string, path: string): string {
  const at = query.indexOf(prompt);
  if (at >= 0) return query.slice(at + prompt.length);
  const message = 'does not hold its prompt, so that nobody can tell where the answer begins';
  throw new Rejection('invalid', { detail: `${path}: ${message}`, errors: [{ path, message }] });
}
