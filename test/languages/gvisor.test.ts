/**
 * Languages behind gVisor, by a service that offers both walls: programs with known verdicts get the ones that they get
 * behind nsjail. `npm run prove:walls` is the same for all of them. Skipped where there is no gVisor (`npm run gvisor`).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { gvisorWall, skipNote } from '../contract/walls.ts';
import { aRun } from '../support/builders.ts';
import {
  humanEvalPrograms,
  isSameOrExplained,
  selfTestPrograms,
  stdinPrograms,
  type KnownProgram,
} from '../support/known-programs.ts';
import {
  CLOCK_PROGRAMS,
  isOneProcessor,
  readSettings,
  SETTINGS_PROGRAMS,
} from '../support/settings-programs.ts';
import { startService, type RunningService } from '../support/service.ts';

const LANGUAGES = ['python', 'c', 'cpp', 'javascript'];
/** Whose self-tests are judged. */
const TESTED = ['python', 'cpp', 'javascript'];
const { missing } = await gvisorWall('auto');

const selfTests = (await selfTestPrograms()).filter(({ language }) => TESTED.includes(language));
/** A few of many, far apart. */
const every = (step: number, programs: readonly KnownProgram[]): KnownProgram[] =>
  programs.filter((_, index) => index % step === 0);
const programs = [
  ...selfTests,
  ...every(33, humanEvalPrograms()),
  ...stdinPrograms().filter(({ name }) => /^(?:words|barrels) .*\.py$/.test(name)),
];

describe.skipIf(missing !== null)(`behind gVisor${skipNote(missing)}`, () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({
      languages: LANGUAGES,
      flags: { '--walls': 'nsjail,gvisor', '--language-walls': 'c=gvisor' },
    });
  });
  afterAll(async () => await service.stop());

  it('both walls are offered, each with what it enforces; who asks for none gets the first', async () => {
    const { body } = await service.client.get('/v1/capabilities');
    expect(body).toMatchObject({
      walls: [
        { wall: 'nsjail', available: true },
        { wall: 'gvisor', available: true, enforced: { network: 'gVisor without a network' } },
      ],
    });
    expect(await service.client.run(aRun())).toMatchObject({ wall: 'nsjail' });
    expect(await service.client.run(aRun({ wall: 'nsjail' }))).toMatchObject({ wall: 'nsjail' });
    const inC = { language: 'c', code: 'int main(void) { return 0; }', wall: 'nsjail' } as const;
    expect(await service.client.run(aRun(inC))).toMatchObject({ wall: 'gvisor' });
  });

  it('a program meets a kernel that is not this machine’s, and nothing of its processes', async () => {
    const code = `
import os
print('gvisor' in open('/proc/version').read().lower())
print(sorted(int(name) for name in os.listdir('/proc') if name.isdigit())[:2])
print(os.getuid(), os.listdir('/'), os.listdir('/dev'))
try:
    open('/usr/file', 'w')
except OSError as error:
    print(error.strerror)
`;
    const { wall, outcome } = await service.client.run(aRun({ code, wall: 'gvisor' }));
    expect(wall).toBe('gvisor');
    const [kernel, processes, who, write] = outcome?.stdout.split('\n') ?? [];
    expect([kernel, processes, write]).toEqual(['True', '[1, 2]', 'Permission denied']);
    expect(who).toMatch(/^1000 /);
    for (const name of ['sys', 'home', 'root', 'tty', 'ptmx', 'supervisor'])
      expect(who).not.toContain(`'${name}'`);
  });

  it('a Python program is forked from a warm interpreter, as one of its own would be', async () => {
    const code = 'import sys, os\nprint(__name__, sys.argv, input(), os.getppid())\nsys.exit(3)';
    const given = aRun({ code, stdin: 'line\n', wall: 'gvisor' });
    const [warm, cold] = [
      await service.client.run(given),
      await service.client.run({ ...given, warm: false }),
    ];
    expect([warm.provenance.runtime, cold.provenance.runtime]).toEqual(['forked', 'process']);
    expect(warm.outcome).toMatchObject({ kind: 'exited', exit_code: 3, stderr: '' });
    expect(warm.outcome?.stdout).toBe(cold.outcome?.stdout);
  });

  it.each(LANGUAGES)(
    '%s has the settings of nsjail, one processor among them',
    async (language) => {
      const code = SETTINGS_PROGRAMS[language] ?? '';
      const [nsjail, gvisor] = [
        await service.client.outcome(aRun({ language, code, wall: 'nsjail' })),
        await service.client.outcome(aRun({ language, code, wall: 'gvisor' })),
      ];
      const { cpus: _, ...settings } = readSettings(nsjail.stdout);
      const seen = readSettings(gvisor.stdout);
      expect(isOneProcessor(seen), JSON.stringify(seen.cpus)).toBe(true);
      expect(seen).toMatchObject(settings);
    },
  );

  it('a clock stands where the request says', async () => {
    const clock = '2001-02-03T04:05:06.789Z';
    const code = CLOCK_PROGRAMS['python'] ?? '';
    const { stdout } = await service.client.outcome(aRun({ code, clock, wall: 'gvisor' }));
    expect(new Set(stdout.trim().split(/\s+/))).toEqual(new Set([String(Date.parse(clock))]));
  });

  it.each(programs)('$name: the verdict of nsjail', async ({ name, request }) => {
    const [nsjail, gvisor] = [
      await service.client.judge({ ...request, wall: 'nsjail' }),
      await service.client.judge({ ...request, wall: 'gvisor' }),
    ];
    expect([nsjail.fault, gvisor.fault]).toEqual([null, null]);
    expect([nsjail.wall, gvisor.wall]).toEqual(['nsjail', 'gvisor']);
    const isAsMeant = isSameOrExplained(name, nsjail.verdict, ['gvisor', gvisor.verdict]);
    expect(isAsMeant, `nsjail ${nsjail.verdict}, gVisor ${gvisor.verdict}`).toBe(true);
  });
});
