/** The candidate's main file makes room for the loader's, and every other file stays where it was. */
import { describe, expect, it } from 'vitest';

import { candidateFiles } from './candidate-files.ts';

const file = (path: string) => ({ path, content: Buffer.from(path) });
const layout = (entry: string, ...paths: string[]): Record<string, string> =>
  Object.fromEntries(
    candidateFiles({ entry, files: paths.map(file), mayBeForked: true }, 'main.py').map(
      ({ path, content }) => [path, Buffer.from(content).toString()],
    ),
  );

describe('candidateFiles', () => {
  it("moves a main file of the loader's name", () => {
    expect(layout('main.py', 'main.py', 'data/x.txt')).toEqual({
      'solution.py': 'main.py',
      'data/x.txt': 'data/x.txt',
      'solution.json': '{"path":"solution.py"}',
    });
  });

  it('takes another name where that one is taken', () => {
    expect(layout('main.py', 'main.py', 'solution.py')).toMatchObject({
      'solution_1.py': 'main.py',
      'solution.py': 'solution.py',
      'solution.json': '{"path":"solution_1.py"}',
    });
  });

  it('leaves an entry of another name, and neither the loader nor the pointer can be replaced', () => {
    expect(layout('pkg/app.py', 'pkg/app.py', 'main.py', 'solution.json')).toEqual({
      'pkg/app.py': 'pkg/app.py',
      'solution.json': '{"path":"pkg/app.py"}',
    });
  });
});
