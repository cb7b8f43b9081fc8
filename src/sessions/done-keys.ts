/** Keys of the steps that a session has done: none of the last ones is done twice. */
import { reserve } from './reserve.ts';
import { KEYS_MAX, type Session, storeFull } from './session.ts';
import { weightOfTexts } from './weights.ts';

interface Once<Result> {
  readonly step: () => Promise<Result>;
  readonly isDone: (result: Result) => boolean;
}

/**
 * Does the step of a key, which is remembered where it was done. Room for that is taken first: what is done cannot be undone
 * for want of it. Throws `session_store_full`, and what the step throws.
 */
export async function once<Result>(
  session: Session,
  key: string,
  { step, isDone }: Once<Result>,
): Promise<Result> {
  session.end.signal.throwIfAborted();
  if (!reserve(session, weightOf(key))) throw storeFull();
  let isKept = false;
  try {
    const result = await step();
    isKept = isDone(result) && note(session, key);
    return result;
  } finally {
    if (!isKept) reserve(session, -weightOf(key));
  }
}

/** False where it is known. */
function note(session: Session, key: string): boolean {
  const { doneKeys } = session;
  if (doneKeys.has(key)) return false;
  doneKeys.add(key);
  const [oldest] = doneKeys;
  if (doneKeys.size > KEYS_MAX && oldest !== undefined) {
    doneKeys.delete(oldest);
    reserve(session, -weightOf(oldest));
  }
  return true;
}

function weightOf(key: string): number {
  return weightOfTexts([key]);
}
