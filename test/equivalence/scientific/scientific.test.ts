/**
 * Python with its packages, forked from the warm runtime and started by exec: a program sees no difference. The programs
 * are files, with their input beside them where they have any. What shall differ between two runs is here.
 */
import { existsSync, readdirSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { aRun, type RunRequestBody } from '../../support/builders.ts';
import { projectFile, readProjectFile } from '../../support/project.ts';
import { startService, type RunningService } from '../../support/service.ts';

const FOLDER = ['test', 'equivalence', 'scientific', 'programs'] as const;
const programs = readdirSync(projectFile(...FOLDER))
  .filter((name) => name.endsWith('.py'))
  .map((name) => name.slice(0, -'.py'.length));

/** Programs that are started the cold way whatever was asked, with the reason. */
const COLD: Readonly<Record<string, string>> = {
  numpy_ctypes: 'it uses ctypes, whose callbacks at the end nobody sees',
  shadowed: 'it asks for sys.path',
};

/** Some import everything by exec, on a host that may be busy. */
const COLD_RUN_MS = 60_000;

const Versions = z.record(z.string(), z.string());

interface Seen {
  readonly kind: string;
  readonly exit_code: number | null;
  readonly signal: number | string | null;
  readonly limit: string | null;
  readonly stdout: unknown;
  readonly stderr: unknown;
}

describe('the scientific environment', { timeout: COLD_RUN_MS }, () => {
  let service: RunningService;
  let missing: string | null = null;
  beforeAll(async () => {
    service = await startService({ languages: ['python'], flags: { '--slots': '2' } });
    const languages = await service.client.languages();
    const environments = languages.flatMap((language) => language.environments);
    missing = environments.find(({ id }) => id === 'scientific')?.reason ?? null;
  }, COLD_RUN_MS);
  afterAll(async () => await service.stop());

  const run = async (given: Partial<RunRequestBody>) => {
    const body = aRun({ language: 'scientific', ...given });
    const { outcome, provenance } = await service.client.run(body);
    if (outcome === null) throw new Error('the run had a fault');
    const { kind, exit_code, signal, limit, stdout, stderr } = outcome;
    const seen: Seen = { kind, exit_code, signal, limit, stdout, stderr };
    return { seen, runtime: provenance.runtime, cpuMs: outcome.cpu_ms };
  };
  const bothWays = async (given: Partial<RunRequestBody>) => {
    const [forked, executed] = await Promise.all([
      run({ ...given, warm: true }),
      run({ ...given, warm: false }),
    ]);
    expect(executed.runtime).toBe('process');
    return { forked, executed };
  };

  it.for(programs)('%s: warm as cold', async (name, { skip, expect }) => {
    skip(missing !== null, `scientific: ${missing}`);
    const input = `${name}.in`;
    const hasInput = existsSync(projectFile(...FOLDER, input));
    const { forked, executed } = await bothWays({
      code: readProjectFile(...FOLDER, `${name}.py`),
      ...(hasInput ? { stdin: readProjectFile(...FOLDER, input) } : {}),
    });
    expect(forked.seen).toEqual(executed.seen);
    expect(forked.seen.kind).toBe('exited');
    expect(forked.runtime).toBe(name in COLD ? 'process' : 'forked');
  });

  it('forks a program that names numpy alone from a runtime that has no more', async ({
    skip,
    expect,
  }) => {
    skip(missing !== null, `scientific: ${missing}`);
    const code = (name: string) =>
      `had = ${name} in open('/proc/self/maps').read()\nimport numpy\nprint(had, __import__(${name}).DataFrame({'a': [1]}).a.sum())`;
    const [light, full] = await Promise.all([
      run({ code: code("'pan' + 'das'"), warm: true }),
      run({ code: code("'pandas'"), warm: true }),
    ]);
    expect([light.runtime, light.seen.stdout]).toEqual(['forked', 'False 1\n']);
    expect([full.runtime, full.seen.stdout]).toEqual(['forked', 'True 1\n']);
  });

  it('has fresh random numbers in every run', async ({ skip, expect }) => {
    skip(missing !== null, `scientific: ${missing}`);
    const code = `import random, numpy as np, scipy.stats, sympy
from sympy.core.random import rng
print(np.random.rand(), np.random.default_rng().random(), random.random(), rng.random(),
      scipy.stats.norm.rvs(), np.random.RandomState().rand(), np.random.bytes(8).hex(), sep="\\n")`;
    const runs = [await run({ code }), await run({ code }), await run({ code })];
    expect(runs.map(({ runtime }) => runtime)).toEqual(['forked', 'forked', 'forked']);
    const numbers = runs.flatMap(({ seen }) => String(seen.stdout).trim().split('\n'));
    expect(numbers).toHaveLength(21);
    expect(new Set(numbers).size).toBe(21);
  });

  it.for([
    [400, 'exited', 0],
    [700, 'memory_limit', null],
  ] as const)('an array of %i MB under 512 MB ends the same both ways: %s', async (row, ctx) => {
    ctx.skip(missing !== null, `scientific: ${missing}`);
    const [megabytes, kind, exitCode] = row;
    const code = `import numpy as np\na = np.ones(${megabytes} * 10**6 // 8)\nprint(a.sum())`;
    const { forked, executed } = await bothWays({ code, limits: { memory_mb: 512 } });
    expect([forked.seen.kind, executed.seen.kind]).toEqual([kind, kind]);
    if (exitCode !== null) expect(forked.seen).toEqual(executed.seen);
  });

  it('a forked run does not pay for imports, nor for taking them apart', async (ctx) => {
    ctx.skip(missing !== null, `scientific: ${missing}`);
    const code = 'import numpy, pandas, scipy.stats, sympy\nprint(numpy.arange(10).sum())';
    const { forked, executed } = await bothWays({ code });
    await ctx.annotate(`forked ${forked.cpuMs} ms of CPU, by exec ${executed.cpuMs}`);
    // Measured: 1 of 100; 1 of 3 where the interpreter is taken apart.
    expect(forked.cpuMs).toBeLessThan(executed.cpuMs / 8);
  });

  it('names its packages with their versions', async ({ skip, expect }) => {
    skip(missing !== null, `scientific: ${missing}`);
    const languages = await service.client.languages();
    const environment = languages
      .flatMap((language) => language.environments)
      .find(({ id }) => id === 'scientific');
    expect(environment?.['warm']).toBe(true);
    const names = ['numpy', 'pandas', 'scipy', 'sympy'];
    const code = `import ${names.join(', ')}\nfor m in ${names.join(', ')}: print(m.__version__)`;
    const { seen } = await run({ code });
    expect(String(seen.stdout).trim().split('\n')).toEqual(
      names.map((name) => Versions.parse(environment?.['packages'])[name]),
    );
  });

  it('the plain environment has none of them', async ({ expect }) => {
    const { seen } = await run({ language: 'python', code: 'import numpy' });
    expect(String(seen.stderr)).toContain("ModuleNotFoundError: No module named 'numpy'");
  });
});
