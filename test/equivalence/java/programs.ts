/** Programs for the compilers of Java, as data: the entry is `Main.java`. */

const main = (body: string, before = ''): string =>
  `import java.util.*;\nimport java.util.function.*;\n${before}\npublic class Main {\n  public static void main(String[] args) throws Exception {\n    ${body}\n  }\n}\n`;

const many = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => each(index)).join('\n');

/** What the compiler that is kept ready must tell, and tell as the other one does. */
export const TOLD: Readonly<Record<string, string>> = {
  'collections and lambdas': main(
    'Map<String, List<Integer>> m = new TreeMap<>(); m.computeIfAbsent("a", k -> new ArrayList<>()).add(1); m.forEach((k, v) -> System.out.println(k + v));',
  ),
  'records, sealed types and patterns': main(
    'Shape s = new Circle(2); System.out.println(s instanceof Circle c ? c.r() : 0);',
    'sealed interface Shape permits Circle, Square {}\nrecord Circle(double r) implements Shape {}\nrecord Square(double a) implements Shape {}',
  ),
  'nested, local and anonymous classes': main(
    'class L { int f() { return new Object() { int g() { return 3; } }.g(); } } Runnable r = () -> System.out.println(new L().f()); r.run();',
  ),
  'enums, switches and text blocks': main(
    'for (C c : C.values()) System.out.print(switch (c) { case A -> """\n      a\\tb\n      """; case B -> "b"; });',
    'enum C { A { int f() { return 1; } }, B; int f() { return 2; } }',
  ),
  'generics with bounds': main(
    'System.out.println(Main.<Integer>max(List.of(3, 1, 2)));\n  }\n  static <T extends Comparable<? super T>> T max(List<? extends T> list) { return Collections.max(list);',
  ),
  streams: main(
    'System.out.println(java.util.stream.IntStream.range(0, 9).boxed().collect(java.util.stream.Collectors.groupingBy(i -> i % 3)));',
  ),
  'two classes, the second with main':
    'class Helper { static int one() { return 1; } }\nclass Start { public static void main(String[] args) { System.out.println(Helper.one()); } }',
  'a package': 'package a.b;\npublic class C { public static void main(String[] args) {} }',
  'a public class of another name':
    'public class Whatever { public static void main(String[] a) {} }',
  'an interface that starts': 'interface Start { static void main(String[] args) {} }',
  'a main that is no usual one': 'class Main { void main() { System.out.println(1); } }',
  'nothing to start': 'class Empty {}',
  'no class at all': '',
  'a comment alone': '// nothing\n',
  'lines that end in CRLF': main('System.out.println(1);').replaceAll('\n', '\r\n'),
  'letters of the world': main('String größe = "東京 𝄞"; System.out.println(größe);'),
  'escapes of Unicode': main(
    'System.out.println("\\u0041\\u000a".length());'.replace('\\u000a', ''),
  ),
  'a name of its own in a class of another file name': 'class A { A a; static int x = 1; }',
  'assertions and static blocks': main(
    'assert args.length == 0; System.out.println(x);',
    '',
  ).replace(
    'public static void main',
    'static int x; static { x = 7; }\n  public static void main',
  ),
  'try with resources and multi-catch': main(
    'try (Scanner s = new Scanner("1")) { s.nextInt(); } catch (IllegalStateException | NoSuchElementException e) { throw e; }',
  ),
  'a large method': main(many(2000, (i) => `int v${i} = ${i};`)),
  'many methods': `class Main { ${many(2000, (i) => `static int f${i}(int a) { return a + ${i}; }`)} public static void main(String[] a) { System.out.println(f7(1)); } }`,
  'a warning': main('List raw = new ArrayList(); raw.add(1); System.out.println(raw);'),
  'a deprecated call': main('System.out.println(new Integer(3)); Thread.currentThread().stop();'),
  'a type that does not fit': 'class A {\n  int x = "";\n}\n',
  'errors of many kinds': main(
    'int x = undefined; String s = 1; foo(); List<int> l; return 1;\n    for (;;) {}\n    x++;',
  ),
  'more errors than javac shows': main(many(150, (i) => `int v${i} = "${i}";`)),
  'a missing semicolon': main('System.out.println(1)'),
  'a missing brace': 'class Main { public static void main(String[] a) { System.out.println(1);',
  'an import that does not exist': 'import org.example.Nothing;\nclass Main { Nothing n; }',
  'an import of a package that does not exist': 'import org.example.*;\nclass Main { }',
  'a class twice': 'class A {}\nclass A {}',
  'an exception that nobody catches': 'class Main { void f() { throw new Exception(); } }',
  'code that is never reached': main('return; int x;'),
  'a variable without value': main('int x; System.out.println(x);'),
  'an abstract class made': main('new AbstractList<Integer>();'),
  'a module': 'module m { }',
  'a character that is none': 'class Main { \u0001 # }',
  'bytes of a string that is too long': `class Main { String s = "${'x'.repeat(70_000)}"; }`,
  'a method that is too large': `class Main { static int[] a = { ${'1234567,'.repeat(20_000)} }; }`,
  'a plug-in and a processor that are not there':
    '@javax.annotation.processing.SupportedAnnotationTypes("*") class Main extends javax.annotation.processing.AbstractProcessor { public boolean process(java.util.Set<? extends javax.lang.model.element.TypeElement> a, javax.annotation.processing.RoundEnvironment r) { return false; } }',
};

/** Where javac would read the entry a second time, by the name of its file. */
export const DOUBTFUL: Readonly<Record<string, string>> = {
  'a class of the file’s name that is not there': 'class A { Main x; }',
};

/** Programs that want more than a compiler has; `kinds` is how a compilation may end: ok, error, or the limit's name. */
export const HOSTILE: readonly {
  readonly name: string;
  readonly code: string;
  readonly kinds: readonly string[];
}[] = [
  {
    name: 'an expression that is nested too deep',
    code: `class Main { int f() { return ${'('.repeat(150_000)}1${')'.repeat(150_000)}; } }`,
    kinds: ['ok', 'error', 'cpu', 'memory'],
  },
  {
    name: 'a sum without end',
    code: `class Main { int f(int a) { return ${'a+'.repeat(200_000)}a; } }`,
    kinds: ['error', 'cpu', 'memory'],
  },
  {
    name: 'a hundred thousand methods',
    code: `class Main { ${many(100_000, (i) => `void f${i}() {}`)} }`,
    kinds: ['error', 'cpu', 'memory'],
  },
  {
    name: 'lambdas in lambdas',
    code: `import java.util.function.*; class Main { static <T> T f(Supplier<T> s) { return s.get(); } static int g(int a) { return a; } static long g(long a) { return a; } static Object x = ${'f(() -> '.repeat(40)}1${')'.repeat(40)}; }`,
    kinds: ['ok', 'error', 'cpu', 'memory', 'wall'],
  },
  {
    name: 'generics without end',
    code: 'interface N<T> {} interface L<T> extends N<N<? super L<L<T>>>> {} class Main { void f(L<? super L<?>> l) { N<? super L<?>> n = l; } }',
    kinds: ['ok', 'error', 'cpu', 'memory'],
  },
  {
    name: 'a constant that doubles',
    code: `class Main { static final String s0 = "${'x'.repeat(1000)}";${many(30, (i) => `static final String s${i + 1} = s${i} + s${i};`)} }`,
    kinds: ['error', 'cpu', 'memory'],
  },
];
