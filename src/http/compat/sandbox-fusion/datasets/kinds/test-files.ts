/**
 * AutoEval's rows whose tests are files of a test library, as tests of ours: the original puts program and tests into one
 * file and takes the exit of one process for the verdict. Here the program is apart from its tests. Pure.
 */
import { languageName, type Block } from '../extract.ts';
import type { Row } from '../schema.ts';

/** What stands before and behind the program in the original's one file. */
interface Around {
  readonly before: string;
  readonly after: string;
}

/** The fields `tests` of a judge request. */
export interface FileTests {
  readonly kind: 'jest' | 'junit';
  readonly files: Readonly<Record<string, string>>;
}

/** `import a`, `from a import b` at the top level: what code may use that is inserted behind it. */
export const PYTHON_IMPORTS = /^(?:import|from) [^\n]*$/gm;
const PYTEST = /^(?:import|from) pytest\b/;

/** A row of KodCode's shape, and the program with the imports that it stood behind. */
export function pytestRow(
  code: string,
  { before, after }: Around,
): { readonly row: Row; readonly program: string } {
  // pytest is not where the program is.
  const imports = (before.match(PYTHON_IMPORTS) ?? []).filter((line) => !PYTEST.test(line));
  return {
    // What the file imports before the star stays what it is, whatever the program defines.
    row: { test: `${before}\nfrom solution import *\n${after}` },
    program: [...imports, code].join('\n'),
  };
}

/** A definition that begins its line; `export` before it does not matter. */
const DECLARED =
  /^(?:export[ \t]+)?(?:default[ \t]+)?(?:async[ \t]+)?(?:abstract[ \t]+)?(?:function(?:[ \t]*\*[ \t]*|[ \t]+)|(?:class|const|let|var|enum)[ \t]+)([A-Za-z_$][\w$]*)/gm;
const IMPORTED = /^import\b[^'"\n]*/gm;
const REQUIRED = /^(?:const|let|var)[ \t]*\{([^}\n]*)\}/gm;
const NAME = /[A-Za-z_$][\w$]*/g;
const USES_REQUIRE = /\brequire[ \t]*\(/;
const IS_MODULE = /^[ \t]*(?:import|export)\b/m;
/** What the test library gives to every file: a program that defines one of these does not replace it. */
const LIBRARY =
  'describe it test suite expect beforeEach afterEach beforeAll afterAll before after jest vi xit xtest xdescribe fit fdescribe require module exports process';
const RESERVED: ReadonlySet<string> = new Set([
  ...LIBRARY.split(' '),
  ...Object.getOwnPropertyNames(globalThis),
]);

/** The tests with an import of what the program defines and they name. Nothing of the language or its library is taken. */
export function jestTests(code: string, { before, after }: Around): FileTests {
  const text = `${before}\n${after}`;
  const own = new Set([
    ...namesIn(text, DECLARED),
    ...(text.match(IMPORTED) ?? []).flatMap((clause) => clause.match(NAME) ?? []),
    ...Array.from(text.matchAll(REQUIRED), ([, names = '']) => names.match(NAME) ?? []).flat(),
  ]);
  const used = new Set(text.match(NAME));
  const names = [...new Set(namesIn(code, DECLARED))].filter(
    (name) => used.has(name) && !own.has(name) && !RESERVED.has(name),
  );
  const isCommon = USES_REQUIRE.test(text) && !IS_MODULE.test(text);
  const list = `{ ${names.join(', ')} }`;
  const taken = isCommon
    ? `const ${list} = require('./solution');`
    : `import ${list} from './solution';`;
  return { kind: 'jest', files: { 'solution.test.ts': `${before}\n${taken}\n${after}` } };
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([, name = '']) => name);
}

const JUNIT_IMPORTS =
  'import org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\n';
const JAVA_PACKAGE = /^[ \t]*package[ \t]+[\w.]+[ \t]*;[ \t]*$/gm;
const JAVA_IMPORT = /^[ \t]*import[ \t][^;\n]*;[ \t]*$/gm;
const PUBLIC_TYPE =
  /^public[ \t]+((?:(?:abstract|final|sealed|non-sealed|static|strictfp)[ \t]+)*(?:class|interface|enum|record)\b)/gm;
const JAVA_TYPE = /\b(?:class|interface|enum|record)[ \t]+([A-Za-z_]\w*)/;

/** The file of tests, named as its first type, with the two imports that the original puts before every file. */
export function junitTests(code: string): FileTests {
  const name = JAVA_TYPE.exec(code)?.[1] ?? 'SolutionTest';
  const text = `${JUNIT_IMPORTS}${code.replaceAll(JAVA_PACKAGE, '')}`;
  return { kind: 'junit', files: { [`${name}.java`]: text } };
}

/**
 * The types of all blocks as one file. The original writes a file for each type; here the first public one names it, and
 * the others, which are of the same package, need not be public.
 */
export function javaProgram(blocks: readonly Block[]): string {
  const tagged = blocks.filter(({ language }) => language === languageName('java'));
  const texts = (tagged.length > 0 ? tagged : blocks).map(({ code }) =>
    code.replaceAll(JAVA_PACKAGE, ''),
  );
  const imports = new Set(texts.flatMap((text) => text.match(JAVA_IMPORT) ?? []));
  const types = texts.map((text) => text.replaceAll(JAVA_IMPORT, '').trim()).join('\n\n');
  let count = 0;
  const one = types.replaceAll(PUBLIC_TYPE, (whole, type: string) => {
    count += 1;
    return count === 1 ? whole : type;
  });
  return one === '' ? '' : `${[...imports].map((line) => line.trim()).join('\n')}\n${one}\n`;
}
