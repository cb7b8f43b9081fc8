/**
 * The trial of a checker: what must hold whatever its problem is. Pure. It finds checkers that take the program's output
 * for the answer, that accept everything, or that cannot bear the problem's own files.
 */
import type { CheckerAnswer } from './answer.ts';

/** A case of the problem, with the answer that its author holds to be right. */
export interface TrialCase {
  readonly id: string;
  readonly answer: Uint8Array;
}

export interface TrialQuestion {
  /** Id of the case. */
  readonly id: string;
  readonly kind: 'answer' | 'empty' | 'word';
  /** What the checker is told that a program printed. */
  readonly output: Uint8Array;
}

const WORD = 'assay-no-answer\n';
/** What nobody answers. */
export const NOBODYS_ANSWERS = { empty: new Uint8Array(0), word: Buffer.from(WORD) } as const;
const SPACE = /^[ \t\n\v\f\r]*$/;

/**
 * Three questions a case: its own answer, nothing at all, and a word. The last two are left out where they are the answer.
 */
export function trialQuestions(cases: readonly TrialCase[]): TrialQuestion[] {
  return cases.flatMap(({ id, answer }) => {
    const text = Buffer.from(answer).toString('latin1');
    const own: TrialQuestion = { id, kind: 'answer', output: answer };
    const empty: TrialQuestion = { id, kind: 'empty', output: NOBODYS_ANSWERS.empty };
    const word: TrialQuestion = { id, kind: 'word', output: NOBODYS_ANSWERS.word };
    const isWord = text.trim() === WORD.trim();
    return [own, ...(SPACE.test(text) ? [] : [empty]), ...(isWord ? [] : [word])];
  });
}

/** What is wrong with the checker by its answer to one question; null if nothing is. */
export function trialFinding({ id, kind }: TrialQuestion, answer: CheckerAnswer): string | null {
  if (answer.kind === 'failed') {
    const given = { answer: 'the answer', empty: 'an empty output', word: 'a word' }[kind];
    return `case ${id}: it fails on ${given}: ${answer.reason}`;
  }
  if (kind === 'answer') {
    if (answer.accepted) return null;
    return `case ${id}: it does not accept the answer as an output: score ${answer.score}`;
  }
  const given = kind === 'empty' ? 'an empty output' : 'a word that is no answer';
  if (answer.accepted) return `case ${id}: it accepts ${given}; are output and answer mixed up?`;
  return answer.score > 0 ? `case ${id}: it gives ${answer.score} for ${given}` : null;
}
