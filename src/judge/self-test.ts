/**
 * The boot self-test: each environment judges its own `ok` program through the whole path before it is offered. A
 * language that cannot do that is unavailable, loudly, and never the author of "compile errors".
 */
import type { SelfTestCase } from '../catalog/self-test.ts';
import { resolveLimits } from '../domain/limits.ts';
import { inForce } from '../domain/profile.ts';
import { PLAIN, type JudgeSubmission } from '../domain/submission.ts';
import type { SelfTestResult, Service } from './door.ts';

/** From the catalog's definition to a submission like any other. */
function toSelfTestSubmission(test: SelfTestCase, maxima: Service['maxima']): JudgeSubmission {
  const { limits, clamped } = resolveLimits(test.limits, maxima);
  return {
    ...PLAIN,
    id: `selftest_${test.environment}_${test.name}`,
    language: test.language,
    environment: test.environment,
    program: { kind: 'single', code: test.code, files: [] },
    limits,
    clamped,
    testset: null,
    graders: [],
    tests: {
      kind: 'stdio',
      cases: [
        {
          id: test.name,
          stdin: test.stdin,
          expectedStdout: test.expectedStdout,
          weight: 1,
          group: null,
          args: [],
          files: [],
          limits,
        },
      ],
    },
    compare: { kind: 'tokens' },
    scoring: 'all',
    rewardRange: [0, 1],
    stop: 'never',
    detail: 'full',
    profile: inForce('strict'),
  };
}

/** Runs one self-test; never throws. */
export async function runSelfTest(service: Service, test: SelfTestCase): Promise<SelfTestResult> {
  const { environment, name } = test;
  try {
    const { signal } = new AbortController();
    const context = { signal, deadlineMs: null, isOwn: true, compilesAnew: true };
    const report = await service.judge(toSelfTestSubmission(test, service.maxima), context);
    const ok = report.verdict === test.expect;
    const detail = report.fault?.message ?? report.message;
    const message = ok ? '' : `expected ${test.expect}, got ${report.verdict}: ${detail}`;
    return { environment, test: name, ok, message };
  } catch (error) {
    return { environment, test: name, ok: false, message: String(error) };
  }
}
