/** The self-tests as data, read from this repository's own languages. */
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { loadDefinitions } from './definitions.ts';
import { loadBootSelfTests, loadSelfTests, SELF_TEST_NAMES } from './self-test.ts';
import { anEnvironment } from './test-environment.ts';

const languagesDir = join(import.meta.dirname, '../../languages');

describe('self-tests', () => {
  it('are complete for every language, with a comment that names what is expected', async () => {
    for (const language of await loadDefinitions(languagesDir)) {
      const environment = { ...anEnvironment(), id: language.id, language };
      const tests = await loadSelfTests({ languagesDir, environment });
      expect(tests.map(({ name }) => name)).toEqual([...SELF_TEST_NAMES]);
      for (const { code, expect: verdict } of tests) {
        expect(code.split('\n').slice(0, 3).join(' ')).toContain(`Expected: ${verdict}`);
      }
      const [ok] = await loadBootSelfTests({ languagesDir, environment });
      expect(ok).toEqual(tests[0]);
      expect(Buffer.from(ok?.stdin ?? []).toString()).toBe('17 25\n');
      expect(Buffer.from(ok?.expectedStdout ?? []).toString()).toBe('42\n');
    }
  });
});
