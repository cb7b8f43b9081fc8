/** What is known of a program before it runs. */
import { describe, expect, it } from 'vitest';

import { prepare } from './prepare.ts';

const prepared = (text: string, entry = 'main.js') => prepare(entry, Buffer.from(text));

describe('prepare', () => {
  it('wraps a program as Node wraps a CommonJS module, keeping its positions', () => {
    const program = prepared('return 1');
    if (program.kind !== 'script') throw new Error(program.kind);
    expect(program.code.slice(program.offset)).toBe('return 1\n})');
    expect(program.code).toMatch(
      /^\(function \(exports, require, module, __filename, __dirname\) \{/,
    );
  });

  it('strips types as Node does', () => {
    const program = prepared('enum A { B = 3 } const x: number = A.B;', 'main.ts');
    expect(program.kind).toBe('script');
  });

  it.each([
    'import("fs")',
    'new Worker(); require("worker_threads")',
    'Error.prepareStackTrace = 1',
    'WebAssembly.compile(x)',
    'import fs from "fs"; fs;',
    'await x; export {};',
  ])('leaves %j to a process', (text) => {
    expect(prepared(text).kind).toBe('unsupported');
  });

  it('tells a syntax error, which a module would not have been', () => {
    expect(prepared('let x = ;')).toMatchObject({ kind: 'broken' });
  });

  it('lets no text end its wrapper', () => {
    expect(prepared('}); outside(); (function () {').kind).toBe('broken');
  });

  it('takes 512 KiB and not a byte more', () => {
    const longest = `//${'x'.repeat(512 * 1024 - 2)}`;
    expect(prepared(longest).kind).toBe('script');
    expect(prepared(`${longest}x`).kind).toBe('unsupported');
  });

  it.each([
    ['console.log(1)', { tier: 0, isSynchronous: true }],
    ['require("fs").readFileSync(0).toString()', { tier: 1, isSynchronous: true }],
    ['process.stdin.on("data", f)', { tier: 2, isSynchronous: true }],
    ['(async () => 1)()', { tier: 0, isSynchronous: false }],
    ['eval("x")', { tier: 0, isSynchronous: false }],
  ])('chooses for %j', (text, expected) => {
    expect(prepared(text)).toMatchObject(expected);
  });
});
