/** The bare baseline as scenarios use it: batches of fork + exec + wait + pipes, without any isolation. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { buildBaseline } from './gcc.ts';

const run = promisify(execFile);

export interface BareOptions {
  /** What runs: a path and its arguments. */
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly expected: string;
}

/** Owns a folder with the input and the expected output; `batch` runs the program `count` times in a row. */
export class BareRunner implements Disposable {
  readonly #spawn: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'assay-bare-'));
  readonly #options: BareOptions;

  constructor(options: BareOptions) {
    this.#options = options;
    this.#spawn = buildBaseline('spawn');
    writeFileSync(join(this.#folder, 'stdin'), options.stdin);
    writeFileSync(join(this.#folder, 'expected'), options.expected);
  }

  /** Milliseconds of each run. Throws when a run fails or prints something else. */
  async batch(count: number): Promise<number[]> {
    const { stdout } = await run(
      this.#spawn,
      [
        String(count),
        join(this.#folder, 'stdin'),
        join(this.#folder, 'expected'),
        ...this.#options.argv,
      ],
      { maxBuffer: 2 ** 28 },
    );
    return stdout
      .trim()
      .split('\n')
      .map((line) => Number(line) / 1e6);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
