/** The trial of a checker: its questions, and what is found in the answers. */
import { describe, expect, it } from 'vitest';

import type { CheckerAnswer } from './answer.ts';
import { trialFinding, trialQuestions, type TrialQuestion } from './trial.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const said = (score: number): CheckerAnswer => ({
  kind: 'judged',
  accepted: score === 1,
  score,
  message: '',
});
const asked = (kind: TrialQuestion['kind']): TrialQuestion => ({
  id: '1',
  kind,
  output: bytes(''),
});

describe('trialQuestions', () => {
  it('asks of each case for its answer, nothing and a word', () => {
    const questions = trialQuestions([{ id: 'a', answer: bytes('3\n') }]);
    expect(questions.map(({ kind, output }) => [kind, String(output)])).toEqual([
      ['answer', '3\n'],
      ['empty', ''],
      ['word', 'assay-no-answer\n'],
    ]);
  });

  it('leaves out what is the answer', () => {
    const kinds = (answer: string): string[] =>
      trialQuestions([{ id: 'a', answer: bytes(answer) }]).map(({ kind }) => kind);
    expect(kinds(' \n')).toEqual(['answer', 'word']);
    expect(kinds('assay-no-answer')).toEqual(['answer', 'empty']);
  });
});

describe('trialFinding', () => {
  it.each<[TrialQuestion['kind'], CheckerAnswer, string | null]>([
    ['answer', said(1), null],
    ['answer', said(0.5), 'does not accept the answer'],
    ['answer', said(0), 'does not accept the answer'],
    ['answer', { kind: 'failed', reason: 'crash' }, 'fails on the answer: crash'],
    ['empty', said(0), null],
    ['empty', said(0.1), 'gives 0.1 for an empty output'],
    ['empty', said(1), 'mixed up'],
    ['empty', { kind: 'failed', reason: 'crash' }, 'fails on an empty output: crash'],
    ['word', said(0), null],
    ['word', said(1), 'mixed up'],
  ])('%s, %j: %s', (kind, answer, finding) => {
    const found = trialFinding(asked(kind), answer);
    if (finding === null) expect(found).toBeNull();
    else expect(found).toContain(finding);
  });
});
