/**
 * Programs with known verdicts, in every language, for mixed traffic: good, failing and hostile ones. Each entry says
 * which verdicts are right for it; where the kernel decides which limit fires first, several are.
 */
import type { Verdict } from '../../src/domain/verdict.ts';
import { HOSTILE_PROGRAMS } from './hostile-programs.ts';
import type { Random } from './random.ts';

export interface Program {
  /** `python/good`: unique. */
  readonly name: string;
  readonly language: string;
  readonly code: string;
  /** The verdicts that are right; any other is a finding. */
  readonly right: readonly Verdict[];
  readonly limits: Readonly<Record<string, number>>;
  /** Test cases per submission; 1 for programs that run into a limit. */
  readonly cases: number;
  /** How often it comes in mixed traffic, relative to the others. */
  readonly share: number;
}

/** Programs that read two numbers and print their sum. */
const SUM: Readonly<Record<string, string>> = {
  python: 'import sys\na, b = map(int, sys.stdin.read().split())\nprint(a + b)\n',
  javascript:
    "const [a, b] = require('fs').readFileSync(0, 'utf8').trim().split(/\\s+/).map(Number);\nconsole.log(a + b);\n",
  typescript:
    "import { readFileSync } from 'node:fs';\nconst [a, b]: number[] = readFileSync(0, 'utf8').trim().split(/\\s+/).map(Number);\nconsole.log(a + b);\n",
  c: '#include <stdio.h>\nint main(void) { long a, b; if (scanf("%ld %ld", &a, &b) != 2) return 1; printf("%ld\\n", a + b); return 0; }\n',
  cpp: '#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b << "\\n"; }\n',
  bash: 'read -r a b\necho $((a + b))\n',
};

/** The same, wrong by one. */
const WRONG: Readonly<Record<string, string>> = {
  python: 'import sys\na, b = map(int, sys.stdin.read().split())\nprint(a + b + 1)\n',
  javascript:
    "const [a, b] = require('fs').readFileSync(0, 'utf8').trim().split(/\\s+/).map(Number);\nconsole.log(a + b + 1);\n",
  typescript:
    "import { readFileSync } from 'node:fs';\nconst [a, b]: number[] = readFileSync(0, 'utf8').trim().split(/\\s+/).map(Number);\nconsole.log(a + b + 1);\n",
  c: '#include <stdio.h>\nint main(void) { long a, b; if (scanf("%ld %ld", &a, &b) != 2) return 1; printf("%ld\\n", a + b + 1); return 0; }\n',
  cpp: '#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b + 1 << "\\n"; }\n',
  bash: 'read -r a b\necho $((a + b + 1))\n',
};

const CRASH: Readonly<Record<string, string>> = {
  python: "raise ValueError('no')\n",
  javascript: "throw new Error('no');\n",
  typescript: "throw new Error('no' as string);\n",
  c: '#include <stdlib.h>\nint main(void) { abort(); }\n',
  cpp: '#include <stdexcept>\nint main() { throw std::runtime_error("no"); }\n',
  bash: 'exit 3\n',
};

const COMPILE_ERROR: Readonly<Record<string, string>> = {
  c: 'int main(void) { return missing; }\n',
  cpp: 'int main() { return missing; }\n',
};

const SPIN: Readonly<Record<string, string>> = {
  python: 'while True:\n    pass\n',
  javascript: 'for (;;) {}\n',
  typescript: 'for (;;) {}\n',
  c: 'int main(void) { volatile int x = 0; for (;;) x++; }\n',
  cpp: 'int main() { volatile int x = 0; for (;;) x = x + 1; }\n',
  bash: 'while :; do :; done\n',
};

/** Enough for every runtime to start, short enough that thousands of them end in minutes. */
const SHORT_LIMITS = { cpu_ms: 300, wall_ms: 700 } as const;
const GOOD_LIMITS = { cpu_ms: 5000, memory_mb: 256 } as const;

/** Runtimes that take long to start get fewer cases, so that all languages have their part in the time. */
const SLOW_START: Readonly<Record<string, number>> = { javascript: 0.5, typescript: 0.25 };

function entries(
  kind: string,
  sources: Readonly<Record<string, string>>,
  facts: Pick<Program, 'right' | 'limits' | 'cases' | 'share'>,
): Program[] {
  return Object.entries(sources).map(([language, code]) => ({
    ...facts,
    name: `${language}/${kind}`,
    language,
    code,
    cases: Math.ceil(facts.cases * (SLOW_START[language] ?? 1)),
  }));
}

/** All programs of the languages given. */
export function programsFor(languages: readonly string[]): Program[] {
  const all = [
    ...entries('good', SUM, { right: ['accepted'], limits: GOOD_LIMITS, cases: 20, share: 10 }),
    ...entries('wrong', WRONG, {
      right: ['wrong_answer'],
      limits: GOOD_LIMITS,
      cases: 5,
      share: 4,
    }),
    ...entries('crash', CRASH, {
      right: ['runtime_error'],
      limits: GOOD_LIMITS,
      cases: 3,
      share: 3,
    }),
    ...entries('compile-error', COMPILE_ERROR, {
      right: ['compile_error'],
      limits: GOOD_LIMITS,
      cases: 1,
      share: 1,
    }),
    ...entries('spin', SPIN, { right: ['time_limit'], limits: SHORT_LIMITS, cases: 1, share: 1 }),
    ...HOSTILE_PROGRAMS,
  ];
  return all.filter(({ language }) => languages.includes(language));
}

/** The body of a judge request for a program: its cases are sums of random numbers. */
export function toJudgeRequest(program: Program, random: Random, cases = program.cases) {
  return {
    language: program.language,
    code: program.code,
    limits: program.limits,
    detail: 'failures',
    tests: {
      kind: 'stdio',
      cases: Array.from({ length: cases }, () => {
        const a = random.int(0, 1_000_000);
        const b = random.int(0, 1_000_000);
        return { stdin: `${a} ${b}\n`, expected_stdout: `${a + b}\n` };
      }),
    },
    // All cases run, so that the number of runs is known.
    stop: 'never',
  };
}

/** A stream of programs in the proportions of their shares. */
export function createMix(programs: readonly Program[], random: Random): () => Program {
  const deck = programs.flatMap((program) => Array.from({ length: program.share }, () => program));
  let dealt: Program[] = [];
  return () => {
    if (dealt.length === 0) dealt = random.shuffle(deck);
    const program = dealt.pop();
    if (program === undefined) throw new RangeError('there are no programs');
    return program;
  };
}
