/** For tests: rows of data sets, requests about them, and how they are asked. */
import { createTestApp, post, type Script } from '../../../test-support/scripted-service.ts';

/** Posts to an app over a scripted service. */
export async function ask(path: string, body: unknown, script: Script = {}) {
  const { app } = createTestApp({ script });
  const response = await app.request(path, post(body));
  const text = await response.text();
  const answer: unknown = JSON.parse(text);
  return { status: response.status, text, body: answer };
}

export const oj = {
  id: 1,
  content: 'Add.',
  labels: '{"a": 1}',
  test: '[{"input": {"stdin": "1 2"}, "output": {"stdout": "3"}}, {"input": {"stdin": "1"}, "output": {"stdout": "1"}}]',
};
const code = '```python\nprint(3)\n```';
export const submission = (config: object = {}, completion = code) => ({
  dataset: 'any',
  id: 1,
  completion,
  config: { dataset_type: 'CommonOJDataset', language: 'python', provided_data: oj, ...config },
});
export const mbpp = {
  id: 2,
  content: 'Add.',
  labels: { test_setup_code: 'import re' },
  test_list: ['assert f(1) == 1'],
};
export const multiple = {
  name: 'm',
  language: 'js',
  prompt: 'function f(a){\n',
  tests: "const assert = require('node:assert');\nassert.deepEqual(f(1),1);",
  stop_tokens: [],
};
