/**
 * The three ways of JavaScript and TypeScript through the live service: every program of `programs/` is run in an isolate,
 * forked from a warm Node, and as a process of its own, and all must tell the same outcome: kind, exit code and standard
 * output to the byte. Programs in `isolate/` must not need a process, those in `process/` must be found to; `any/` may do
 * either.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RunResponse } from '../../src/http/native/schema/report.ts';
import { projectFile, readProjectFile } from '../support/project.ts';
import { startService, type RunningService } from '../support/service.ts';

const FOLDER = ['test', 'equivalence', 'programs'] as const;
const LANGUAGES: Readonly<Record<string, string>> = { '.js': 'javascript', '.ts': 'typescript' };
/** The suite is worth what it covers: fewer would be a program lost, or a path that is not taken. */
const PROGRAMS_MIN = 150;
const ISOLATE_MIN = 150;
const FORKED_MIN = 190;
/** A word that isolates leave to Node; after the program, so that no line moves. */
const NEEDS_NODE = '\n// WebAssembly\n';

interface Program {
  readonly expected: string;
  readonly name: string;
  readonly language: string;
}

const programs: readonly Program[] = ['isolate', 'process', 'any'].flatMap((expected) =>
  readdirSync(projectFile(...FOLDER, expected))
    .filter((name) => LANGUAGES[path.extname(name)] !== undefined)
    .map((name) => ({ expected, name, language: LANGUAGES[path.extname(name)] ?? '' })),
);

function stdinOf({ expected, name }: Program): string {
  const files = readdirSync(projectFile(...FOLDER, expected));
  return files.includes(`${name}.in`) ? readProjectFile(...FOLDER, expected, `${name}.in`) : '';
}

function told({ outcome }: RunResponse) {
  if (outcome === null) return null;
  const { kind, exit_code, signal, stdout, stdout_base64 } = outcome;
  return { kind, exit_code, signal, stdout, stdout_base64 };
}

describe('an isolate, a fork and a process', () => {
  let service: RunningService;
  /** Runtime that judged a program, when both were allowed. */
  const taken = new Map<string, string>();
  let forks = 0;
  beforeAll(async () => {
    service = await startService({ languages: ['javascript', 'typescript'] });
  });
  afterAll(async () => {
    await service.stop();
  });

  it.each(programs)('tell the same of $expected/$name', async (program) => {
    const request = {
      language: program.language,
      code: readProjectFile(...FOLDER, program.expected, program.name),
      stdin: stdinOf(program),
      limits: { cpu_ms: 5000, wall_ms: 20_000 },
    };
    const [warm, cold] = await Promise.all([
      service.client.run(request),
      service.client.run({ ...request, warm: false }),
    ]);
    const forked = await service.client.run({ ...request, code: request.code + NEEDS_NODE });
    expect(cold.provenance.runtime).toBe('process');
    expect(told(warm)).toEqual(told(cold));
    expect(told(forked)).toEqual(told(cold));
    expect(forked.provenance.runtime).not.toBe('isolate');
    if (forked.provenance.runtime === 'forked') forks += 1;
    taken.set(program.name, warm.provenance.runtime ?? '');
    if (program.expected === 'isolate') expect(warm.provenance.runtime).toBe('isolate');
    if (program.expected === 'process') expect(warm.provenance.runtime).not.toBe('isolate');
  });

  it.each([
    ['crashes', 'process.abort()', 'signalled'],
    ['meets its wall limit', 'setInterval(() => {}, 1000)', 'time_limit'],
  ])('a fork that %s is confirmed by a process', async (_, code, kind) => {
    const limits = { cpu_ms: 1000, wall_ms: 1500 };
    const request = { language: 'javascript', code: code + NEEDS_NODE, limits };
    const [warm, cold] = [
      await service.client.run(request),
      await service.client.run({ ...request, warm: false }),
    ];
    expect(told(warm)).toEqual(told(cold));
    expect(warm.outcome?.kind).toBe(kind);
    expect(warm.provenance.runtime).toBe('process');
    // The isolate, the fork, the process.
    expect([warm.attempts, cold.attempts]).toEqual([3, 1]);
  });

  it('are all taken', () => {
    const count = [...taken.values()].filter((runtime) => runtime === 'isolate').length;
    process.stdout.write(`isolates: ${count}, forks: ${forks} of ${programs.length} programs\n`);
    expect(programs.length).toBeGreaterThanOrEqual(PROGRAMS_MIN);
    expect(count).toBeGreaterThanOrEqual(ISOLATE_MIN);
    expect(forks).toBeGreaterThanOrEqual(FORKED_MIN);
  });
});
