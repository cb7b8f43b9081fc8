/**
 * Large outputs and inputs: 20 MB of output arrives whole and equal, as text and as bytes; 100 tests of 1 MB input
 * several times over, while neither the service nor its jails keep growing.
 */
import { createRandom } from '../lib/random.ts';
import { takeCensus } from '../lib/census.ts';
import { mib, smallGrowthCheck } from '../lib/growth.ts';
import { stopwatch } from '../lib/load.ts';
import type { BenchContext, Check, Row, Scenario, ScenarioResult } from '../lib/scenario.ts';
import { TestService } from '../lib/service.ts';
import { judge, runOnce } from '../lib/wire.ts';

const MB = 1_000_000;
const TARGET_GROWTH = 0.05;
/** The first rounds bring heap and buffers to their size. */
const WARM_UP_ROUNDS = 2;
const TESTS = 100;

/** Prints `size` bytes of a generator that any language can repeat: as hex lines, or raw. */
const PRINTER = `
#include <stdint.h>
#include <stdio.h>
int main(void) {
  unsigned long size, raw; uint32_t x = 12345;
  if (scanf("%lu %lu", &size, &raw) != 2) return 1;
  static const char hex[] = "0123456789abcdef";
  for (unsigned long i = 0; i < size; i++) {
    x = x * 1664525u + 1013904223u;
    unsigned b = x >> 24;
    putchar_unlocked(raw ? (int)b : i % 64 == 63 ? '\\n' : hex[b & 15]);
  }
  return 0;
}
`;

/** Prints length and FNV-1a of its input. */
const HASHER = `
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
static unsigned char b[65536];
int main(void) {
  uint32_t h = 2166136261u; unsigned long n = 0; ssize_t got;
  while ((got = read(0, b, sizeof b)) > 0) {
    n += (unsigned long)got;
    for (ssize_t i = 0; i < got; i++) h = (h ^ b[i]) * 16777619u;
  }
  printf("%lu %u\\n", n, h);
  return 0;
}
`;

export const bigIo: Scenario = {
  name: 'big-io',
  title: '20 MB of output, 100 tests of 1 MB input',
  run,
};

async function run(context: BenchContext): Promise<ScenarioResult> {
  const bytes = (context.quick ? 2 : 20) * MB;
  await using service = await TestService.start();
  const outputs = await sendOutputs(service, bytes);
  const rounds = context.amount ?? (context.quick ? 3 : 10);
  const size = context.quick ? MB / 10 : MB;
  const inputs = await sendInputs(service, { rounds, size, context });
  return {
    rows: [...outputs.rows, ...inputs.rows],
    checks: [...outputs.checks, ...inputs.checks],
    notes: [
      `growth counts after the first ${WARM_UP_ROUNDS} rounds, which warm up`,
      '"longest block" of the event loop: what every other request waits while one body of that size passes',
      '"after collection": resident memory once the service ran a full collection',
    ],
  };
}

type Part = Pick<ScenarioResult, 'rows' | 'checks'>;

async function sendOutputs(service: TestService, bytes: number): Promise<Part> {
  const limits = { output_kb: Math.ceil(bytes / 1024) + 1, cpu_ms: 20_000 };
  const text = generate(bytes, 'text');
  const raw = generate(bytes, 'raw');
  const program = { language: 'c', code: PRINTER, limits };
  const timed = async (
    what: string,
    work: () => Promise<boolean>,
  ): Promise<{ row: Row; check: Check }> => {
    await service.ask('reset');
    const elapsed = stopwatch();
    const ok = await work();
    const ms = elapsed();
    const block = await longestBlock(service);
    const rate = `${(bytes / MB / (ms / 1000)).toFixed(0)} MB/s`;
    return {
      row: { label: what, cells: { took: `${ms.toFixed(0)} ms`, rate, 'longest block': block } },
      check: {
        what: `${bytes / MB} MB, ${what}`,
        target: 'whole and equal',
        measured: ok ? 'equal' : 'DIFFERENT',
        ok,
      },
    };
  };
  const parts = [
    await timed('/v1/run, text', async () => {
      const { outcome } = await runOnce(service.client, { ...program, stdin: `${bytes} 0\n` });
      return outcome?.stdout === text.toString('latin1') && !outcome.stdout_truncated;
    }),
    await timed('/v1/run, bytes that are not UTF-8', async () => {
      const { outcome } = await runOnce(service.client, { ...program, stdin: `${bytes} 1\n` });
      return Buffer.from(outcome?.stdout_base64 ?? '', 'base64').equals(raw);
    }),
    await timed('/v1/judge, compared exactly', async () => {
      const cases = [
        { stdin: `${bytes} 0\n`, expected_stdout: text.toString('latin1') },
        { stdin: `${bytes} 1\n`, expected_stdout: { base64: raw.toString('base64') } },
      ];
      const tests = { kind: 'stdio', cases };
      const report = await judge(service.client, { ...program, compare: 'exact', tests });
      return report.verdict === 'accepted';
    }),
    await timed('/v1/judge, last byte wrong', async () => {
      const wrong = Buffer.from(text);
      wrong[bytes - 1] = 'x'.charCodeAt(0);
      const cases = [{ stdin: `${bytes} 0\n`, expected_stdout: wrong.toString('latin1') }];
      const tests = { kind: 'stdio', cases };
      const report = await judge(service.client, { ...program, compare: 'exact', tests });
      return report.verdict === 'wrong_answer';
    }),
  ];
  return { rows: parts.map(({ row }) => row), checks: parts.map(({ check }) => check) };
}

