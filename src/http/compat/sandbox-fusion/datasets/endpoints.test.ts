/** The data-set endpoints over a scripted service: prompts, metrics, and what is refused and how. */
import { describe, expect, it } from 'vitest';

import { createTestApp } from '../../../test-support/scripted-service.ts';
import { ask, mbpp, multiple, oj, submission } from './test-requests.ts';

describe('requests for prompts', () => {
  const rows = [oj, { ...oj, id: 'b', content: 'More.' }];
  const config = { dataset_type: 'CommonOJDataset', language: 'python', provided_data: rows };

  it('get them in order, from an offset and up to a limit', async () => {
    const all = await ask('/get_prompts', { dataset: 'x', config });
    expect(all.body).toMatchObject([
      { id: 1, prompt: expect.stringMatching(/^Add\.\n\n.*python/) as string, labels: { a: 1 } },
      { id: 'b' },
    ]);
    const one = await ask('/list_ids', { dataset: 'x', config, offset: 1, limit: 5 });
    expect(one.body).toEqual(['b']);
    expect((await ask('/list_ids', { dataset: 'x', config, limit: 0 })).body).toEqual([]);
  });

  it.each([
    [
      'HumanEvalDataset',
      { task_id: 't', prompt: 'def f():\n', entry_point: 'f' },
      {},
      'def f():\n',
    ],
    [
      'HumanEvalDataset',
      { task_id: 't', prompt: 'def f():\n' },
      { extra: { is_freeform: true } },
      /^```python\ndef f\(\):\n\n```\n\nComplete the code/,
    ],
    ['MBPPDataset', { ...mbpp, id: 't' }, {}, /task: Add\. Your code.*\n\nassert f\(1\) == 1$/],
    ['MultiPLEDataset', { ...multiple, name: 't' }, {}, 'function f(a){\n'],
    ['LiveCodeBenchDataset', { id: 't', content: 'Q' }, {}, 'Q'],
    [
      'AutoEvalDataset',
      { id: 't', content: 'Q', labels: { context: 'C' } },
      {},
      'C\n\nQuestion:Q\n\nAnswer:\n',
    ],
    [
      'AutoEvalV6Dataset',
      {
        id: 't',
        content: 'Q $question',
        labels: { fewshot: 'E', prompt_template: '$$ ${question} [$fewshot] $other' },
      },
      { is_fewshot: true },
      '$ Q $question [E] $other',
    ],
    [
      'AutoEvalDataset',
      { id: 't', content: 'Q', labels: { context: 'C', fewshot: 'E' } },
      { is_fewshot: true, locale: 'zh' },
      'C\n\n----------------\n\nE\n\n问题：Q\n\n答案：\n',
    ],
  ])('make one of %s %j %j', async (dataset_type, row, more, prompt) => {
    const body = { dataset: 'x', id: 't', config: { dataset_type, provided_data: row, ...more } };
    const answer = await ask('/get_prompt_by_id', body);
    expect(answer.body).toMatchObject({
      id: 't',
      prompt: typeof prompt === 'string' ? prompt : (expect.stringMatching(prompt) as string),
    });
  });

  it('list no data sets, and give no function', async () => {
    const { app } = createTestApp();
    expect(await (await app.request('/list_datasets')).json()).toEqual([]);
    expect((await ask('/get_metrics_function', { dataset: 'x', config })).body).toEqual({
      function: null,
    });
  });

  it('count what was accepted', async () => {
    const results = [{ accepted: true }, { accepted: false, id: 1 }];
    const of = async (list: unknown) =>
      (await ask('/get_metrics', { dataset: 'x', config, results: list })).body;
    expect(await of(results)).toEqual({ total: 2, accepted: 1, accuracy: 0.5 });
    expect(await of([])).toEqual({ total: 0, accepted: 0, accuracy: null });
  });
});

