/**
 * What every run finds the same, in each language, warm and cold (behind gVisor: gvisor.test.ts); what `seed` and `clock`
 * of a request hold, and that they are refused where they hold nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aRun } from '../support/builders.ts';
import { startService, type RunningService } from '../support/service.ts';
import {
  CLOCK_PROGRAMS,
  isOneProcessor,
  readSettings,
  SEED_PROGRAMS,
  SETTINGS_PROGRAMS,
} from '../support/settings-programs.ts';

const CLOCK = '2001-02-03T04:05:06.789+00:00';
const CLOCK_MS = String(Date.parse(CLOCK));
/** Of every run; languages add their own. */
const ENV = [
  ...['HOME=/work', 'LANG=C.UTF-8', 'MKL_NUM_THREADS=1', 'OMP_NUM_THREADS=1'],
  ...['OPENBLAS_NUM_THREADS=1', 'PATH=/usr/local/bin:/usr/bin:/bin', 'TMPDIR=/tmp', 'TZ=UTC'],
];
/** What Bash makes of its own, and what languages add. */
const OWN = /^(?:OLDPWD|PWD=\/work|SHLVL=\d+|GOMEMLIMIT=512MiB|PYTHON\w+=\d)$/;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ startTimeoutMs: 170_000 });
}, 180_000);
afterAll(async () => await service?.stop());

type Request = Parameters<typeof aRun>[0];

async function printed(request: Request): Promise<string> {
  const { outcome, fault } = await service.client.run(aRun(request));
  expect(outcome, JSON.stringify(fault)).toMatchObject({ kind: 'exited', exit_code: 0 });
  return outcome?.stdout ?? '';
}

async function isOffered(language: string): Promise<boolean> {
  const languages = await service.client.languages();
  return languages.some(({ id, available }) => id === language && available);
}

describe.each(Object.entries(SETTINGS_PROGRAMS))('%s', (language, code) => {
  it('has the same settings in every run', async ({ skip }) => {
    if (!(await isOffered(language))) return skip(`${language} is not there`);
    const first = readSettings(await printed({ language, code }));
    expect(isOneProcessor(first), JSON.stringify(first.cpus)).toBe(true);
    if (language !== 'rust') expect(first.offset).toBe(0);
    expect(first.env.filter((each) => !OWN.test(each))).toEqual(ENV);
    expect(readSettings(await printed({ language, code, warm: false }))).toEqual(first);
  });
});

it('tells what it holds in each language, in /v1/capabilities', async () => {
  const { body } = await service.client.get('/v1/capabilities');
  const { determinism } = body as {
    determinism: { languages: Record<string, { seed: string | null; clock: string | null }> };
  };
  const { languages } = determinism;
  expect(Object.keys(languages).toSorted()).toEqual(Object.keys(SETTINGS_PROGRAMS).toSorted());
  const having = (what: 'seed' | 'clock'): string[] =>
    Object.keys(languages).filter((id) => languages[id]?.[what] !== null);
  expect(having('seed').toSorted()).toEqual(['c', 'cpp', ...Object.keys(SEED_PROGRAMS)].toSorted());
  expect(having('clock').toSorted()).toEqual(Object.keys(CLOCK_PROGRAMS).toSorted());
});

describe.each(Object.entries(CLOCK_PROGRAMS))('the clock of %s', (language, code) => {
  it('stands where the request says', async ({ skip }) => {
    if (!(await isOffered(language))) return skip(`${language} is not there`);
    const text = await printed({ language, code, clock: CLOCK });
    expect(new Set(text.trim().split(/\s+/))).toEqual(new Set([CLOCK_MS]));
    // Without it the time is the true one.
    const [now = ''] = (await printed({ language, code })).split(' ');
    expect(Math.abs(Number(now) - Date.now())).toBeLessThan(600_000);
  });
});

it('a clock that stands stops no limit', async () => {
  const spin = 'import time\nend = time.time() + 1\nwhile time.time() < end: pass\n';
  const sleep = 'import time\ntime.sleep(60)\n';
  const [spun, slept] = [
    await service.client.run(
      aRun({ code: spin, clock: CLOCK, limits: { cpu_ms: 300, wall_ms: 30_000 } }),
    ),
    await service.client.run(aRun({ code: sleep, clock: CLOCK, limits: { wall_ms: 500 } })),
  ];
  expect(spun.outcome).toMatchObject({ kind: 'time_limit', limit: 'cpu' });
  expect(slept.outcome).toMatchObject({ kind: 'time_limit', limit: 'wall' });
});

it('both sides of tests that are code have the clock', async () => {
  const report = await service.client.judge({
    language: 'python',
    code: 'import datetime\ndef today(): return datetime.date.today().isoformat()\n',
    clock: CLOCK,
    tests: {
      kind: 'asserts',
      setup: 'import datetime',
      cases: [
        "assert today() == '2001-02-03'",
        'assert today() == datetime.date.today().isoformat()',
      ],
    },
  });
  expect(report).toMatchObject({ verdict: 'accepted', passed: 2 });
});

describe.each(Object.entries(SEED_PROGRAMS))('the seed of %s', (language, code) => {
  it('makes runs equal, another one others', async () => {
    const [one, same, other] = [
      await printed({ language, code, seed: 7 }),
      await printed({ language, code, seed: 7 }),
      await printed({ language, code, seed: 8 }),
    ];
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });
});

it.each([
  ['go', 'seed', 1],
  ['go', 'clock', CLOCK],
  ['rust', 'seed', 1],
  ['java', 'seed', 1],
  ['bash', 'seed', 1],
])('%s is refused a %s', async (language, field, value) => {
  if (!(await isOffered(language))) return;
  const { status, body } = await service.client.post('/v1/run', {
    language,
    code: 'x',
    [field]: value,
  });
  expect(status).toBe(422);
  expect(body).toMatchObject({ code: 'invalid', errors: [{ path: field }] });
});
