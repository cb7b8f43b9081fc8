/** Interactors: the order of their files in each convention, and who is charged for each way that a talk can end. */
import { describe, expect, it } from 'vitest';

import { INTERACTOR_CONVENTIONS, type Interactor } from '../domain/submission.ts';
import type { CheckerAnswer } from './checker/answer.ts';
import { aChecker } from './checker/test-checker.ts';
import { blameOf, callInteractor, type Blame, type First } from './interactor.ts';

const anInteractor = (given: Partial<Interactor>): Interactor => ({
  ...aChecker(),
  convention: 'testlib',
  processes: 1,
  ...given,
});
const CASE = { input: Buffer.from('INPUT'), answer: Buffer.from('ANSWER') };
const TOUT = 'case/tout.txt';

describe('callInteractor', () => {
  it.each<[Partial<Interactor>, string[]]>([
    [{ convention: 'testlib' }, ['INPUT', TOUT, 'ANSWER']],
    [{ convention: 'dmoj_bridged', bridged: 'default' }, ['INPUT', 'ANSWER']],
    [{ convention: 'dmoj_bridged', bridged: 'testlib' }, ['INPUT', TOUT, 'ANSWER']],
    [{ convention: 'dmoj_bridged', bridged: 'coci' }, ['INPUT', TOUT, 'ANSWER']],
    [{ convention: 'kattis' }, ['INPUT', 'ANSWER', 'case/feedback/']],
    [{ convention: 'cms' }, ['case/from_program', 'case/to_program']],
    [
      { convention: 'cms', processes: 2 },
      ['case/from_program0', 'case/to_program0', 'case/from_program1', 'case/to_program1'],
    ],
  ])('%j: %j', (given, order) => {
    const call = callInteractor(anInteractor({ ...given, args: ['-x'] }), CASE);
    const files = new Map(call.files.map(({ path, content }) => [path, String(content)]));
    expect(call.args.map((path) => files.get(path) ?? path)).toEqual([...order, '-x']);
  });

  it.each(INTERACTOR_CONVENTIONS)('%s: no byte of a case is part of the command', (convention) => {
    const { args } = callInteractor(anInteractor({ convention }), CASE);
    expect(args.join(' ')).not.toMatch(/INPUT|ANSWER/);
  });
});

describe('blameOf', () => {
  const said = (score: number): CheckerAnswer => ({
    kind: 'judged',
    accepted: score === 1,
    score,
    message: '',
  });
  const failed: CheckerAnswer = { kind: 'failed', reason: 'crash' };

  it.each<[First, boolean, CheckerAnswer, Blame]>([
    ['program', false, said(1), 'answer'],
    ['program', false, said(0), 'answer'],
    ['program', false, failed, 'interactor'],
    ['program', true, said(1), 'program'],
    ['program', true, said(0), 'program'],
    ['program', true, failed, 'program'],
    ['interactor', false, said(1), 'answer'],
    ['interactor', false, said(0.5), 'answer'],
    ['interactor', false, said(0), 'answer'],
    ['interactor', false, failed, 'interactor'],
    ['interactor', true, said(1), 'program'],
    ['interactor', true, said(0.5), 'program'],
    ['interactor', true, said(0), 'answer'],
    ['interactor', true, failed, 'interactor'],
  ])('%s first, program failed: %s, %j: %s', (first, isProgramFailed, answer, blame) => {
    expect(blameOf({ first, isProgramFailed, answer })).toBe(blame);
  });
});
