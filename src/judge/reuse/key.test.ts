/** What makes submissions equal, field by field. */
import { expect, it } from 'vitest';

import { DEFAULT_MAXIMA } from '../../domain/limits.ts';
import { aJudgeBody, createScriptedService } from '../../http/test-support/scripted-service.ts';
import { parseJudgeRequest, toJudgeSubmission } from '../../http/native/to-judge-submission.ts';
import { reuseKey } from './key.ts';

const language = createScriptedService().language('python');
if (language === null) throw new Error('there is no Python');
const CONTEXT = { tenant: 'a', language, versions: { service: '1' } };

async function keyOf(parts: object = {}, context: Partial<typeof CONTEXT> = {}) {
  const body = parseJudgeRequest(aJudgeBody(parts));
  const submission = toJudgeSubmission(body, { maxima: DEFAULT_MAXIMA, id: String(Math.random()) });
  return await reuseKey(submission, { ...CONTEXT, ...context });
}

const CASE = { expected_stdout: '3\n' };
const tests = (...cases: object[]): object => ({ tests: { kind: 'stdio', cases } });

it.each<[string, object]>([
  ['labels', { labels: { step: '7' } }],
  ['id', { id: 'another' }],
  ['what is shown', { detail: 'full' }],
  ['priority and deadline', { priority: 3, deadline_ms: 5 }],
])('is the same whatever the %s', async (_, parts) => {
  expect(await keyOf(parts)).toBe(await keyOf());
});

it('is the same where limits are clamped to the same', async () => {
  const beyond = (cpu_ms: number) => ({ limits: { cpu_ms } });
  expect(await keyOf(beyond(2e9))).toBe(await keyOf(beyond(3e9)));
});

it('is that of the code in a completion, whatever is said around it', async () => {
  const fenced = (text: string) => ({ code: undefined, completion: text });
  const one = await keyOf(fenced('First:\n```python\nprint(3)\n```\n'));
  expect(one).not.toBeNull();
  expect(await keyOf(fenced('I think\n```python\nprint(3)\n```\nDone.'))).toBe(one);
  expect(await keyOf(fenced('First:\n```python\nprint(4)\n```\n'))).not.toBe(one);
  expect(await keyOf(fenced('no code at all'))).toBeNull();
});

it.each<[string, object]>([
  ['code', { code: 'print(4)' }],
  ['input', tests({ ...CASE, stdin: 'x' })],
  ['expected output', tests({ expected_stdout: '4\n' })],
  ['one more case', tests(CASE, CASE)],
  ['limits', { limits: { cpu_ms: 999 } }],
  ['limits of a case', tests({ ...CASE, limits: { cpu_ms: 999 } })],
  ['arguments', { args: ['x'] }],
  ['environment variables', { env: { X: '1' } }],
  ['files', { files: { 'a.txt': 'x' } }],
  ['comparison', { compare: 'exact' }],
  ['scoring', { scoring: 'fraction' }],
  ['reward range', { reward_range: [-1, 1] }],
  ['stop', { stop: 'never' }],
  ['profile', { profile: 'lcb' }],
  ['seed', { seed: 7 }],
  ['warm', { warm: false }],
  ['environment', { environment: 'other' }],
])('is another with another %s', async (_, parts) => {
  expect(await keyOf(parts)).not.toBe(await keyOf());
});

it('is another for another tenant, version or fingerprint', async () => {
  const plain = await keyOf();
  expect(await keyOf({}, { tenant: 'b' })).not.toBe(plain);
  expect(await keyOf({}, { versions: { service: '2' } })).not.toBe(plain);
  const environments = language.environments.map((each) => ({ ...each, fingerprint: 'sha256:1' }));
  expect(await keyOf({}, { language: { ...language, environments } })).not.toBe(plain);
});
