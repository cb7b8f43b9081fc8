/** HumanEval and what has its shape: a prompt that begins the program, and `check(candidate)`. Python. */
import { cutAt, extractCode, hasFence, type Extracted } from '../extract.ts';
import type { DatasetKind } from '../plan.ts';
import { idIn, readAll, textIn } from '../row.ts';
import type { Prompt, Row, TestConfig } from '../schema.ts';

const DEFAULT_RUN_S = 20;
/** The first line behind the body of a function. */
const BODY_END = /\n(?=[^\s])/;

/** The prompt as it is, or with a request for the whole program in a fence. */
export function completionPrompt(
  row: Row,
  { extra, locale }: TestConfig,
  language: string,
): Prompt {
  const { prompt, id } = readAll({
    prompt: () => textIn(row, 'prompt'),
    id: () => idIn(row, 'task_id', 'name', 'id'),
  });
  const { prompt: _, ...labels } = row;
  if (extra['is_freeform'] !== true) return { id, prompt, labels };
  const ask =
    locale === 'zh'
      ? '请根据 docstring 的要求补全以上代码，给出完整代码并放在 markdown 代码块中，不要包含 main 函数。'
      : 'Complete the code above as its docstring asks. Give all of the code in a markdown block, without a main function.';
  return { id, prompt: `\`\`\`${language}\n${prompt}\n\`\`\`\n\n${ask}`, labels };
}

/** A prompt and what continues it, which begins a line. */
export function behind(prompt: string, continuation: string): string {
  return prompt.endsWith('\n') ? prompt + continuation : `${prompt}\n${continuation}`;
}

export const humanEval: DatasetKind = {
  prompt: (row, config) => completionPrompt(row, config, 'python'),
  plan(row, { completion, config }) {
    const isWhole = config.extra['is_freeform'] === true || hasFence(completion);
    const extracted = isWhole ? extractCode(completion, 'python') : continuation(completion);
    const { test, prompt, entry } = readAll({
      test: () => textIn(row, 'test', 'tests'),
      prompt: () => textIn(row, 'prompt'),
      entry: () => textIn(row, 'entry_point'),
    });
    const program = isWhole ? extracted.code : behind(prompt, extracted.code);
    return {
      extracted,
      fullCode: `${program}\n${test}\ncheck(${entry})`,
      testCode: test,
      work: {
        kind: 'row',
        row: { prompt, entry_point: entry, test },
        schema: 'humaneval',
        isPerTest: false,
        code: program,
        files: [],
        runS: config.run_timeout ?? DEFAULT_RUN_S,
        compileS: config.compile_timeout ?? DEFAULT_RUN_S,
      },
    };
  },
};

/** The body of the function that the prompt begins, without what a model went on to write. */
function continuation(completion: string): Extracted {
  const end = BODY_END.exec(completion)?.index ?? completion.length;
  const code = cutAt(completion.slice(0, end), '\nassert', '\nprint(');
  return { code, type: code.trim() === '' ? 'empty' : 'heuristic' };
}
