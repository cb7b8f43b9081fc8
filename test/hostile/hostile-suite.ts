/**
 * Tables of hostile programs against one live service. Each row says which program is run how and what must come of it;
 * the suite adds what must hold after every row.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aJudge, aRun, type JudgeRequestBody, type RunRequestBody } from '../support/builders.ts';
import type { Outcome } from '../support/client.ts';
import { hostileProgram } from '../support/hostile-program.ts';
import { startService, type RunningService, type ServiceOptions } from '../support/service.ts';
import { createGuard, type Guard } from '../support/unharmed.ts';

export interface RunRow {
  /** File below `programs/`. */
  readonly program: string;
  /** What to tell apart in rows of the same program. */
  readonly as?: string;
  readonly request?: Partial<RunRequestBody>;
  /** Parts of the outcome that must be equal. */
  readonly expect: Partial<Outcome>;
  /** More to look at. */
  readonly check?: (outcome: Outcome) => void;
}

export interface JudgeRow {
  readonly program: string;
  readonly as?: string;
  readonly request?: Parameters<typeof aJudge>[0];
  readonly verdict: string;
  readonly reward: number;
}

/** A live service with its guard, for the tests of one `describe`. */
export interface Arena {
  service(): RunningService;
  guard(): Guard;
}

/** What the suites are written in, and the guard's honest run. */
const LANGUAGES = ['python', 'c'] as const;

/**
 * Starts a service before the tests of the enclosing `describe` and ends it after them. It serves the languages of the
 * suites and `languages` besides.
 */
export function useArena({ languages = [], ...options }: ServiceOptions = {}): Arena {
  const served = [...LANGUAGES, ...languages];
  let service: RunningService | null = null;
  let guard: Guard | null = null;
  beforeAll(async () => {
    service = await startService({
      ...options,
      languages: served,
      flags: { '--slots': '2', ...options.flags },
    });
    const there = (await service.client.languages()).filter(({ available }) => available);
    const ids = new Set(there.map(({ id }) => id));
    guard = await createGuard(
      service,
      served.filter((language) => ids.has(language)),
    );
  });
  afterAll(async () => await service?.stop());
  return {
    service: () => existing(service),
    guard: () => existing(guard),
  };
}

/** One test per row: the outcome, then the state of the host. */
export function describeRuns(title: string, arena: Arena, rows: readonly RunRow[]): void {
  describe(title, () => {
    it.each(rows.map((row) => ({ ...row, name: nameOf(row) })))('$name', async (row) => {
      const outcome = await arena
        .service()
        .client.outcome(aRun({ ...hostileProgram(row.program), ...row.request }));
      expect(outcome).toMatchObject(row.expect);
      row.check?.(outcome);
      await arena.guard().expectUnharmed();
    });
  });
}

/** One test per row: verdict and reward, then the state of the host. */
export function describeJudgements(title: string, arena: Arena, rows: readonly JudgeRow[]): void {
  describe(title, () => {
    it.each(rows.map((row) => ({ ...row, name: nameOf(row) })))('$name', async (row) => {
      const request: JudgeRequestBody = aJudge({ ...hostileProgram(row.program), ...row.request });
      const report = await arena.service().client.judge(request);
      expect({ verdict: report.verdict, reward: report.reward, fault: report.fault }).toEqual({
        verdict: row.verdict,
        reward: row.reward,
        fault: null,
      });
      await arena.guard().expectUnharmed();
    });
  });
}

function nameOf(row: { readonly program: string; readonly as?: string }): string {
  return row.as === undefined ? row.program : `${row.program}: ${row.as}`;
}

function existing<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the service has not been started');
  return value;
}
