/**
 * Nothing of any language gets out: programs send a token to TCP and UDP ports, a port that is asked as a resolver, IPv6 and
 * an abstract socket, on all of which this test listens. The same programs outside of a jail are heard, so they are fair.
 */
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { listenForProbe, type Listeners } from '../../../src/judge/wall-test/listeners.ts';
import type { Client } from '../../support/client.ts';
import { command } from '../../support/command.ts';
import { readProjectFile, projectFile } from '../../support/project.ts';

const folder = ['test', 'hostile', 'programs', 'outgoing'];

/** Every language that is served, and the ways in which one is run; `runtime` is that of the report. */
const PROGRAMS = [
  { file: 'all.py', language: 'python', runtime: 'forked' },
  { file: 'all.py', language: 'python', warm: false, runtime: 'process' },
  { file: 'all.py', language: 'scientific' },
  { file: 'all.js', language: 'javascript', runtime: 'forked' },
  { file: 'isolate.js', language: 'javascript', runtime: 'isolate' },
  { file: 'all.ts', language: 'typescript' },
  { file: 'all.c', language: 'c' },
  { file: 'all.c', language: 'cpp' },
  { file: 'All.java', language: 'java' },
  { file: 'all.go', language: 'go' },
  { file: 'all.rs', language: 'rust' },
  { file: 'all.sh', language: 'bash' },
] as const;

/** Interpreters that this host has for certain, for the same programs outside. */
const OUTSIDE = [
  ['all.py', 'python3', ['tcp4', 'udp4', 'dns', 'abstract']],
  ['all.js', process.execPath, ['tcp4', 'udp4', 'dns', 'abstract']],
  ['all.sh', 'bash', ['tcp4', 'udp4', 'dns']],
] as const;

const TIMEOUT_MS = 20_000;

async function listening<Result>(work: (args: string[]) => Promise<Result>): Promise<{
  readonly result: Result;
  readonly arrived: Awaited<ReturnType<Listeners['arrived']>>;
}> {
  const tokens = { probe: randomUUID(), own: randomUUID() };
  await using listeners = await listenForProbe(tokens);
  const names = ['tcp4', 'udp4', 'dns', 'tcp6', 'udp6', 'abstract'] as const;
  // A host without IPv6 has nothing to reach there.
  const result = await work([
    tokens.probe,
    ...names.map((name) => listeners.places.get(name) ?? '9'),
  ]);
  return { result, arrived: await listeners.arrived(AbortSignal.timeout(TIMEOUT_MS)) };
}

/** Arguments would have Node started anew; in the text they do not. */
function withArgs(code: string, args: readonly string[]): string {
  return code.replace('process.argv.slice(2)', JSON.stringify(args));
}

/** Arguments of an interpreter that is to execute a text. */
function toCommand(file: string, code: string, args: readonly string[]): string[] {
  if (file.endsWith('.js')) return ['--input-type=commonjs', '-e', code];
  return [projectFile(...folder, file), ...args];
}

function toProgram(file: string, code: string, args: string[]) {
  return /\.[jt]s$/.test(file) ? { code: withArgs(code, args) } : { code, args };
}

export function networkOutside(): void {
  it.each(OUTSIDE)('%s by %s is heard', async (file, program, expected) => {
    const code = readProjectFile(...folder, file);
    const { arrived } = await listening(
      async (args) => await command([program, ...toCommand(file, withArgs(code, args), args)]),
    );
    expect(arrived).toEqual(expect.arrayContaining([...expected]));
  });
}

export function networkSuite(wall: 'nsjail' | 'gvisor', client: () => Client): void {
  let available: ReadonlySet<string>;
  beforeAll(async () => {
    const languages = await client().languages();
    available = new Set(
      languages.flatMap(({ id, available: has, environments }) => [
        ...(has ? [id] : []),
        ...environments.flatMap((each) => (each.reason === null ? [each.id] : [])),
      ]),
    );
    const tested = new Set<string>(PROGRAMS.map(({ language }) => language));
    expect(languages.filter(({ id }) => !tested.has(id))).toEqual([]);
  });
  afterAll(async () => {
    expect((await client().get('/readyz')).status).toBe(200);
  });

  it.for(PROGRAMS)('nothing of $file in $language arrives', async (row, { skip }) => {
    const { file, language } = row;
    skip(!available.has(language), `${language} is not available on this host`);
    const runtime = 'runtime' in row ? row.runtime : null;
    skip(wall === 'gvisor' && runtime === 'isolate', 'there are no isolates behind gVisor');
    const code = readProjectFile(...folder, file);
    const warm = 'warm' in row ? row.warm : true;
    const { result, arrived } = await listening(
      async (args) => await client().run({ language, wall, warm, ...toProgram(file, code, args) }),
    );
    expect(result.fault).toBeNull();
    expect(result.outcome, JSON.stringify(result.compile)).toMatchObject({
      kind: 'exited',
      exit_code: 0,
      stdout: 'tried\n',
    });
    // Behind gVisor other runtimes are kept ready.
    if (runtime !== null && wall === 'nsjail') expect(result.provenance.runtime).toBe(runtime);
    expect(result.wall).toBe(wall);
    expect(arrived).toEqual([]);
  });
}
