/** What is peculiar to Go: its two ways to compile, and how its runtime ends programs. */
import { describe, expect, it } from 'vitest';

import { aJudge } from '../support/builders.ts';
import { useLanguage } from '../support/languages.ts';

const main = (body: string, ...imports: string[]): string =>
  `package main\n\nimport (\n${imports.map((name) => `\t"${name}"\n`).join('')})\n\nfunc main() {\n${body}\n}\n`;

describe('Go', () => {
  const go = useLanguage('go');

  it.each([
    ['net/http', 'fmt.Println(http.StatusText(404))', 'Not Found\n'],
    [
      'math/big',
      'fmt.Println(new(big.Int).Exp(big.NewInt(2), big.NewInt(70), nil))',
      `${2n ** 70n}\n`,
    ],
    ['encoding/json', 'b, _ := json.Marshal([]int{1}); fmt.Println(string(b))', '[1]\n'],
    ['slices', 'fmt.Println(slices.Max([]int{1, 3, 2}))', '3\n'],
  ])('has the whole standard library ready: %s', async (name, body, stdout) => {
    expect(await go.outcome(main(body, 'fmt', name))).toMatchObject({ exit_code: 0, stdout });
  });

  it.each([
    ['an unused import', main('', 'os'), /main\.go:4:\d+: "os" imported and not used/],
    [
      'a package of elsewhere',
      main('x.Do()', 'github.com/x/x'),
      /could not import github\.com\/x\/x/,
    ],
    ['the library’s own parts', main('abi.X()', 'internal/abi'), /could not import internal\/abi/],
    ['no main', 'package main\n', /function main is undeclared/],
    ['another package', 'package other\n\nfunc Main() {}\n', /./],
  ])('refuses %s', async (_name, code, stderr) => {
    const report = await go.service().client.judge(aJudge({ language: 'go', code }));
    expect(report).toMatchObject({ verdict: 'compile_error', reward: 0, fault: null });
    expect(report.compile?.stderr).toMatch(stderr);
  });

  it.each([
    [
      'several files of one package',
      {
        'main.go': 'package main\n\nfunc main() { println2(answer()) }\n',
        'b.go':
          'package main\n\nimport "fmt"\n\nfunc answer() int { return 42 }\nfunc println2(n int) { fmt.Println(n) }\n',
        'b_test.go': 'package main\n\nimport "nowhere"\n',
      },
      'main.go',
    ],
    [
      'a module with packages of its own',
      {
        'go.mod': 'module example.com/m\n\ngo 1.18\n',
        'main.go':
          'package main\n\nimport (\n\t"example.com/m/inner"\n\t"fmt"\n)\n\nfunc main() { fmt.Println(inner.Answer) }\n',
        'inner/inner.go': 'package inner\n\nconst Answer = 42\n',
      },
      'main.go',
    ],
    [
      'an embedded file',
      {
        'main.go':
          'package main\n\nimport (\n\t_ "embed"\n\t"fmt"\n)\n\n//go:embed answer.txt\nvar answer string\n\nfunc main() { fmt.Println(answer) }\n',
        'answer.txt': '42',
        'go.mod': 'module m\n\ngo 1.18\n',
      },
      'main.go',
    ],
    [
      'an entry in a folder',
      {
        'cmd/app/app.go': 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println(answer) }\n',
        'cmd/app/more.go': 'package main\n\nconst answer = 42\n',
      },
      'cmd/app/app.go',
    ],
  ])('builds %s', async (_name, files, entry) => {
    const { outcome } = await go.service().client.run({ language: 'go', files, entry });
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0, stdout: '42\n' });
  });

  it.each([
    ['a panic', 'panic("x")', 2, /panic: x[\s\S]*main\.go:\d+/],
    ['a deadlock', 'select {}', 2, /all goroutines are asleep - deadlock!/],
    ['a division by zero', 'n := 0\nprintln(1 / n)', 2, /integer divide by zero/],
    [
      'concurrent map writes',
      'm := map[int]int{}\nfor i := 0; ; i++ {\ngo func() { for { m[i] = i } }()\n}',
      2,
      /./,
    ],
  ])('ends by %s with the runtime’s exit code', async (_name, body, exitCode, stderr) => {
    const outcome = await go.outcome(`package main\n\nfunc main() {\n${body}\n}\n`);
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: exitCode });
    expect(outcome.stderr).toMatch(stderr);
  });

  it('runs 100,000 goroutines, and wraps integers', async () => {
    const body = `var wg sync.WaitGroup
      var sum atomic.Int64
      for i := 0; i < 100_000; i++ {
        wg.Add(1)
        go func() { defer wg.Done(); sum.Add(int64(i)) }()
      }
      wg.Wait()
      n := int32(math.MaxInt32)
      n++
      fmt.Println(sum.Load(), n)`;
    const code = main(body, 'fmt', 'math', 'sync', 'sync/atomic');
    expect(await go.outcome(code)).toMatchObject({ stdout: '4999950000 -2147483648\n' });
  });

  it('collects garbage before it meets the limit', async () => {
    const body = `live := make([]byte, 150<<20)
      for i := 0; i < 40; i++ {
        garbage := make([]byte, 20<<20)
        for j := range garbage { garbage[j] = 1 }
        live[i] = garbage[i]
      }
      for i := range live { live[i] = 1 }
      fmt.Println(len(live) >> 20)`;
    const limits = { memory_mb: 256 };
    expect(await go.outcome(main(body, 'fmt'), { limits })).toMatchObject({ stdout: '150\n' });
  });
});
