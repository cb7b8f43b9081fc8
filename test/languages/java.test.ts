/**
 * What is peculiar to Java: where the class to start is found, how heap and stack follow the limits, and how the
 * runtime's own ways of ending are judged.
 */
import { describe, expect, it } from 'vitest';

import { aJudge } from '../support/builders.ts';
import { useLanguage } from '../support/languages.ts';

const main = (body: string, name = 'Main'): string =>
  `import java.util.*;\npublic class ${name} { public static void main(String[] args) throws Exception { ${body} } }\n`;

describe('Java', () => {
  const java = useLanguage('java');

  it.each([
    ['a public class of any name', main('System.out.println(1);', 'Whatever')],
    [
      'a class in a package',
      `package a.b;\npublic class C { public static void main(String[] args) { System.out.println(1); } }`,
    ],
    [
      'the second of two public-looking classes',
      `class Helper { static int one() { return 1; } }\nclass Start { public static void main(String[] args) { System.out.println(Helper.one()); } }`,
    ],
    [
      'a nested class',
      `class Outer { static class Inner { public static void main(String[] args) { System.out.println(1); } } }`,
    ],
    [
      'an interface',
      `interface Start { static void main(String[] args) { System.out.println(1); } }`,
    ],
    [
      'an inherited main',
      `public class Solution extends Base {}\nabstract class Base { public static void main(String[] args) { System.out.println(1); } }`,
    ],
    [
      'the entry’s public static main before one that is neither',
      `class A { void main(String[] args) { System.out.println(2); } }\nclass B { public static void main(String[] args) { System.out.println(1); } }`,
    ],
    ['lines that end in CRLF', main('System.out.println(1);').replaceAll('\n', '\r\n')],
  ])('starts %s', async (_name, code) => {
    expect(await java.outcome(code)).toMatchObject({ kind: 'exited', exit_code: 0, stdout: '1\n' });
  });

  it('says what is missing where no class can be started', async () => {
    const outcome = await java.outcome('class Empty {}');
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 1 });
    expect(outcome.stderr).toMatch(/main/i);
  });

  it('compiles a program of several files, and passes arguments as they are', async () => {
    const files = {
      'app/Main.java': `package app;\nimport app.util.Join;\nclass Main { public static void main(String[] a) { System.out.println(Join.all(a)); } }`,
      'app/util/Join.java': `package app.util;\npublic class Join { public static String all(String[] a) { return String.join("|", a); } }`,
    };
    const { client } = java.service();
    const args = ['@main.args', '-version', 'é'];
    const { outcome } = await client.run({ language: 'java', files, entry: 'app/Main.java', args });
    expect(outcome).toMatchObject({ exit_code: 0, stdout: '@main.args|-version|é\n' });
  });

  it('reports errors as javac does', async () => {
    const report = await java
      .service()
      .client.judge(aJudge({ language: 'java', code: 'class A {\n  int x = "";\n}\n' }));
    expect(report).toMatchObject({ verdict: 'compile_error', reward: 0, cases: [] });
    expect(report.compile?.stderr).toMatch(/^Main\.java:2: error: incompatible types/);
    expect(report.compile?.stderr).toMatch(/1 error\n$/);
  });

  it.each([
    ['System.exit', 'System.out.print(1); System.exit(7);', 7, /^$/],
    ['an exit code like that of a full heap', 'System.exit(3);', 3, /^$/],
    ['an exception', 'throw new IllegalStateException("x");', 1, /^Exception in thread "main" /],
    ['a failed assertion', 'assert args.length > 0 : "no";', 1, /AssertionError: no/],
    [
      'an exception of another thread',
      'Thread t = new Thread(() -> { throw new RuntimeException("t"); }); t.start(); t.join();',
      0,
      /Exception in thread "Thread-0"/,
    ],
  ])('ends by %s with its exit code', async (_name, body, exitCode, stderr) => {
    const outcome = await java.outcome(main(body));
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: exitCode });
    expect(outcome.stderr).toMatch(stderr);
  });

  it.each([64, 300, 1000])('gives the heap the memory limit: %i MiB', async (memoryMb) => {
    const body = 'System.out.println(Runtime.getRuntime().maxMemory() >> 20);';
    const { stdout } = await java.outcome(main(body), { limits: { memory_mb: memoryMb } });
    // The collector keeps a survivor space of its own back.
    expect(Number(stdout)).toBeGreaterThan(memoryMb * 0.9);
    expect(Number(stdout)).toBeLessThanOrEqual(memoryMb);
  });

  it('holds what fits, and no more', async () => {
    const fill = (mib: number): string =>
      main(`byte[][] kept = new byte[${mib}][];
        for (int i = 0; i < ${mib}; i++) { kept[i] = new byte[1 << 20]; kept[i][5] = 1; }
        System.out.println(kept.length);`);
    const limits = { memory_mb: 256 };
    expect(await java.outcome(fill(150), { limits })).toMatchObject({ stdout: '150\n' });
    expect(await java.outcome(fill(256), { limits })).toMatchObject({ kind: 'memory_limit' });
  });

  it('takes no program’s word that its heap is full', async () => {
    const body = `System.err.println("Terminating due to java.lang.OutOfMemoryError"); System.exit(1);`;
    expect(await java.outcome(main(body))).toMatchObject({ kind: 'exited', exit_code: 1 });
  });

  it('recurses 500,000 deep, and overflows its stack as an error that can be caught', async () => {
    const code = `public class Main {
      static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
      static int endless(int n) { return endless(n + 1) + 1; }
      public static void main(String[] args) {
        System.out.println(depth(500_000));
        try { endless(0); } catch (StackOverflowError error) { System.out.println("caught"); }
        endless(0);
      }
    }`;
    const outcome = await java.outcome(code);
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 1, stdout: '500000\ncaught\n' });
    expect(outcome.stderr).toContain('StackOverflowError');
  });

  it('runs threads, with stacks as large as they ask for', async () => {
    const body = `int[] sum = {0};
      Thread deep = new Thread(null, () -> { sum[0] = new Object() {
        int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
      }.down(1_000_000); }, "deep", 1 << 28);
      deep.start(); deep.join();
      var pool = java.util.concurrent.Executors.newFixedThreadPool(16);
      var parts = new ArrayList<java.util.concurrent.Future<Integer>>();
      for (int i = 0; i < 32; i++) { int n = i; parts.add(pool.submit(() -> n)); }
      for (var part : parts) sum[0] += part.get();
      pool.shutdown();
      System.out.println(sum[0] + " " + java.util.stream.IntStream.range(0, 1000).parallel().sum());`;
    expect(await java.outcome(main(body))).toMatchObject({ stdout: '1000496 499500\n' });
  });

  it('reads a megabyte with Scanner and with BufferedReader, and writes UTF-8', async () => {
    const body = `Scanner in = new Scanner(System.in); int n = in.nextInt(); long sum = 0;
      for (int i = 0; i < n; i++) sum += in.nextLong();
      in.nextLine();
      System.out.println(sum + " " + in.nextLine());`;
    const numbers = Array.from({ length: 100_000 }, (_, i) => 1_000_000 + i).join(' ');
    const stdin = `100000\n${numbers}\nZürich 東京\n`;
    const expected = '104999950000 Zürich 東京\n';
    expect(await java.outcome(main(body), { stdin })).toMatchObject({ stdout: expected });
    const buffered = `var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
      in.readLine(); long sum = 0;
      for (String word : in.readLine().split(" ")) sum += Long.parseLong(word);
      System.out.println(sum + " " + in.readLine());`;
    expect(await java.outcome(main(buffered), { stdin })).toMatchObject({ stdout: expected });
  });

  it('prints nothing of its own on standard output, whatever befalls it', async () => {
    const code = main(
      'byte[][] kept = new byte[1000][]; for (int i = 0; ; i++) kept[i] = new byte[1 << 22];',
    );
    const outcome = await java.outcome(code, { limits: { memory_mb: 64 } });
    expect(outcome).toMatchObject({ kind: 'memory_limit', stdout: '' });
  });
});

describe('Java without cgroups', () => {
  const java = useLanguage('java', { '--cgroup': 'none' });

  it('has the same heap, and the same verdict when it is full', async () => {
    const limits = { memory_mb: 128 };
    const free = main('System.out.println(Runtime.getRuntime().maxMemory() >> 20);');
    expect(Number((await java.outcome(free, { limits })).stdout)).toBeGreaterThan(115);
    const full = main(
      'List<byte[]> kept = new ArrayList<>(); for (;;) kept.add(new byte[1 << 20]);',
    );
    expect(await java.outcome(full, { limits })).toMatchObject({ kind: 'memory_limit' });
  });

  it('runs threads', async () => {
    const body = `Thread[] all = new Thread[16];
      for (int i = 0; i < 16; i++) (all[i] = new Thread(() -> { })).start();
      for (Thread each : all) each.join();
      System.out.println(all.length);`;
    expect(await java.outcome(main(body))).toMatchObject({ stdout: '16\n' });
  });
});
