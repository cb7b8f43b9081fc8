/**
 * Every wire, those that are off by default too, under 300 callers with trivial programs, three of four right: no answer may
 * be wrong, and none outside what the wire's clients know.
 */
import { SURFACES } from '../../src/domain/surfaces.ts';
import { closedLoop, stopwatch } from '../lib/load.ts';
import { summarise } from '../lib/quantiles.ts';
import type { BenchContext, Check, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { SURFACE_CALLS, sumOf, verdictOn } from '../lib/surface-calls.ts';

const CALLERS = 300;
const SECONDS = 60;
const QUICK_SECONDS = 2;

export const surfaces: Scenario = {
  name: 'surfaces',
  title: `Every wire under ${CALLERS} callers with trivial programs`,
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const eachMs = context.timeLimitMs ?? (context.quick ? QUICK_SECONDS : SECONDS) * 1000;
  await using service = await TestService.start({ config: { surfaces: [...SURFACES] } });
  const rows: Row[] = [];
  const checks: Check[] = [];
  for (const call of SURFACE_CALLS) {
    const counts = new Map<string, number>();
    const latencies: number[] = [];
    const elapsed = stopwatch();
    await closedLoop({ callers: CALLERS, until: () => elapsed() >= eachMs }, async (index) => {
      const sum = sumOf(index);
      const verdict = await service.client.post(call.path, call.body(sum)).then(
        (answer) => {
          latencies.push(answer.ms);
          return verdictOn(call, sum, answer);
        },
        (error: unknown) => `no answer: ${String(error)}`,
      );
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    });
    const seconds = elapsed() / 1000;
    const answers = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const [right, again] = ['true', 'again'].map((verdict) => counts.get(verdict) ?? 0);
    const others = [...counts.keys()].filter(
      (verdict) => verdict !== 'true' && verdict !== 'again',
    );
    const { p50, max } = summarise(latencies);
    rows.push({
      label: `${call.surface}: ${call.path}`,
      cells: {
        true: String(right),
        'a second': (answers / seconds).toFixed(0),
        'try again': String(again),
        p50: `${(p50 / 1000).toFixed(2)} s`,
        slowest: `${(max / 1000).toFixed(2)} s`,
      },
    });
    checks.push({
      what: `${call.surface}: answers that are wrong or outside the contract`,
      target: '0',
      measured:
        others.length === 0 ? '0' : others.map((each) => `${counts.get(each)} ${each}`).join('; '),
      ok: others.length === 0 && right !== 0,
    });
    context.say(`${call.surface}: ${right} of ${answers} in ${seconds.toFixed(1)} s`);
  }
  return {
    rows,
    checks,
    notes: [
      `${CALLERS} requests in flight, ${(eachMs / 1000).toFixed(0)} s a wire; every fourth program is wrong, and has to be told so`,
    ],
  };
}
