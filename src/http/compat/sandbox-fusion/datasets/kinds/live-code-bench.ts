/** LiveCodeBench: parallel lists of inputs and outputs, as JSON or as a compressed pickle; calls where they name a function. */
import { BadRequest } from '../../errors.ts';
import { extractCode } from '../extract.ts';
import type { DatasetKind } from '../plan.ts';
import { idIn, labelsIn, textIn } from '../row.ts';

/** Of one test, whole seconds. */
const DEFAULT_RUN_S = 6;

export const liveCodeBench: DatasetKind = {
  prompt(row, config) {
    if (config.is_fewshot)
      throw new BadRequest(
        'few-shot prompts of LiveCodeBench are not made here: is_fewshot must be false',
      );
    return { id: idIn(row, 'id'), prompt: textIn(row, 'content'), labels: labelsIn(row) };
  },
  plan(row, { completion, config }) {
    const extracted = extractCode(completion, 'python');
    const runS = Math.max(1, Math.trunc(config.run_timeout ?? DEFAULT_RUN_S));
    return {
      extracted,
      fullCode: extracted.code,
      testCode: null,
      work: {
        kind: 'row',
        row: { input_output: row['test'] ?? null },
        schema: 'apps',
        isPerTest: true,
        code: extracted.code,
        files: [],
        runS,
        compileS: runS,
      },
    };
  },
};
