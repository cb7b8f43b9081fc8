/** What is peculiar to Rust: the edition, an optimised build, and its ways to end. */
import { describe, expect, it } from 'vitest';

import { aJudge } from '../support/builders.ts';
import { useLanguage } from '../support/languages.ts';

describe('Rust', () => {
  const rust = useLanguage('rust');
  const main = (body: string): string => `fn main() {\n${body}\n}\n`;

  it('compiles the 2021 edition, optimised, with integers that wrap as in a release build', async () => {
    const body = `let n: i32 = std::env::args().count() as i32 + (i32::MAX - 1);
      let [a, b] = [String::from("x"), "y".to_string()];
      let joined = || format!("{a}{b}");
      println!("{} {}", n + std::env::args().count() as i32, joined());
      assert!(!cfg!(debug_assertions));`;
    expect(await rust.outcome(main(body))).toMatchObject({
      exit_code: 0,
      stdout: '-2147483648 xy\n',
    });
  });

  it('says what is wrong, and where', async () => {
    const code = main('let n: u8 = "x";');
    const report = await rust.service().client.judge(aJudge({ language: 'rust', code }));
    expect(report).toMatchObject({ verdict: 'compile_error', reward: 0, fault: null });
    expect(report.compile?.stderr).toMatch(/error\[E0308\][\s\S]*main\.rs:2:/);
  });

  it('has no crates but the standard library', async () => {
    const code = `use rand::Rng;\n${main('println!("{}", rand::thread_rng().gen::<u8>());')}`;
    const report = await rust.service().client.judge(aJudge({ language: 'rust', code }));
    expect(report).toMatchObject({ verdict: 'compile_error', reward: 0, fault: null });
  });

  it('compiles a program of several files', async () => {
    const files = {
      'main.rs': 'mod answer;\nfn main() { println!("{}", answer::ANSWER); }\n',
      'answer.rs': 'pub const ANSWER: i32 = 42;\n',
    };
    const { client } = rust.service();
    const { outcome } = await client.run({ language: 'rust', files, entry: 'main.rs' });
    expect(outcome).toMatchObject({ exit_code: 0, stdout: '42\n' });
  });

  it.each([
    ['a panic', 'panic!("x");', 101, /panicked at main\.rs:2/],
    [
      'an index past the end',
      'let v: Vec<i32> = vec![]; println!("{}", v[std::env::args().count()]);',
      101,
      /out of bounds/,
    ],
    ['a failed unwrap', '"x".parse::<i32>().unwrap();', 101, /ParseIntError/],
    ['process::exit', 'std::process::exit(7);', 7, /^$/],
  ])('ends by %s with its exit code', async (_name, body, exitCode, stderr) => {
    const outcome = await rust.outcome(main(body));
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: exitCode });
    expect(outcome.stderr).toMatch(stderr);
  });

  it('ends by SIGABRT when its stack is full, after a deep recursion that fits', async () => {
    const code = `fn depth(n: u64) -> u64 { if n == 0 { 0 } else { 1 + std::hint::black_box(depth(n - 1)) } }
      fn endless(n: u64) -> u64 { std::hint::black_box(endless(n + 1)) + 1 }
      fn main() { println!("{}", depth(1_000_000)); println!("{}", endless(0)); }`;
    const outcome = await rust.outcome(code);
    expect(outcome).toMatchObject({ kind: 'signalled', signal: 6, stdout: '1000000\n' });
    expect(outcome.stderr).toContain('has overflowed its stack');
  });

  it('runs threads', async () => {
    const body = `let threads: Vec<_> = (0..16u64).map(|n| std::thread::spawn(move || n * n)).collect();
      println!("{}", threads.into_iter().map(|thread| thread.join().unwrap()).sum::<u64>());`;
    expect(await rust.outcome(main(body))).toMatchObject({ stdout: '1240\n' });
  });
});
