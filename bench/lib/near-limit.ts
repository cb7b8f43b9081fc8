/**
 * Submissions with verdicts that a busy machine could change: fixed work near the CPU limit, memory near its limit,
 * beside plain right, wrong and broken ones. All from a seed. Work is calibrated against the service at rest, so
 * "70 %" means 70 % of the CPU limit there.
 */
import type { Verdict } from '../../src/domain/verdict.ts';
import type { HttpClient } from './http-client.ts';
import { programsFor, toJudgeRequest } from './programs.ts';
import { median } from './quantiles.ts';
import type { Random } from './random.ts';
import { runOnce } from './wire.ts';

export interface Submission {
  readonly name: string;
  readonly right: readonly Verdict[];
  readonly request: unknown;
}

/** One whose CPU time is known. */
export interface TimedSubmission extends Submission {
  /** CPU time that it uses by its own clock, ms; null where its work is fixed and not its time. */
  readonly clockedMs: number | null;
}

/** Long against the start of any runtime here, short enough for hundreds of them. */
const CPU_MS = 400;
const MEMORY_MB = 64;
const NEAR = [0.7, 1.4];
/** Of fixed work whose verdict must not change: a machine may be half as quick again a minute later. */
const APART = [0.5, 2.5];
const CALIBRATION_MS = 300;

/** Fixed work: so many rounds of an integer loop, then the answer. */
const WORK: Readonly<Record<string, (rounds: number) => string>> = {
  c: (rounds) =>
    `#include <stdio.h>\nint main(void) { long a, b; if (scanf("%ld %ld", &a, &b) != 2) return 1; volatile unsigned x = 1; for (long i = 0; i < ${rounds}L; i++) x = x * 1664525u + 1013904223u; printf("%ld\\n", a + b); return 0; }\n`,
  cpp: (rounds) =>
    `#include <cstdio>\nint main() { long a, b; if (scanf("%ld %ld", &a, &b) != 2) return 1; volatile unsigned x = 1; for (long i = 0; i < ${rounds}L; i++) x = x * 1664525u + 1013904223u; printf("%ld\\n", a + b); }\n`,
  python: (rounds) =>
    `import sys\na, b = map(int, sys.stdin.read().split())\ndef work():\n    x = 1\n    for i in range(${rounds}):\n        x = (x * 1664525 + 1013904223) & 0xffffffff\n    return x\nwork()\nprint(a + b)\n`,
  javascript: (rounds) =>
    `const [a, b] = require('fs').readFileSync(0, 'utf8').trim().split(/\\s+/).map(Number);\nlet x = 1;\nfor (let i = 0; i < ${rounds}; i++) x = (Math.imul(x, 1664525) + 1013904223) >>> 0;\nif (x === 0.5) console.log(x);\nconsole.log(a + b);\n`,
};
const ROUNDS_FIRST: Readonly<Record<string, number>> = {
  c: 1e8,
  cpp: 1e8,
  python: 3e6,
  javascript: 2e8,
};

/** Measures its own CPU time, so the work fits whatever the machine does; the limit must still tell the two apart. */
const CLOCKED: Readonly<Record<string, (ms: number) => string>> = {
  c: (ms) =>
    `#include <stdio.h>\n#include <time.h>\nint main(void) { long a, b; if (scanf("%ld %ld", &a, &b) != 2) return 1; while (clock() < ${ms}L * (CLOCKS_PER_SEC / 1000)) ; printf("%ld\\n", a + b); return 0; }\n`,
  python: (ms) =>
    `import sys, time\na, b = map(int, sys.stdin.read().split())\nwhile time.process_time() < ${ms / 1000}:\n    pass\nprint(a + b)\n`,
};

/** Touches so many MiB. */
const MEMORY: Readonly<Record<string, (mb: number) => string>> = {
  c: (mb) =>
    `#include <stdio.h>\n#include <stdlib.h>\nint main(void) { long a, b; if (scanf("%ld %ld", &a, &b) != 2) return 1; volatile char *p = malloc(${mb}L << 20); if (!p) return 1; for (long i = 0; i < ${mb}L << 20; i += 4096) p[i] = 1; printf("%ld\\n", a + b); return 0; }\n`,
  python: (mb) =>
    `import sys\na, b = map(int, sys.stdin.read().split())\np = b'x' * (${mb} << 20)\nprint(a + b)\n`,
};

/** Rounds of `WORK` that take 1 ms of CPU, per language. */
export type Calibration = ReadonlyMap<string, number>;

