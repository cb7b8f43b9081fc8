/** Go's tests as a program: one package, one list of imports, and a main that runs the tests as `go test` does. Pure. */
const PACKAGE = /^[ \t]*package[ \t]+\w+[ \t]*$/gm;
const IMPORT_LIST = /^import[ \t]*\(([^)]*)\)/gm;
const IMPORT = /^import[ \t]+((?:[\w.]+[ \t]+)?"[^"\n]+")/gm;
const TEST = /^func[ \t]+(Test\w*)\(\w+ \*testing\.T\)/gm;

/** A main and tests that the program brings itself: beside the others they would be there twice. */
const OWN_MAIN = /^func[ \t]+main\(\)/gm;

interface Parts {
  readonly before: string;
  readonly tests: string;
}

/** The program in front of its tests, and the tests with a main behind them. */
export function goProgram({ before, tests }: Parts): Parts {
  const imports = new Set(['"testing"', ...importsIn(before), ...importsIn(tests)]);
  if (tests.includes('fmt.')) imports.add('"fmt"');
  const names = Array.from(tests.matchAll(TEST), ([, name = '']) => name);
  const list = names.map((name) => `{Name: "${name}", F: ${name}}`);
  const main = `func main() {
	all := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{${list.join(', ')}}, nil, nil)
}
`;
  return {
    before: `package main\n\nimport (\n\t${[...imports].join('\n\t')}\n)\n${withoutOwn(bodyOf(before), new Set(names))}`,
    tests: `${bodyOf(tests)}\n${main}`,
  };
}

function withoutOwn(text: string, names: ReadonlySet<string>): string {
  return text
    .replaceAll(OWN_MAIN, 'func ownMain()')
    .replaceAll(/\bTest\w*/g, (name) => (names.has(name) ? `own${name}` : name));
}

function importsIn(text: string): readonly string[] {
  const lists = Array.from(text.matchAll(IMPORT_LIST), ([, list = '']) => list.split('\n'));
  const single = Array.from(text.matchAll(IMPORT), ([, spec = '']) => spec);
  return [...lists.flat(), ...single].map((spec) => spec.trim()).filter((spec) => spec !== '');
}

function bodyOf(text: string): string {
  return text.replaceAll(PACKAGE, '').replaceAll(IMPORT_LIST, '').replaceAll(IMPORT, '');
}
