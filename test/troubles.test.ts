/** The table of what went wrong elsewhere names tests that are there. */
import { expect, it } from 'vitest';

import { readProjectFile } from './support/project.ts';

const ROW = /^\| (?<report>[^|]+) \| [^|]+ \| (?<tests>[^|]+) \|$/gm;
const TEST = /^`(?<file>[^`]+)`: (?<words>.+)$/;

it('each trouble has its test, in the file that is named', () => {
  const rows = [...readProjectFile('docs', 'troubles.md').matchAll(ROW)]
    .map(({ groups = {} }) => groups)
    .filter(({ report }) => report !== 'report');
  expect(rows.length).toBeGreaterThan(30);
  const missing = rows.flatMap(({ report = '', tests = '' }) =>
    tests
      .split(' ; ')
      .filter((test) => {
        const { file = '', words = '' } = TEST.exec(test.trim())?.groups ?? {};
        return words === '' || !readProjectFile(...file.split('/')).includes(words);
      })
      .map((test) => `${report}: ${test}`),
  );
  expect(missing).toEqual([]);
});
