/**
 * The peers without isolation: one small driver process a caller (`baseline/plain.c`, `baseline/fork.py`), which has
 * the tests and gets one line per submission. The benchmark's own process starts nothing while it measures: a large
 * process forks slowly.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { Contender, ContenderId, Judged, StdinTest } from './contender.ts';

export interface DriverOptions {
  readonly id: ContenderId;
  readonly label: string;
  readonly callers: number;
  readonly tests: readonly StdinTest[];
  /** Name of the source file in the driver's working folder. */
  readonly file: string;
  readonly nextSource: () => string;
  /** The driver's program and arguments, given the folder of tests. */
  readonly argv: (testsFolder: string) => readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Runs once in each working folder before anything is measured. */
  readonly prepare?: (folder: string) => void;
}

export function createDriven(options: DriverOptions): Contender {
  const root = mkdtempSync(join(tmpdir(), 'assay-plain-'));
  const testsFolder = join(root, 'tests');
  mkdirSync(testsFolder);
  for (const [index, { stdin, expected }] of options.tests.entries()) {
    writeFileSync(join(testsFolder, `${index}.in`), stdin);
    writeFileSync(join(testsFolder, `${index}.out`), expected);
  }
  const drivers = Array.from({ length: options.callers }, (_, caller) => {
    const folder = join(root, String(caller));
    mkdirSync(folder);
    writeFileSync(join(folder, options.file), options.nextSource());
    options.prepare?.(folder);
    const [program = '', ...args] = options.argv(testsFolder);
    return new Driver({ program, args, folder, environment: options.environment });
  });
  return {
    id: options.id,
    label: options.label,
    callers: options.callers,
    testsPerSubmission: options.tests.length,
    submit: async (caller) => {
      const driver = drivers[caller];
      if (driver === undefined) throw new RangeError(`no caller ${caller}`);
      await writeFile(join(driver.folder, options.file), options.nextSource());
      return await driver.judge();
    },
    [Symbol.asyncDispose]: async () => {
      for (const driver of drivers) await driver[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

interface DriverFacts {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

const STDERR_KEPT = 2000;

class Driver implements AsyncDisposable {
  readonly folder: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #waiting: PromiseWithResolvers<Judged> | null = null;
  #stderr = '';

  constructor({ program, args, folder, environment }: DriverFacts) {
    this.folder = folder;
    const child = spawn(program, args, { cwd: folder, env: environment, stdio: 'pipe' });
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('close', () => resolve());
    });
    child.once('error', (error) => this.#fail(error));
    child.once('close', () => this.#fail(new Error(`the driver ended: ${this.#stderr}`)));
    // Writing to a driver that has died is reported by its end.
    child.stdin.on('error', () => {});
    child.stderr.on('data', (chunk) => {
      this.#stderr = (this.#stderr + String(chunk)).slice(-STDERR_KEPT);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [compiled = 0, ran = 0] = line.split(' ').map((word) => Number(word) / 1e6);
      this.#waiting?.resolve({ compileMs: compiled, runMs: ran, served: [] });
    });
  }

  async judge(): Promise<Judged> {
    this.#waiting = Promise.withResolvers<Judged>();
    if (this.#child.exitCode !== null) this.#fail(new Error(`the driver ended: ${this.#stderr}`));
    this.#child.stdin?.write('\n');
    return await this.#waiting.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended;
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
  }
}
