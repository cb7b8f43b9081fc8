/**
 * Whose doing it is that a checker did not answer. A program must not be able to turn its zero into a fault, so a checker
 * that failed is asked about other outputs: what it only fails on because of the program's is the program's failure. Pure.
 */
import type { Outcome } from '../../domain/outcome.ts';
import type { CheckerAnswer } from './answer.ts';
import { NOBODYS_ANSWERS } from './trial.ts';

type End = Pick<Outcome, 'kind' | 'exitCode' | 'signal' | 'stderr'>;

/** An answer, and how the run that gave it ended. */
export interface Asked {
  readonly answer: CheckerAnswer;
  readonly ended: End;
}

/** What a checker that failed on `output` is asked about; `answer` is what it must be able to judge, null if unknown. */
export function otherOutputs(output: Uint8Array, answer: Uint8Array | null): readonly Uint8Array[] {
  const others = answer === null || answer.byteLength === 0 ? NOBODYS_ANSWERS : [answer];
  return others.filter((other) => Buffer.compare(other, output) !== 0);
}

/**
 * Whether a failure came of the output, by what the checker did with another one: it judged that; or, where nothing is
 * known that it must be able to judge, it failed in another way, so that it looks at outputs.
 */
export function isOfTheOutput(failed: Asked, other: Asked, isAnswerKnown: boolean): boolean {
  if (other.answer.kind === 'judged') return true;
  return !isAnswerKnown && !isSameEnd(failed.ended, other.ended);
}

function isSameEnd(one: End, other: End): boolean {
  return (
    one.kind === other.kind &&
    one.exitCode === other.exitCode &&
    one.signal === other.signal &&
    Buffer.compare(one.stderr, other.stderr) === 0
  );
}
