/** Programs that read stdin and print, in any language that the request names. */
import { BadRequest } from '../../errors.ts';
import { extractCode, languageName } from '../extract.ts';
import type { DatasetKind } from '../plan.ts';
import { idIn, labelsIn, readAll, textIn, valueIn } from '../row.ts';
import { isObject, type Row, type TestConfig } from '../schema.ts';

/** A language that compiles has a step for it; others have a longer time to run. */
const COMPILED: ReadonlySet<string> = new Set(['cpp', 'go', 'java']);
const COMPILED_RUN_S = 10;
const OTHER_RUN_S = 20;
const COMPILE_S = 10;

export const commonOJ: DatasetKind = {
  prompt(row, { language, locale }) {
    const ask =
      locale === 'zh'
        ? `请用 ${language ?? ''} 写出完整的可执行程序：从标准输入读取数据，把结果写到标准输出。`
        : `Write a complete program in ${language ?? ''} that reads its input from standard input and writes its output to standard output.`;
    const { id, content } = readAll({
      id: () => idIn(row, 'id'),
      content: () => textIn(row, 'content'),
    });
    return {
      id,
      prompt: `${content}\n\n${ask}`,
      labels: labelsIn(row),
    };
  },
  plan(row, { completion, config }) {
    const { extra } = config;
    const { language, cases } = readAll({
      language: () => languageIn(config),
      cases: () => casesOf(row),
    });
    const name = languageName(language);
    const extracted = extractCode(completion, name);
    const isCompiled = COMPILED.has(name);
    return {
      extracted,
      fullCode: null,
      testCode: null,
      work: {
        kind: 'stdio',
        language,
        code: extracted.code,
        cases,
        runsAll: extra['run_all_cases'] === true,
        tellsAll: extra['return_full_case'] === true,
        runS: config.run_timeout ?? (isCompiled ? COMPILED_RUN_S : OTHER_RUN_S),
        compileS: config.compile_timeout ?? COMPILE_S,
      },
    };
  },
};

function languageIn({ language }: TestConfig): string {
  if (language !== null && language !== '') return language;
  throw new BadRequest('config.language field must exist for CommonOJDataset, got None');
}

function casesOf(row: Row): readonly { stdin: string; stdout: string }[] {
  const test = valueIn(row, 'test');
  if (!Array.isArray(test)) throw new BadRequest('provided_data.test is not a list of cases');
  if (test.length === 0)
    throw new BadRequest('provided_data.test holds no cases: nothing can be rewarded');
  return test.map((each: unknown, at) => ({
    stdin: streamIn(each, 'input', 'stdin', at),
    stdout: streamIn(each, 'output', 'stdout', at),
  }));
}

function streamIn(each: unknown, side: string, name: string, at: number): string {
  const streams = isObject(each) ? each[side] : undefined;
  const text = isObject(streams) ? streams[name] : undefined;
  if (typeof text === 'string') return text;
  throw new BadRequest(`provided_data.test[${at}].${side}.${name} is not a text`);
}