/** Takes the median of `runs` runs for each size of work. Precondition: the service is idle. */
export async function calibrate(
  client: HttpClient,
  { languages, runs }: { readonly languages: readonly string[]; readonly runs: number },
): Promise<Calibration> {
  const perMs = new Map<string, number>();
  for (const [language, toCode] of Object.entries(WORK)) {
    if (!languages.includes(language)) continue;
    const measure = async (rounds: number): Promise<number> => {
      const times: number[] = [];
      for (let index = 0; index < runs; index += 1) {
        const answer = await runOnce(client, { language, code: toCode(rounds), stdin: '1 2\n' });
        if (answer.outcome?.kind !== 'exited') throw new Error(`calibrating ${language} failed`);
        times.push(answer.outcome.cpu_ms);
      }
      return median(times);
    };
    // The runtime's own start is not proportional to the work, so the slope is between two sizes.
    const start = await measure(0);
    const first = ROUNDS_FIRST[language] ?? 1e6;
    const guess = (first * CALIBRATION_MS) / Math.max(1, (await measure(first)) - start);
    perMs.set(language, guess / Math.max(1, (await measure(Math.round(guess))) - start));
  }
  return perMs;
}

/** `count` submissions in a random order; the same seed and calibration give the same ones. */
export function makeSubmissions(
  count: number,
  facts: {
    readonly languages: readonly string[];
    readonly calibration: Calibration;
    readonly random: Random;
  },
): Submission[] {
  const { languages, calibration, random } = facts;
  const plain = programsFor(languages).filter(({ name }) =>
    /\/(?:good|wrong|crash|compile-error|oom|sleeper|daemon|flood)$/.test(name),
  );
  const makers: (() => Submission)[] = [
    () => {
      const program = random.pick(plain);
      const cases = Math.min(program.cases, 3);
      return { ...program, request: toJudgeRequest(program, random, cases) };
    },
    () => nearWork(random, calibration, APART),
    () => nearClocked(random, NEAR),
    () => nearMemory(random),
  ];
  /** Of ten: five plain, two of fixed work, two clocked, one of memory. */
  const pattern = [0, 0, 0, 0, 0, 1, 1, 2, 2, 3];
  const made = Array.from({ length: count }, (_, index) => {
    const maker = makers[pattern[index % pattern.length] ?? 0];
    if (maker === undefined) throw new RangeError('no such maker');
    return maker();
  });
  return random.shuffle(made);
}

/** `count` submissions at 70 and 140 % of their CPU limit, half of them by their own clock; from the seed. */
export function makeNearCpu(
  count: number,
  { calibration, random }: { readonly calibration: Calibration; readonly random: Random },
): TimedSubmission[] {
  return Array.from({ length: count }, (_, index) => {
    if (index % 2 === 0) return { ...nearWork(random, calibration, NEAR), clockedMs: null };
    const share = random.pick(NEAR);
    const clockedMs = Math.round(share * CPU_MS);
    return { ...nearClocked(random, [share]), clockedMs };
  });
}

function nearWork(random: Random, calibration: Calibration, shares: readonly number[]): Submission {
  return nearCpu(random, [...calibration.keys()], shares, (language, ms) => {
    const rounds = Math.round(ms * (calibration.get(language) ?? 0));
    return { name: 'work', code: WORK[language]?.(rounds) ?? '' };
  });
}

function nearClocked(random: Random, shares: readonly number[]): Submission {
  return nearCpu(random, Object.keys(CLOCKED), shares, (language, ms) => ({
    name: 'clocked',
    code: CLOCKED[language]?.(ms) ?? '',
  }));
}

function nearCpu(
  random: Random,
  languages: readonly string[],
  shares: readonly number[],
  toProgram: (language: string, ms: number) => { readonly name: string; readonly code: string },
): Submission {
  const language = random.pick(languages);
  const share = random.pick(shares);
  const { name, code } = toProgram(language, Math.round(share * CPU_MS));
  return near(random, {
    name: `${language}/${name} at ${share * 100} % of CPU`,
    language,
    code,
    right: [share < 1 ? 'accepted' : 'time_limit'],
  });
}

function nearMemory(random: Random): Submission {
  const language = random.pick(Object.keys(MEMORY));
  const share = random.pick(NEAR);
  return near(random, {
    name: `${language}/memory at ${share * 100} %`,
    language,
    code: MEMORY[language]?.(Math.round(share * MEMORY_MB)) ?? '',
    right: [share < 1 ? 'accepted' : 'memory_limit'],
  });
}

function near(
  random: Random,
  facts: {
    readonly name: string;
    readonly language: string;
    readonly code: string;
    readonly right: readonly Verdict[];
  },
): Submission {
  const limits = { cpu_ms: CPU_MS, memory_mb: facts.language === 'javascript' ? 256 : MEMORY_MB };
  const program = { ...facts, limits, cases: 1, share: 1 };
  return { name: facts.name, right: facts.right, request: toJudgeRequest(program, random) };
}
