/** Golden pairs from reports to the wire. */
import { describe, expect, it } from 'vitest';

import {
  aCase,
  aFault,
  aJudgeReport,
  anOutcome,
  aRunReport,
  bytes,
} from '../test-support/scripted-service.ts';
import {
  CapabilitiesResponse,
  LanguagesResponse,
  capabilitiesToWire,
  languagesToWire,
} from './info-to-wire.ts';
import { StatsResponse, statsToWire } from './stats-to-wire.ts';
import { JudgeResponse, RunResponse } from './schema/report.ts';
import { judgeToWire, runToWire } from './to-wire.ts';
import { createScriptedService } from '../test-support/scripted-service.ts';

const BAD = Uint8Array.of(0x61, 0xff, 0xe2, 0x82, 0x62);

describe('runToWire', () => {
  it('answers as the contract shows', () => {
    const wire = runToWire(
      aRunReport({ labels: { a: 'b' }, clamped: ['memoryBytes', 'openFiles'] }),
    );
    expect(RunResponse.parse(wire)).toEqual(wire);
    expect(wire).toMatchInlineSnapshot(`
      {
        "attempts": 1,
        "clamped": [
          "memory_mb",
          "files",
        ],
        "compile": null,
        "environment": {
          "fingerprint": "sha256:0",
          "id": "python",
        },
        "fault": null,
        "files": {},
        "id": "run_1",
        "labels": {
          "a": "b",
        },
        "language": "python",
        "limits": {
          "compile_cpu_ms": 30000,
          "compile_wall_ms": 61000,
          "cpu_ms": 10000,
          "disk_mb": 64,
          "files": 256,
          "memory_mb": 512,
          "output_kb": 16384,
          "processes": 64,
          "wall_ms": 21000,
        },
        "outcome": {
          "cpu_ms": 3,
          "exit_code": 0,
          "kind": "exited",
          "limit": null,
          "memory_bytes": 9000000,
          "signal": null,
          "stderr": "",
          "stderr_bytes": 0,
          "stderr_truncated": false,
          "stdout": "1
      ",
          "stdout_bytes": 2,
          "stdout_truncated": false,
          "wall_ms": 4,
        },
        "phases": {
          "acquire": "warm",
          "acquire_ms": 0,
          "compile_ms": 0,
          "queue_ms": 0,
          "run_ms": 4,
        },
        "provenance": {
          "cgroup": "v1",
          "profile": null,
          "reused": null,
          "runner": "1",
          "runtime": "process",
          "service": "0.1.0",
          "tests": null,
          "testset": null,
          "verifier": "1",
        },
        "uncollected": {},
        "wall": "nsjail",
      }
    `);
  });

  it('gives bytes that are not UTF-8 twice: with replacement characters, and exactly', () => {
    const { outcome } = runToWire(aRunReport({ outcome: anOutcome({ stdout: BAD }) }));
    expect(outcome?.stdout).toBe('a\ufffd\ufffdb');
    expect(Buffer.from(outcome?.stdout_base64 ?? '', 'base64')).toEqual(Buffer.from(BAD));
    expect(outcome).not.toHaveProperty('stderr_base64');
  });

  it('keeps byte order marks, NUL and CRLF', () => {
    const text = '\ufeff\0\r\n';
    expect(
      runToWire(aRunReport({ outcome: anOutcome({ stdout: bytes(text) }) })).outcome?.stdout,
    ).toBe(text);
  });

  it('has a null outcome on a fault', () => {
    const wire = runToWire(aRunReport({ outcome: null, fault: aFault }));
    expect(RunResponse.parse(wire)).toMatchObject({ outcome: null, fault: aFault, files: {} });
  });

  it('shows the compile step', () => {
    const outcome = anOutcome({
      kind: 'compile_error',
      exitCode: 1,
      stderr: bytes('main.c:1: error'),
    });
    const wire = runToWire(
      aRunReport({ compile: { ok: false, cached: true, warm: false, outcome }, outcome }),
    );
    expect(wire.compile).toMatchObject({
      ok: false,
      cached: true,
      warm: false,
      exit_code: 1,
      stderr: 'main.c:1: error',
    });
    expect(wire.outcome?.kind).toBe('compile_error');
  });

  it('returns collected files, and says which could not be', () => {
    const collected = [
      { path: 'a.txt', status: 'ok', content: bytes('é') },
      { path: '__proto__', status: 'ok', content: BAD },
      { path: 'link', status: 'not_a_file', content: bytes('') },
    ] as const;
    const wire = runToWire(aRunReport({ outcome: anOutcome({ collected }) }));
    expect(JSON.stringify(wire.files)).toBe('{"a.txt":"é","__proto__":{"base64":"Yf/igmI="}}');
    expect(wire.uncollected).toEqual({ link: 'not_a_file' });
  });
});