interface RoundOptions {
  readonly rounds: number;
  readonly size: number;
  readonly context: BenchContext;
}

async function sendInputs(
  service: TestService,
  { rounds, size, context }: RoundOptions,
): Promise<Part> {
  const random = createRandom(context.seed);
  const cases = Array.from({ length: TESTS }, () => {
    const stdin = printable(size, random.int(0, 2 ** 31));
    return { stdin: stdin.toString('latin1'), expected_stdout: `${size} ${fnv1a(stdin)}\n` };
  });
  const tests = { kind: 'stdio', cases };
  const body = Buffer.from(
    JSON.stringify({ language: 'c', code: HASHER, tests, detail: 'summary' }),
  );
  const rows: Row[] = [];
  const rss: number[] = [];
  const jails: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await service.ask('reset');
    const elapsed = stopwatch();
    const report = await judge(service.client, body);
    const ms = elapsed();
    const block = await longestBlock(service);
    if (report.passed !== TESTS) throw new Error(`${report.passed} of ${TESTS}: ${report.message}`);
    await service.whenIdle();
    const before = await service.ask('read');
    const after = await service.ask('collect');
    const census = takeCensus({ pid: service.pid });
    rss.push(after.rssBytes);
    jails.push(census.jailsRssBytes + census.jailTmpfsBytes);
    const cells = {
      took: `${ms.toFixed(0)} ms`,
      rate: `${((size * TESTS) / MB / (ms / 1000)).toFixed(0)} MB/s`,
      'longest block': block,
      'service RSS': mib(before.rssBytes),
      'after collection': mib(after.rssBytes),
      'jails: resident': mib(census.jailsRssBytes),
      'jails: tmpfs': mib(census.jailTmpfsBytes),
    };
    rows.push({ label: `${TESTS} × ${size / MB} MB in, round ${round}`, cells });
    context.say(`round ${round} of ${rounds}: ${ms.toFixed(0)} ms`);
  }
  const growthCheck = (what: string, series: readonly number[]): Check =>
    smallGrowthCheck(what, series.slice(Math.min(WARM_UP_ROUNDS, series.length - 1)), {
      limit: TARGET_GROWTH,
      show: mib,
    });
  const checks = [
    growthCheck('service RSS after each round, collected', rss),
    growthCheck('memory and tmpfs of the jails after each round', jails),
  ];
  return { rows, checks };
}

/** How long the service's event loop stood still at most since the last reset. */
async function longestBlock(service: TestService): Promise<string> {
  const { loop } = await service.ask('loop');
  return loop === null ? '' : `${loop.max.toFixed(0)} ms`;
}

/** What PRINTER prints. */
function generate(size: number, kind: 'text' | 'raw'): Buffer {
  const bytes = Buffer.alloc(size);
  let x = 12345;
  for (let index = 0; index < size; index += 1) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    const byte = x >>> 24;
    if (kind === 'raw') bytes[index] = byte;
    else bytes[index] = index % 64 === 63 ? 10 : '0123456789abcdef'.charCodeAt(byte & 15);
  }
  return bytes;
}

function printable(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size);
  let x = seed;
  for (let index = 0; index < size; index += 1) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    bytes[index] = 32 + ((x >>> 24) % 95);
  }
  return bytes;
}

function fnv1a(bytes: Uint8Array): number {
  let hash = 2166136261;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0;
}
