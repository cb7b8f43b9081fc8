/** What programs print costs the service the outputs under way, not those of all cases. */
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { aJudge } from '../support/builders.ts';
import { startService } from '../support/service.ts';

const MIB = 1024 * 1024;
const CASES = 40;
const OUTPUT_MIB = 32;
/** A few outputs at a time (received, compared, freed when the collector comes), not 40 × 32 MiB. */
const GROWTH_MAX = 900 * MIB;

/** The largest resident set so far (proc(5), VmHWM), bytes. */
function peakRSS(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

describe('memory of the service', () => {
  it.for(['failures', 'full'] as const)(
    'does not grow with the number of cases (detail %s)',
    { timeout: 300_000 },
    async (detail) => {
      await using service = await startService({ languages: ['c'], flags: { '--slots': '1' } });
      const before = peakRSS(service.pid);
      const cases = Array.from({ length: CASES }, () => ({ expected_stdout: 'no' }));
      const report = await service.client.judge(
        aJudge({
          language: 'c',
          code: `#include <unistd.h>
#include <string.h>
static char block[1 << 20];
int main(void) { memset(block, 'x', sizeof block); for (int i = 0; i < ${OUTPUT_MIB}; i++) if (write(1, block, sizeof block) < 0) return 1; return 0; }`,
          cases,
          stop: 'never',
          detail,
          limits: { output_kb: OUTPUT_MIB * 1024 },
        }),
      );
      expect(report).toMatchObject({ verdict: 'wrong_answer', passed: 0, total: CASES });
      expect(peakRSS(service.pid) - before).toBeLessThan(GROWTH_MAX);
    },
  );
});
