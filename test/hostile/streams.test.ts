/** Programs that misuse their standard streams: nothing deadlocks, nothing is lost, caps hold, bytes stay bytes. */
import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { aRun } from '../support/builders.ts';
import type { Outcome } from '../support/client.ts';
import { hostileProgram } from '../support/hostile-program.ts';
import { describeRuns, useArena } from './hostile-suite.ts';

const MIB = 1024 * 1024;
const CAP_BYTES = 16_384 * 1024;
const FIVE_MB = 'x'.repeat(5_000_000);

describe('standard streams', () => {
  const arena = useArena();

  describeRuns('stdin', arena, [
    {
      program: 'streams/ignore-stdin.py',
      request: { stdin: FIVE_MB },
      expect: { kind: 'exited', exit_code: 0, stdout: 'done\n' },
    },
    {
      program: 'streams/close-stdin.py',
      request: { stdin: FIVE_MB },
      expect: { kind: 'exited', exit_code: 0, stdout: 'done\n' },
    },
    {
      program: 'streams/keep-stdin-open.c',
      request: { limits: { wall_ms: 1000 } },
      expect: {},
      check: foolsItself,
    },
  ]);

  describeRuns('stdout and stderr', arena, [
    {
      program: 'streams/close-stdout-early.py',
      expect: { kind: 'exited', exit_code: 0, stdout: 'early\n', stderr: '' },
    },
    {
      program: 'streams/print-200mb.c',
      expect: { kind: 'output_limit', limit: 'output', stdout_truncated: true },
      check: endsAtTheCap,
    },
    {
      program: 'streams/flood-stderr.c',
      expect: { kind: 'output_limit', limit: 'output', stdout: '', stderr_truncated: true },
    },
    { program: 'streams/flood-both.c', expect: { kind: 'output_limit', limit: 'output' } },
    { program: 'streams/steal-stdout.c', expect: { kind: 'exited', exit_code: 0 } },
    {
      program: 'streams/print-200mb.c',
      as: 'with an output limit of 0',
      request: { limits: { output_kb: 0 } },
      expect: { kind: 'output_limit', limit: 'output', stdout: '' },
    },
  ]);

  it('gives 20 MB of output whole and equal', async () => {
    const { client } = arena.service();
    const request = aRun({
      ...hostileProgram('streams/print-20mb.c'),
      limits: { output_kb: 32_768 },
    });
    const outcome = await client.outcome(request);
    const lines = Array.from({ length: 2_000_000 }, (_, i) => `${String(i).padStart(9, '0')}\n`);
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0, stdout_bytes: 20_000_000 });
    expect(digest(outcome.stdout)).toBe(digest(lines.join('')));
    await arena.guard().expectUnharmed();
  });

  it('takes 50 MB of input through a program and back without loss', async () => {
    const { client } = arena.service();
    // Every line differs, so that a lost, doubled or swapped block shows.
    const stdin = Array.from(
      { length: 3_276_800 },
      (_, i) => `${i.toString(16).padStart(15, '.')}\n`,
    ).join('');
    expect(stdin.length).toBe(50 * MIB);
    const request = aRun({
      ...hostileProgram('streams/cat.py'),
      stdin,
      limits: { output_kb: 60 * 1024, memory_mb: 64 },
    });
    const outcome = await client.outcome(request);
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0, stdout_bytes: stdin.length });
    expect(digest(outcome.stdout)).toBe(digest(stdin));
    await arena.guard().expectUnharmed();
  });

  it('gives exactly the cap, and one byte more is output_limit', async () => {
    const { client } = arena.service();
    const print = (bytes: number): Parameters<typeof aRun>[0] => ({
      code: `import sys\nsys.stdout.write('x' * ${bytes})`,
      limits: { output_kb: 4 },
    });
    expect(await client.outcome(aRun(print(4096)))).toMatchObject({
      kind: 'exited',
      stdout: 'x'.repeat(4096),
      stdout_truncated: false,
    });
    expect(await client.outcome(aRun(print(4097)))).toMatchObject({
      kind: 'output_limit',
      stdout: 'x'.repeat(4096),
      stdout_truncated: true,
    });
  });

  it('gives bytes that are not UTF-8 exactly, in valid JSON', async () => {
    const { client } = arena.service();
    const outcome = await client.outcome(aRun(hostileProgram('bytes/all-bytes.py')));
    const data = Buffer.concat([
      Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
      Buffer.from('\x1b[2J\x1b]0;title\x07\0'),
      Buffer.from([0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x98]),
    ]);
    expect(outcome).toMatchObject({ kind: 'exited', exit_code: 0, stdout: data.toString('utf8') });
    expect(Buffer.from(outcome.stdout_base64 ?? '', 'base64')).toEqual(data);
    expect(Buffer.from(outcome.stderr_base64 ?? '', 'base64')).toEqual(
      Buffer.from(data.toReversed()),
    );
  });

  it('gives odd but valid text equal, without base64', async () => {
    const { client } = arena.service();
    const outcome = await client.outcome(aRun(hostileProgram('bytes/terminal.py')));
    expect(outcome.stdout).toBe(
      '\x1b[31mred\x1b[0m\0\u2028\u2029\x85"}],"reward":1.0,{"\\\r\n\u{1f600}\ufeff',
    );
    expect(outcome.stdout_base64).toBeUndefined();
  });
});

function foolsItself({ kind, limit }: Outcome): void {
  expect(['time_limit wall', 'exited null']).toContain(`${kind} ${limit}`);
}

function endsAtTheCap({ stdout, wall_ms: wallMs }: Outcome): void {
  expect(stdout.length).toBe(CAP_BYTES);
  expect(wallMs).toBeLessThan(5000);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
