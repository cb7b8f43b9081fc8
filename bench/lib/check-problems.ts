/**
 * Problems in HumanEval's shape: a prompt, its completion, and `check(candidate)`. The data set itself where a folder of
 * `.jsonl` files has it, else a few of the same size. Rows that are anything else are passed over.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CheckProblem {
  readonly prompt: string;
  readonly completion: string;
  readonly test: string;
  readonly entry: string;
}

/** Seven calls each, as the data set's problems have in the middle. */
const OWN: readonly CheckProblem[] = [
  {
    prompt: `from typing import List


def longest_climb(heights: List[int]) -> int:
    """ Length of the longest run of neighbours in which each is larger than the one before.
    >>> longest_climb([1, 2, 2, 3, 4])
    3
    """
`,
    completion: `    best = current = 0
    last = None
    for height in heights:
        current = current + 1 if last is not None and height > last else 1
        best = max(best, current)
        last = height
    return best
`,
    test: `

def check(candidate):
    assert candidate([1, 2, 2, 3, 4]) == 3
    assert candidate([]) == 0
    assert candidate([5]) == 1
    assert candidate([3, 2, 1]) == 1
    assert candidate([1, 2, 3, 4, 5, 6]) == 6
    assert candidate([-3, -2, 0, -1, 7]) == 3
    assert candidate([2, 2, 2, 2]) == 1
`,
    entry: 'longest_climb',
  },
  {
    prompt: `

def initials(name: str) -> str:
    """ The first letters of all words, in capitals, each with a full stop.
    >>> initials('ada king lovelace')
    'A.K.L.'
    """
`,
    completion: `    return ''.join(word[0].upper() + '.' for word in name.split())
`,
    test: `

def check(candidate):
    assert candidate('ada king lovelace') == 'A.K.L.'
    assert candidate('') == ''
    assert candidate('  x ') == 'X.'
    assert candidate('Alan Turing') == 'A.T.'
    assert candidate('grace brewster murray hopper') == 'G.B.M.H.'
    assert candidate('a b c d e f g') == 'A.B.C.D.E.F.G.'
    assert candidate('éva') == 'É.'
`,
    entry: 'initials',
  },
];

/** Those of the files in the folder, or our own; at least one. */
export function readCheckProblems(folder: string): readonly CheckProblem[] {
  if (folder === '') return OWN;
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '');
  const found = lines.flatMap((line) => {
    // A line of a data set is an object; every field is looked at before it is used.
    const row = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const { prompt, canonical_solution: completion, test, entry_point: entry } = row;
    const isWhole =
      typeof prompt === 'string' &&
      typeof completion === 'string' &&
      typeof test === 'string' &&
      typeof entry === 'string';
    return isWhole ? [{ prompt, completion, test, entry }] : [];
  });
  return found.length === 0 ? OWN : found;
}
