/** AutoEval: test code into which the program is inserted, or behind which it goes; files beside it. */
import { BadRequest } from '../../errors.ts';
import { blocksIn, cutAt, extractCode, languageName, type Extracted } from '../extract.ts';
import type { DatasetKind, Plan } from '../plan.ts';
import { filesIn, firstText, idIn, labelsIn, objectIn, readAll, textIn } from '../row.ts';
import type { Row, TestConfig } from '../schema.ts';
import { javaProgram, jestTests, junitTests, PYTHON_IMPORTS, pytestRow } from './test-files.ts';

const INSERT = '#<INSERT>';
const DEFAULT_RUN_S = 20;
const DEFAULT_COMPILE_S = 40;
/** What is put together otherwise than behind each other. */
const OTHERWISE: ReadonlySet<string> = new Set(['go', 'go_test']);
/** From here on a program is an example of its own use. */
const ENTRY_POINTS: Readonly<Record<string, readonly string[]>> = {
  python: ['if __name__ ==', '# Example usage'],
  cpp: ['int main()', '# Example usage'],
};

export const autoEval: DatasetKind = {
  prompt(row, config) {
    const labels = labelsIn(row);
    return { id: idIn(row, 'id'), prompt: promptOf(row, labels, config), labels };
  },
  plan(row, { completion, config }) {
    const labels = labelsIn(row);
    const { extra } = config;
    if (extra['repr_code'] === true)
      throw new BadRequest('repr_code is not served: tests that execute text can be forged');
    const { programming, test } = readAll({
      programming: () => programmingIn(labels),
      test: () => testIn(row),
    });
    const execution = firstText(labels['execution_language'], programming);
    const name = languageName(programming);
    for (const each of [name, languageName(execution)])
      if (OTHERWISE.has(each))
        throw new BadRequest(`provided_data.labels: tests of ${each} are not served`);
    const found = extractCode(completion, name);
    if (name === 'java') return javaPlan({ completion, found, test, config });
    const code = cutAt(found.code, ...(ENTRY_POINTS[name] ?? [])).trimEnd();
    return planOf(
      { code, type: found.type },
      { test, programming: name, execution: languageName(execution), config },
    );
  },
};

function programmingIn(labels: Row): string {
  const programming = labels['programming_language'];
  if (typeof programming === 'string') return programming;
  throw new BadRequest('provided_data.labels has no programming_language');
}

interface Test {
  readonly code: string;
  readonly asset: unknown;
}

function testIn(row: Row): Test {
  const test = objectIn(row, 'test');
  return { code: textIn(test, 'code'), asset: test['asset'] };
}

interface Asked {
  readonly test: Test;
  /** What the program is in, and what runs its tests. */
  readonly programming: string;
  readonly execution: string;
  readonly config: TestConfig;
}

function planOf(extracted: Extracted, { test, programming, execution, config }: Asked): Plan {
  const { code } = extracted;
  const [first, ...rest] = test.code.split(INSERT);
  const isInserted = rest.length > 0;
  const before = isInserted ? (first ?? '') : '';
  const after = isInserted ? rest.join(INSERT) : (first ?? '');
  const files = filesIn(test.asset);
  const times = timesOf(config);
  const common = { extracted, fullCode: `${before}${code}\n${after}`, testCode: after };
  if (execution === 'python') {
    const imports = before.match(PYTHON_IMPORTS) ?? [];
    const row = { test_list: [], test: after, test_setup_code: before };
    const program = [...imports, code].join('\n');
    return {
      ...common,
      work: { kind: 'row', row, schema: 'mbpp', isPerTest: false, code: program, files, ...times },
    };
  }
  const around = { before, after };
  if (execution === 'pytest') {
    const { row, program } = pytestRow(code, around);
    const schema = 'kodcode';
    return {
      ...common,
      work: { kind: 'row', row, schema, isPerTest: false, code: program, files, ...times },
    };
  }
  if (execution === 'jest') {
    const language = programming === 'typescript' ? 'typescript' : 'nodejs';
    const tests = jestTests(code, around);
    return { ...common, work: { kind: 'tests', language, code, tests, files, ...times } };
  }
  const program = { language: execution, before: `${before}${code}\n`, tests: after, files };
  return { ...common, work: { kind: 'program', ...program, ...times } };
}

function timesOf({ run_timeout: runS, compile_timeout: compileS }: TestConfig) {
  return { runS: runS ?? DEFAULT_RUN_S, compileS: compileS ?? DEFAULT_COMPILE_S };
}

interface JavaAsked {
  readonly completion: string;
  readonly found: Extracted;
  readonly test: Test;
  readonly config: TestConfig;
}

/** Java's tests are JUnit's, a file of their own. */
function javaPlan({ completion, found, test, config }: JavaAsked): Plan {
  const blocks = blocksIn(completion);
  const code = javaProgram(blocks.length > 0 ? blocks : [{ language: 'java', code: found.code }]);
  const tests = junitTests(test.code);
  const files = filesIn(test.asset);
  return {
    extracted: { code, type: found.type },
    fullCode: `${code}\n${test.code}`,
    testCode: test.code,
    work: { kind: 'tests', language: 'java', code, tests, files, ...timesOf(config) },
  };
}

const RULE = '----------------';

/** By a template of the row or the request, or put together of context, examples and question. */
function promptOf(
  row: Row,
  labels: Row,
  { extra, is_fewshot: isFewShot, locale }: TestConfig,
): string {
  const question = textIn(row, 'content');
  const context = firstText(extra['context'], labels['context']);
  const fewshot = isFewShot ? firstText(extra['fewshot'], labels['fewshot']) : '';
  if (isFewShot && fewshot === '') throw new BadRequest('provided_data has no fewshot');
  const template = firstText(extra['prompt_template'], labels['prompt_template']);
  const parts = { question, fewshot, context, locale: locale ?? '' };
  if (template !== '') return fill(template, parts);
  if (context === '' && fewshot === '') return question;
  const [ask, answer] = locale === 'zh' ? ['问题：', '答案：'] : ['Question:', 'Answer:'];
  const given = [context, fewshot].filter((part) => part !== '');
  return `${given.join(`\n\n${RULE}\n\n`)}\n\n${ask}${question}\n\n${answer}\n`;
}

/** `$name` and `${name}` of what there is, as Python's string.Template has it; `$$` is a dollar. */
function fill(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replaceAll(
    /\$(?:\$|([a-z_]+)|\{([a-z_]+)\})/gi,
    (whole, plain?: string, braced?: string) => {
      const name = plain ?? braced;
      if (name === undefined) return '$';
      return Object.hasOwn(parts, name) ? (parts[name] ?? whole) : whole;
    },
  );
}