describe('what is refused', () => {
  it.each<[string, object, string]>([
    ['no class', { dataset_type: null }, 'no eval class found for dataset any'],
    ['an unknown class', { dataset_type: 'X' }, 'eval class X not found'],
    ['a name of JavaScript', { dataset_type: 'constructor' }, 'eval class constructor not found'],
    ['no row', { provided_data: null }, 'holds no data sets'],
    ['a list of rows', { provided_data: [oj] }, 'should be a dict'],
    ['no language', { language: null }, 'config.language field must exist'],
    ['no cases', { provided_data: { ...oj, test: [] } }, 'holds no cases'],
    [
      'a case without output',
      { provided_data: { ...oj, test: [{ input: { stdin: '' } }] } },
      'test[0].output.stdout',
    ],
    [
      'tests that are no JSON',
      { provided_data: { ...oj, test: 'SECRET' } },
      'test is no JSON text',
    ],
    [
      'a row that lacks everything, at once',
      { dataset_type: 'HumanEvalDataset', provided_data: {} },
      'no text test or tests; provided_data has no text prompt; provided_data has no text entry_point',
    ],
    [
      'neither language nor cases',
      { language: null, provided_data: {} },
      'got None; provided_data.test is not a list of cases',
    ],
    [
      'neither labels nor a test',
      { dataset_type: 'AutoEvalDataset', provided_data: {} },
      'no programming_language; provided_data.test is not an object',
    ],
    ['code to execute', { custom_extract_logic: 'SECRET' }, 'not executed here'],
    [
      'text that is executed',
      { dataset_type: 'AutoEvalDataset', extra: { repr_code: true } },
      'repr_code',
    ],
    [
      'tests without an expected value',
      { dataset_type: 'MultiPLEDataset', provided_data: { ...multiple, tests: 'run()' } },
      'could be altered',
    ],
    [
      'tests that are put together otherwise',
      {
        dataset_type: 'AutoEvalDataset',
        provided_data: { labels: { programming_language: 'Go' }, test: { code: '' } },
      },
      'go are not served',
    ],
    [
      'tests that call a function in a pickle',
      {
        dataset_type: 'LiveCodeBenchDataset',
        provided_data: { test: 'eJxrYJkqzwABPawF+cWZFVN62Iori0tSc6dMntLDUlJUmjqldUrQFD0AA2gOlA==' },
      },
      'opcode',
    ],
  ])('%s: 400 with the reason', async (_, config, detail) => {
    const answer = await ask('/submit', submission(config));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ detail: expect.stringContaining(detail) as string });
    expect(answer.text).not.toContain('SECRET');
  });

  it.each<[string, object, string, readonly (string | number)[]]>([
    ['/submit', { ...submission(), completion: 5 }, 'string_type', ['body', 'completion']],
    ['/submit', { ...submission(), id: 1.5 }, 'int_type', ['body', 'id']],
    ['/submit', { dataset: 'x', id: 1, completion: '' }, 'missing', ['body', 'config']],
    [
      '/submit',
      submission({ run_timeout: 'x' }),
      'float_parsing',
      ['body', 'config', 'run_timeout'],
    ],
    ['/submit', submission({ run_timeout: -1 }), 'greater_than', ['body', 'config', 'run_timeout']],
    [
      '/submit',
      submission({ provided_data: 'x' }),
      'dict_type',
      ['body', 'config', 'provided_data'],
    ],
    ['/submit', submission({ extra: null }), 'dict_type', ['body', 'config', 'extra']],
    [
      '/submit',
      submission({ language: 'klingon' }),
      'literal_error',
      ['body', 'config', 'language'],
    ],
    ['/get_prompts', { config: {} }, 'missing', ['body', 'dataset']],
    ['/get_metrics', { dataset: 'x', config: {}, results: [{}] }, 'missing', ['body', 'results']],
  ])('%s %j: 422', async (path, body, type, loc) => {
    const answer = await ask(path, body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ detail: [{ type, loc, input: null }] });
  });
});
