/** MBPP: assert statements, and set-up code that goes before them. Python. */
import { BadRequest } from '../../errors.ts';
import { cutAt, extractCode } from '../extract.ts';
import type { DatasetKind } from '../plan.ts';
import { idIn, labelsIn, textIn, textsIn } from '../row.ts';

const DEFAULT_RUN_S = 20;

export const mbpp: DatasetKind = {
  prompt(row, config) {
    if (config.is_fewshot)
      throw new BadRequest('few-shot prompts of MBPP are not made here: is_fewshot must be false');
    const tests = textsIn(row, 'test_list').join('\n');
    const task = `${textIn(row, 'content')} Your code should pass these tests:\n\n${tests}`;
    return {
      id: idIn(row, 'id', 'task_id'),
      prompt: `You are an expert Python programmer, and here is your task: ${task}`,
      labels: labelsIn(row),
    };
  },
  plan(row, { completion, config }) {
    const found = extractCode(cutAt(completion, '[DONE]'), 'python');
    const code = cutAt(
      found.code.replaceAll('\r', ''),
      '\nassert',
      '\n"""',
      'if __name__ ==',
      '# Example usage',
    );
    const list = textsIn(row, 'test_list');
    const tests = config.is_fewshot ? list.slice(-1) : list;
    const { test_setup_code: setup } = labelsIn(row);
    const setupCode = typeof setup === 'string' ? setup : '';
    return {
      extracted: { code, type: found.type },
      fullCode: [setupCode, code, ...tests].join('\n'),
      testCode: tests.join('\n'),
      work: {
        kind: 'row',
        row: { test_list: tests, test_setup_code: setupCode },
        schema: 'mbpp',
        isPerTest: false,
        code,
        files: [],
        runS: config.run_timeout ?? DEFAULT_RUN_S,
        compileS: config.compile_timeout ?? DEFAULT_RUN_S,
      },
    };
  },
};
