/**
 * No text of a caller makes the service think for long: every field that takes text is given much of it, made to send a
 * careless pattern back and forth. The bound is generous for a busy machine; what is quadratic takes minutes.
 */
import { describe, expect, it } from 'vitest';

import { aJudgeBody, createTestApp, post } from './test-support/scripted-service.ts';

const LENGTH = 256 * 1024;
const BOUND_MS = 2500;

const repeated = (piece: string, end = ''): string =>
  piece.repeat(Math.ceil(LENGTH / piece.length)) + end;

/** What each of them is made for stands behind it: the last character decides that nothing fits. */
const TEXTS: readonly (readonly [string, string])[] = [
  ['digits', repeated('1', 'x')],
  ['digits and underscores', repeated('1_', 'x')],
  ['zeros behind a point', `1.${repeated('0', 'x')}`],
  ['exponents', repeated('1e', 'x')],
  ['spaces', repeated(' ', 'x')],
  ['a number in spaces', `${repeated(' ')}1${repeated(' ', 'x')}`],
  ['line feeds', repeated('\n', 'x')],
  ['quotes', repeated('"', 'x')],
  ['backslashes', repeated('\\', 'x')],
  ['slashes', repeated('/', 'x')],
  ['short folders', repeated('a/', 'x')],
  ['dots', repeated('.', '/')],
  ['letters', repeated('a', '!')],
  ['word characters and a plus', repeated('a.-', '+')],
  ['equals signs', repeated('=', 'x')],
  ['escapes of half a character', repeated('\ud800', 'x')],
  ['fences', repeated('```\n', 'x')],
  ['tildes on one line', repeated('~~~ ', 'x')],
  ['list markers', repeated('- ', 'x')],
  ['thinking that opens', repeated('<think>', 'x')],
  ['thinking that closes', repeated('</think> ', 'x')],
];

/** Requests of the native API with a text in one place. */
const NATIVE: Readonly<Record<string, (text: string) => object>> = {
  language: (text) => aJudgeBody({ language: text }),
  environment: (text) => aJudgeBody({ environment: text }),
  code: (text) => aJudgeBody({ code: text }),
  completion: (text) => aJudgeBody({ code: undefined, completion: text }),
  'a path': (text) => aJudgeBody({ files: { [text]: '' } }),
  'base64 of a file': (text) => aJudgeBody({ files: { a: { base64: text } } }),
  entry: (text) => aJudgeBody({ code: undefined, files: { a: '' }, entry: text }),
  args: (text) => aJudgeBody({ args: [text] }),
  'a name of the environment': (text) => aJudgeBody({ env: { [text]: '' } }),
  'a value of the environment': (text) => aJudgeBody({ env: { A: text } }),
  id: (text) => aJudgeBody({ id: text }),
  'a label': (text) => aJudgeBody({ labels: { [text]: text } }),
  profile: (text) => aJudgeBody({ profile: text }),
  compare: (text) => aJudgeBody({ compare: text }),
  scoring: (text) => aJudgeBody({ scoring: text }),
  stop: (text) => aJudgeBody({ stop: text }),
  wall: (text) => aJudgeBody({ wall: text }),
  'a limit': (text) => aJudgeBody({ limits: { cpu_ms: text } }),
  'an unknown name': (text) => aJudgeBody({ [text]: 1 }),
  'the kind of tests': (text) => aJudgeBody({ tests: { kind: text, cases: [] } }),
  'a case': (text) =>
    aJudgeBody({ tests: { kind: 'stdio', cases: [{ stdin: text, expected_stdout: text }] } }),
};

/** Requests of Sandbox Fusion's wire. */
const FOREIGN: Readonly<Record<string, (text: string) => object>> = {
  run_timeout: (text) => ({ code: '', run_timeout: text }),
  compile_timeout: (text) => ({ code: '', compile_timeout: text }),
  memory_limit_MB: (text) => ({ code: '', memory_limit_MB: text }),
  language: (text) => ({ code: '', language: text }),
  stdin: (text) => ({ code: text, stdin: text }),
  'a file': (text) => ({ code: '', files: { [text]: text } }),
  fetch_files: (text) => ({ code: '', fetch_files: [text] }),
};

const { app } = createTestApp();

async function slowest(path: string, toBody: (text: string) => object): Promise<string[]> {
  const slow: string[] = [];
  for (const [name, text] of TEXTS) {
    const init = post(toBody(text));
    const since = performance.now();
    const response = await app.request(path, init);
    await response.arrayBuffer();
    const ms = performance.now() - since;
    if (ms > BOUND_MS) slow.push(`${name}: ${Math.round(ms)} ms`);
  }
  return slow;
}

describe('a quarter of a megabyte of a caller’s text is read in no time', () => {
  it.for(Object.entries(NATIVE))('native: %s', { timeout: 60_000 }, async ([, toBody]) => {
    expect(await slowest('/v1/judge', toBody)).toEqual([]);
  });

  it.for(Object.entries(FOREIGN))('Sandbox Fusion: %s', { timeout: 60_000 }, async ([, toBody]) => {
    expect(await slowest('/run_code', toBody)).toEqual([]);
  });

  it.each(TEXTS)('a body that is no JSON: %s', async (_, text) => {
    const since = performance.now();
    const response = await app.request('/v1/judge', post(`{"code": ${text}`));
    expect(response.status).toBe(400);
    expect(performance.now() - since).toBeLessThan(BOUND_MS);
  });

  it.each(TEXTS)('headers: %s', async (_, text) => {
    // What a header may be at most, by Node's own limit, and in the letters that one may have.
    const value = text.slice(0, 15_000).replaceAll(/[^\u0020-\u007e]/g, '?');
    const since = performance.now();
    for (const contentType of [value, `application/${value}+json`, `a/b; charset="${value}`]) {
      const headers = { 'content-type': contentType, 'x-request-id': value };
      await app.request('/v1/judge', { method: 'POST', headers, body: '{}' });
    }
    expect(performance.now() - since).toBeLessThan(BOUND_MS);
  });
});
