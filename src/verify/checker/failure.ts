/**
 * Whose doing it is that a checker did not answer. A program must not be able to turn its zero into a fault, so a checker
 * that failed is asked about other outputs: what it only fails on because of the program's is the program's failure. Pure.
 */
import type { Outcome } from '../../domain/outcome.ts';
import { NOBODYS_ANSWERS } from './trial.ts';

/** How a run of a checker ended. */
type End = Pick<Outcome, 'kind' | 'exitCode' | 'signal' | 'stderr'>;

/** What a checker that failed is asked about. */
export interface Others {
  /** None that is the program's own. */
  readonly outputs: readonly Uint8Array[];
  /** Then it is asked about that alone, which it must be able to judge. */
  readonly isAnswerKnown: boolean;
}

/** `output` is what it failed on, `answer` what it must be able to judge; null if unknown. */
export function otherOutputs(output: Uint8Array, answer: Uint8Array | null): Others {
  const isAnswerKnown = answer !== null && answer.byteLength > 0;
  const others = isAnswerKnown ? [answer] : Object.values(NOBODYS_ANSWERS);
  const outputs = others.filter((other) => Buffer.compare(other, output) !== 0);
  return { outputs, isAnswerKnown };
}

/**
 * Whether a run of a checker ended otherwise than the two on one output did. What differs between those two, as an address
 * or a time among its words, says nothing.
 */
export function isOtherEnd(other: End, [one, again]: readonly [End, End]): boolean {
  const isOther = (name: 'kind' | 'exitCode' | 'signal'): boolean =>
    one[name] === again[name] && one[name] !== other[name];
  if (isOther('kind') || isOther('exitCode') || isOther('signal')) return true;
  const [said, saidAgain, saidOther] = [linesOf(one), linesOf(again), linesOf(other)];
  if ([...said].some((line) => saidAgain.has(line) && !saidOther.has(line))) return true;
  // More words than there were, where those are always the same.
  const isSame = (end: End): boolean => Buffer.compare(one.stderr, end.stderr) === 0;
  return isSame(again) && !isSame(other);
}

function linesOf({ stderr }: End): ReadonlySet<string> {
  return new Set(Buffer.from(stderr).toString('latin1').split('\n'));
}
