/**
 * Every self-test of every language through the live service: each has its known verdict, alone and with all languages at
 * once. A language that this host lacks is skipped with its reason.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SELF_TEST_LIMITS, SELF_TEST_NAMES } from '../../src/catalog/self-test.ts';
import { loadDefinitions } from '../../src/catalog/definitions.ts';
import type { LanguageDefinition } from '../../src/domain/language.ts';
import { aJudge, type JudgeRequestBody } from '../support/builders.ts';
import { projectFile, readProjectFile } from '../support/project.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createGuard, type Guard } from '../support/unharmed.ts';

const KIB = 1024;

interface Row {
  readonly language: string;
  readonly test: string;
  readonly expected: string;
  readonly request: JudgeRequestBody;
}

function toRows(definition: LanguageDefinition): readonly Row[] {
  const { cpuMs, wallMs, memoryBytes = 0, outputBytes = 0, processes } = SELF_TEST_LIMITS;
  return Object.entries(definition.selfTests).map(
    ([test, { file, expect: expected, stdin, stdout }]) => ({
      language: definition.id,
      test,
      expected,
      request: aJudge({
        language: definition.id,
        code: readProjectFile('languages', definition.id, file),
        cases: [{ stdin, expected_stdout: stdout }],
        limits: {
          cpu_ms: cpuMs,
          wall_ms: wallMs,
          memory_mb: memoryBytes / KIB / KIB,
          output_kb: outputBytes / KIB,
          processes,
        },
      }),
    }),
  );
}

const definitions = await loadDefinitions(projectFile('languages'));
const rows = definitions.flatMap(toRows);

describe('self-tests', () => {
  let service: RunningService;
  let guard: Guard;
  /** Languages of this host that are not available → why. */
  let missing: ReadonlyMap<string, string>;
  beforeAll(async () => {
    service = await startService({ flags: { '--slots': '2' } });
    guard = await createGuard(service, ['python', 'c']);
    const languages = await service.client.languages();
    missing = new Map(
      languages.flatMap(({ id, available, reason }) =>
        available ? [] : [[id, reason ?? 'unknown']],
      ),
    );
  });
  afterAll(async () => await service.stop());

  const judge = async ({ request }: Row): Promise<string> => {
    const report = await service.client.judge(request);
    return report.fault === null ? report.verdict : `fault ${report.fault.code}`;
  };

  it.each(definitions)('$id has every self-test', ({ selfTests }) => {
    expect(Object.keys(selfTests)).toEqual(expect.arrayContaining([...SELF_TEST_NAMES]));
  });

  it.for(rows)('$language $test: $expected', async (row, { skip }) => {
    const reason = missing.get(row.language);
    skip(reason !== undefined, `${row.language} is not available on this host: ${reason}`);
    expect(await judge(row)).toBe(row.expected);
    await guard.expectUnharmed();
  });

  it('all at once: the same verdicts', async () => {
    const present = rows.filter(({ language }) => !missing.has(language));
    const verdicts = await Promise.all(present.map(judge));
    const told = present.map(({ language, test }, i) => `${language} ${test}: ${verdicts[i]}`);
    expect(told).toEqual(
      present.map(({ language, test, expected }) => `${language} ${test}: ${expected}`),
    );
    await guard.expectUnharmed();
  }, 180_000);

  it('a language that is not available answers 503 with the reason, never a compile error', async () => {
    for (const [language, reason] of missing) {
      const { status, body } = await service.client.post('/v1/judge', aJudge({ language }));
      expect(status).toBe(503);
      expect(body).toMatchObject({ code: 'language_unavailable' });
      expect(JSON.stringify(body)).toContain(reason);
    }
  });
});
