/** How checkers are called: each convention's order of files, and that none mixes the output with the answer. */
import { describe, expect, it } from 'vitest';

import { BRIDGED, CONVENTIONS, type Checker } from '../../domain/submission.ts';
import { aChecker } from './test-checker.ts';
import { callChecker, type CheckedCase } from './call.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const CASE: CheckedCase = {
  input: bytes('INPUT'),
  output: bytes('OUTPUT'),
  answer: bytes('ANSWER'),
  source: bytes('SOURCE'),
  language: 'python',
  position: 3,
  weight: 2,
  cpuMs: 1500,
};

/** The contents that arguments name, in order; a folder as its path. */
function contents(given: Partial<Checker>): string[] {
  const call = callChecker(aChecker(given), CASE, 'entry.py');
  const files = new Map(call.files.map(({ path, content }) => [path, String(content)]));
  return call.args.map((path) => files.get(path) ?? path);
}

describe('callChecker', () => {
  it.each<[Partial<Checker>, string[]]>([
    [{ convention: 'testlib' }, ['INPUT', 'OUTPUT', 'ANSWER']],
    [{ convention: 'cms' }, ['INPUT', 'ANSWER', 'OUTPUT']],
    [{ convention: 'kattis' }, ['INPUT', 'ANSWER', 'case/feedback/']],
    [{ convention: 'python_file' }, ['INPUT', 'ANSWER', 'OUTPUT']],
    [{ convention: 'dmoj' }, []],
    [{ convention: 'dmoj_bridged', bridged: 'default' }, ['INPUT', 'OUTPUT', 'ANSWER']],
    [{ convention: 'dmoj_bridged', bridged: 'testlib' }, ['INPUT', 'OUTPUT', 'ANSWER']],
    [{ convention: 'dmoj_bridged', bridged: 'coci' }, ['INPUT', 'OUTPUT', 'ANSWER']],
    [{ convention: 'dmoj_bridged', bridged: 'peg' }, ['ANSWER', 'OUTPUT', 'INPUT']],
  ])('%j: %j', (given, order) => {
    expect(contents(given)).toEqual(order);
    expect(contents({ ...given, args: ['-x', '1'] })).toEqual([...order, '-x', '1']);
  });

  it.each(CONVENTIONS)('%s: no byte of a case is part of the command', (convention) => {
    for (const bridged of BRIDGED) {
      const { args } = callChecker(aChecker({ convention, bridged }), CASE, 'entry.py');
      expect(args.join(' ')).not.toMatch(/INPUT|OUTPUT|ANSWER|SOURCE/);
    }
  });

  it('kattis: the output is stdin, and the folder for feedback is there', () => {
    const call = callChecker(aChecker({ convention: 'kattis' }), CASE, 'entry.py');
    expect(String(call.stdin)).toBe('OUTPUT');
    expect(call.files.map(({ path }) => path)).toContain('case/feedback/.here');
    expect(call.files.some(({ content }) => String(content) === 'OUTPUT')).toBe(false);
    expect(call.collect).toEqual(['case/feedback/score.txt', 'case/feedback/judgemessage.txt']);
  });

  it('dmoj: what check is told besides', () => {
    const call = callChecker(aChecker({ convention: 'dmoj' }), CASE, 'entry.py');
    const facts = call.files.find(({ path }) => path === 'case/facts.json')?.content;
    expect(JSON.parse(String(facts))).toEqual({
      checker: 'entry.py',
      point_value: 2,
      case_position: 3,
      submission_language: 'python',
      execution_time: 1.5,
    });
  });
});
