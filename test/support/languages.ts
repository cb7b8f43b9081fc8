/** One service for a file of tests on one language, which are skipped with the reason where the host lacks it. */
import { afterAll, beforeAll, beforeEach } from 'vitest';

import type { RunRequestBody } from './builders.ts';
import type { Outcome } from './client.ts';
import { startService, type RunningService } from './service.ts';

export interface LanguageArena {
  service(): RunningService;
  /** Runs a program of the language; throws when it does not compile or a fault comes. */
  outcome(code: string, given?: Partial<RunRequestBody>): Promise<Outcome>;
}

/** Call inside `describe`. */
export function useLanguage(
  language: string,
  flags: Readonly<Record<string, string>> = {},
): LanguageArena {
  let service: RunningService | null = null;
  let missing: string | null = null;
  beforeAll(async () => {
    service = await startService({
      languages: [language],
      flags: { '--slots': '2', ...flags },
    });
    const entry = (await service.client.languages()).find(({ id }) => id === language);
    if (entry?.available !== true) missing = entry?.reason ?? 'no such language';
  });
  beforeEach(({ skip }) => {
    skip(missing !== null, `${language} is not available on this host: ${missing}`);
  });
  afterAll(async () => await service?.stop());
  const running = (): RunningService => {
    if (service === null) throw new Error('the service has not started');
    return service;
  };
  return {
    service: running,
    outcome: async (code, given = {}) =>
      await running().client.outcome({ language, code, ...given }),
  };
}
