/**
 * Python forked warm against Python started anew: every program below `programs/` is run both ways by one service, and
 * must end the same way and write the same bytes. Addresses are the only thing that may differ.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RunResponse } from '../../../src/http/native/schema/report.ts';
import { startService, type RunningService } from '../../support/service.ts';
import { programsOf, type Program } from '../program.ts';
import { ODD_SOURCES } from './odd-sources.ts';

const FORKED_LEAST = 400;
const ADDRESS = /\b0x[\da-f]{6,}\b/g;

const programs = [...programsOf('python', '.py'), ...ODD_SOURCES];

let service: RunningService | null = null;
let forked = 0;

beforeAll(async () => {
  service = await startService({ languages: ['python'], flags: { '--slots': '2' } });
});

afterAll(async () => await service?.stop());

async function run({ request }: Program, warm: boolean): Promise<RunResponse> {
  if (service === null) throw new Error('the service has not been started');
  return await service.client.run({ ...request, warm });
}

/** What must not depend on how the interpreter was started. */
function observed({ outcome, fault, attempts, files }: RunResponse): unknown {
  const text = (bytes: string | undefined): string | undefined =>
    bytes?.replaceAll(ADDRESS, '0x(address)');
  return {
    kind: outcome?.kind,
    limit: outcome?.limit,
    exitCode: outcome?.exit_code,
    signal: outcome?.signal,
    stdout: text(outcome?.stdout),
    stdoutBytes: outcome?.stdout_base64,
    stderr: text(outcome?.stderr),
    stderrBytes: outcome?.stderr_base64,
    files,
    fault,
    attempts,
  };
}

describe.concurrent('forked and started anew', () => {
  it.each(programs)('$name', async (program) => {
    const warm = await run(program, true);
    const cold = await run(program, false);
    const runtime = warm.provenance.runtime;
    if (runtime === 'forked') forked += 1;
    expect({ warm: runtime, cold: cold.provenance.runtime }).toEqual({
      warm: program.runtime,
      cold: 'process',
    });
    if (!program.differs) {
      expect(observed(warm)).toEqual(observed(cold));
      return;
    }
    const again = await run(program, true);
    const outputs = [warm, again, cold].map(({ outcome }) => outcome?.stdout);
    expect(new Set(outputs).size).toBe(outputs.length);
    expect([warm, again, cold].map(({ outcome }) => outcome?.exit_code)).toEqual([0, 0, 0]);
  });
});

describe('the suite', () => {
  it('compares forked programs in the large majority', () => {
    process.stderr.write(`${forked} of ${programs.length} programs were forked\n`);
    expect(forked).toBeGreaterThan(FORKED_LEAST);
    expect(forked).toBeGreaterThan(programs.length * 0.8);
  });
});
