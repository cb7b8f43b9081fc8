/**
 * The whole service over the fake wall, with the nth use of the port failing for n = 1, 2, 3 …: a single fault never
 * changes an answer, a lasting one is a fault with a null reward, and neither leaves a jail.
 */
import { describe, expect, it } from 'vitest';

import { createAssay, type Assay } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import {
  environmentsOf,
  LanguageDefinition,
  type CatalogEntry,
} from '../../src/domain/language.ts';
import { ENFORCED_PROPERTIES } from '../../src/domain/wall.ts';
import { JudgeResponse } from '../../src/http/native/schema/report.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createFakeSandbox } from '../../src/sandbox/fake/fake.ts';
import type { WallProbe } from '../../src/sandbox/port.ts';
import { within } from '../support/wait.ts';
import { createFailingSandbox, type FailingSandbox, type FaultPlan } from './failing-wall.ts';

/** More uses than a submission has; the loop ends where no use is left to fail. */
const USES_MAX = 400;

function toyCatalog(): readonly CatalogEntry[] {
  const definition = LanguageDefinition.parse({
    id: 'toy',
    title: 'Toy',
    aliases: [],
    sourceFile: 'main',
    probe: { program: 'none' },
    compile: { command: ['/compile', '{entry}'], artefacts: ['main'] },
    run: { command: ['./main'], needsSource: true },
    selfTests: {},
  });
  const toolchain = { version: '1', tools: {}, mounts: [], packages: {} };
  const environment = { id: 'toy', language: definition, toolchain, fingerprint: 'sha256:0' };
  const [own] = environmentsOf(definition);
  return [{ definition, environments: [{ definition: own, environment, reason: null }] }];
}

function fakeProbe(): WallProbe {
  const enforced = Object.fromEntries(ENFORCED_PROPERTIES.map((name) => [name, 'fake']));
  return {
    wall: 'fake',
    available: true,
    version: '1',
    cgroup: 'none',
    enforced: enforced as WallProbe['enforced'],
    stackMb: null,
    problems: [],
  };
}

interface Trial {
  readonly report: JudgeResponse;
  readonly failures: number;
  readonly jailsLeft: number;
}

/** Starts a service whose wall fails as planned, judges one submission of three cases, ends it. */
async function judgeOnce(plan: FaultPlan): Promise<Trial> {
  const fake = createFakeSandbox({ clock: systemClock });
  const sandbox: FailingSandbox = createFailingSandbox(fake, plan);
  const loaded = loadConfig({
    environment: {},
    flags: { slots: 1, pin: false, selfTest: 'none', logLevel: 'silent' },
  });
  const assay = await createAssay(loaded, {
    wall: { sandbox, probe: fakeProbe() },
    catalog: toyCatalog(),
  });
  try {
    await assay.selfTested;
    const report = await within(ask(assay), { what: 'a judgement', timeoutMs: 20_000 });
    await assay.close();
    return { report, failures: sandbox.failures, jailsLeft: fake.jailCount };
  } finally {
    await assay.close();
  }
}

async function ask(assay: Assay): Promise<JudgeResponse> {
  const cases = ['1', '2', '3'].map((id) => ({ id, stdin: id, expected_stdout: id }));
  const response = await assay.app.request('/v1/judge', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      language: 'toy',
      code: JSON.stringify({
        echo: true,
        compile: { files: { main: JSON.stringify({ echo: true }) } },
      }),
      tests: { kind: 'stdio', cases },
    }),
  });
  expect(response.status).toBe(200);
  return JudgeResponse.parse(await response.json());
}

describe('a fault at every use of the port', () => {
  it('once: the answer is that of a faultless service', async () => {
    let failed = 0;
    let isOver = false;
    for (let nth = 1; !isOver && nth < USES_MAX; nth += 1) {
      const { report, failures, jailsLeft } = await judgeOnce({ fails: (use) => use === nth });
      expect({
        nth,
        verdict: report.verdict,
        reward: report.reward,
        passed: report.passed,
      }).toEqual({
        nth,
        verdict: 'accepted',
        reward: 1,
        passed: 3,
      });
      expect({ nth, jailsLeft }).toEqual({ nth, jailsLeft: 0 });
      isOver = failures === 0;
      failed += failures;
    }
    expect(isOver).toBe(true);
    // Start, HELLO, source, compile, three runs, their results: fewer would mean that the loop tests nothing.
    expect(failed).toBeGreaterThan(10);
  });

  it('and ever after: a fault with a null reward, never a 0', async () => {
    let isOver = false;
    let faults = 0;
    for (let nth = 1; !isOver && nth < USES_MAX; nth += 1) {
      const { report, failures, jailsLeft } = await judgeOnce({ fails: (use) => use >= nth });
      expect({ nth, jailsLeft }).toEqual({ nth, jailsLeft: 0 });
      if (report.verdict === 'fault') {
        faults += 1;
        expect(report).toMatchObject({
          reward: null,
          cases: [],
          passed: 0,
          fault: { retryable: true },
        });
        expect(report.attempts.length).toBe(2);
        expect(report.attempts.every(({ fault }) => fault !== null)).toBe(true);
      } else {
        expect({ nth, verdict: report.verdict, reward: report.reward }).toEqual({
          nth,
          verdict: 'accepted',
          reward: 1,
        });
      }
      isOver = failures === 0 || report.verdict === 'accepted';
    }
    expect(isOver).toBe(true);
    expect(faults).toBeGreaterThan(10);
  });

  it('a jail that the check finds dirty is replaced, and nobody notices', async () => {
    const fake = createFakeSandbox({ clock: systemClock, isClean: () => false });
    const loaded = loadConfig({
      environment: {},
      flags: { slots: 1, pin: false, selfTest: 'none', logLevel: 'silent' },
    });
    const assay = await createAssay(loaded, {
      wall: { sandbox: fake, probe: fakeProbe() },
      catalog: toyCatalog(),
    });
    try {
      for (let i = 0; i < 10; i += 1) {
        expect(await ask(assay)).toMatchObject({ verdict: 'accepted', reward: 1, attempts: [] });
      }
      expect(fake.startCount).toBeGreaterThanOrEqual(10);
    } finally {
      await assay.close();
    }
    expect(fake.jailCount).toBe(0);
  });
});