describe('judgeToWire', () => {
  const failed = aCase({
    id: '2',
    verdict: 'wrong_answer',
    message: 'token 1: expected 2, got 1',
    outcome: anOutcome({ stdout: bytes('é'.repeat(5000)), stdoutTruncated: false }),
  });
  const notRun = aCase({
    id: '3',
    verdict: 'not_run',
    outcome: null,
    message: 'an earlier case failed',
  });
  const report = aJudgeReport({
    verdict: 'wrong_answer',
    reward: 0,
    total: 3,
    fraction: 1 / 3,
    cases: [aCase(), failed, notRun],
  });

  it('answers as the contract shows', () => {
    const wire = judgeToWire(aJudgeReport(), 'full');
    expect(JudgeResponse.parse(wire)).toEqual(wire);
    expect(wire).toMatchInlineSnapshot(`
      {
        "attempts": [],
        "can_be_gamed": false,
        "canaries": null,
        "cases": [
          {
            "cpu_ms": 3,
            "exit_code": 0,
            "group": null,
            "id": "1",
            "limit": null,
            "memory_bytes": 9000000,
            "message": "",
            "score": 1,
            "signal": null,
            "stderr": "",
            "stderr_bytes": 0,
            "stderr_truncated": false,
            "stdout": "1
      ",
            "stdout_bytes": 2,
            "stdout_truncated": false,
            "verdict": "accepted",
            "wall_ms": 4,
            "weight": 1,
          },
        ],
        "cases_not_counted": 0,
        "clamped": [],
        "compile": null,
        "environment": {
          "fingerprint": "sha256:0",
          "id": "python",
        },
        "fault": null,
        "fraction": 1,
        "groups": null,
        "id": "jdg_1",
        "labels": {},
        "language": "python",
        "limits": {
          "compile_cpu_ms": 30000,
          "compile_wall_ms": 61000,
          "cpu_ms": 10000,
          "disk_mb": 64,
          "files": 256,
          "memory_mb": 512,
          "output_kb": 16384,
          "processes": 64,
          "wall_ms": 21000,
        },
        "message": "",
        "mode": "stdio",
        "passed": 1,
        "phases": {
          "acquire": "warm",
          "acquire_ms": 0,
          "compile_ms": 0,
          "queue_ms": 0,
          "run_ms": 4,
          "verify_ms": 0.5,
        },
        "profile": "strict",
        "provenance": {
          "cgroup": "v1",
          "profile": null,
          "reused": null,
          "runner": "1",
          "runtime": "process",
          "service": "0.1.0",
          "tests": null,
          "testset": null,
          "verifier": "1",
        },
        "reward": 1,
        "total": 1,
        "verdict": "accepted",
        "wall": "nsjail",
      }
    `);
  });

  it('shows no case in a summary', () => {
    expect(judgeToWire(report, 'summary').cases).toEqual([]);
  });

  it('shows up to 4 KiB of output of failed cases, and no character in two', () => {
    const [first, second, third] = judgeToWire(report, 'failures').cases;
    expect(first).toMatchObject({
      stdout: null,
      stderr: null,
      stdout_bytes: 2,
      stdout_truncated: false,
    });
    expect(second?.stdout).toBe('é'.repeat(2048));
    expect(second).toMatchObject({ stdout_bytes: 10_000, stdout_truncated: true });
    expect(third).toMatchObject({
      verdict: 'not_run',
      stdout: null,
      exit_code: null,
      cpu_ms: null,
      stdout_bytes: 0,
    });
  });

  it('shows all output in full', () => {
    const [first, second] = judgeToWire(report, 'full').cases;
    expect(first?.stdout).toBe('1\n');
    expect(second?.stdout).toHaveLength(5000);
    expect(second?.stdout_truncated).toBe(false);
  });

  it('shows every attempt once one had a fault, and a null reward', () => {
    const attempts = [
      { jail: 'jail-1', runtime: 'isolate', fault: aFault, wallMs: 1 },
      { jail: null, runtime: 'process', fault: aFault, wallMs: 2 },
    ] as const;
    const wire = judgeToWire(
      aJudgeReport({ verdict: 'fault', reward: null, fault: aFault, attempts }),
      'failures',
    );
    expect(JudgeResponse.parse(wire)).toMatchObject({
      verdict: 'fault',
      reward: null,
      fault: aFault,
    });
    expect(wire.attempts.map((each) => each.jail)).toEqual(['jail-1', null]);
  });
});

describe('what the service says of itself', () => {
  const service = createScriptedService();

  it('fits its schemas', () => {
    const limits = { store: 'redis', degraded: true } as const;
    const counts = { submissions: 1, rateLimited: 2, running: 0, waiting: 3, cpuMs: 4 };
    const tenant = { id: 'team-a', ...counts };
    const ended = { destroyed: 1, idle: 0, lifetime: 0, closed: 0 };
    const sessions = { sessions: 1, busy: 0, snapshots: 2, bytes: 3, created: 2, ended };
    for (const [schema, wire] of [
      [LanguagesResponse, languagesToWire(service.languages())],
      [
        CapabilitiesResponse,
        capabilitiesToWire(service.capabilities(), service.languages(), {
          limits,
          degraded: ['jobs'],
        }),
      ],
      [
        StatsResponse,
        statsToWire(service.stats(), { only: null, limits, tenants: [tenant] }, sessions),
      ],
    ] as const) {
      expect(schema.parse(wire)).toEqual(wire);
    }
  });

  it('says that an output is truncated where the report kept a part of it', () => {
    const outcome = anOutcome({ stdout: bytes('1'), stdoutBytes: 9 });
    const report = aJudgeReport({ cases: [aCase({ verdict: 'wrong_answer', outcome })] });
    const [shown] = judgeToWire(report, 'full').cases;
    expect(shown).toMatchObject({ stdout: '1', stdout_bytes: 9, stdout_truncated: true });
  });
});
