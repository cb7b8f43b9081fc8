/**
 * Cells of a notebook as one run: its program is a driver of ours (`runners/python/cells`), the cells are its input, and
 * records between their output tell which cell wrote what. What a run says of its own cells is as good as the cells: no
 * verdict is made of it.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import { Rejection } from '../domain/errors.ts';
import type { LanguageDefinition } from '../domain/language.ts';
import type { CellReport, CellsReport, RunReport } from '../domain/report.ts';
import type { CellsSubmission, RunSubmission } from '../domain/submission.ts';
import { projectPath } from '../lib/project.ts';

/** Runs cells; reads each language's driver once. */
export class Cells {
  readonly #drivers = new Map<string, Promise<string>>();

  /** Throws Rejection `invalid` for a language without cells, and what `run` throws. */
  async run(
    submission: CellsSubmission,
    language: Pick<LanguageDefinition, 'id' | 'cells' | 'sourceFile'>,
    run: (submission: RunSubmission) => Promise<RunReport>,
  ): Promise<CellsReport> {
    const driver = await this.#driver(language);
    const plan = toCellsRun(submission, { driver, sourceFile: language.sourceFile });
    return readCells(await run(plan.run), plan.mark);
  }

  async #driver({ id, cells }: Pick<LanguageDefinition, 'id' | 'cells'>): Promise<string> {
    if (cells === null) {
      const message = `cells are not available for ${id}`;
      throw new Rejection('invalid', {
        detail: message,
        errors: [{ path: 'language', message }],
      });
    }
    let text = this.#drivers.get(id);
    if (text === undefined) {
      text = readFile(projectPath('runners', ...cells.driver.split('/')), 'utf8');
      this.#drivers.set(id, text);
      text.catch(() => this.#drivers.delete(id));
    }
    return await text;
  }
}

interface Driver {
  /** Its text. */
  readonly driver: string;
  /** The file name from which programs of the language are forked. */
  readonly sourceFile: string;
}

/** A run that executes the cells, and the mark of its records. */
export function toCellsRun(
  submission: CellsSubmission,
  { driver, sourceFile }: Driver,
): { readonly run: RunSubmission; readonly mark: string } {
  const { cells, files, cellTimeoutMs, ...common } = submission;
  // Never in the output of a cell that does not look for it.
  const mark = `assay-${randomBytes(16).toString('hex')} `;
  // The driver leaves its place in the work folder to a caller's file of that name.
  const own = files.find(({ path }) => path === sourceFile);
  const document = {
    mark,
    cells,
    timeouts: toTimeouts(cells.length, cellTimeoutMs),
    main: own === undefined ? null : Buffer.from(own.content).toString('base64'),
  };
  const run: RunSubmission = {
    ...common,
    program: {
      kind: 'files',
      entry: sourceFile,
      files: [
        { path: sourceFile, content: Buffer.from(mainOf(driver)) },
        ...files.filter((file) => file !== own),
      ],
    },
    stdin: Buffer.from(JSON.stringify(document)),
  };
  return { run, mark };
}

/** Seconds of each cell, a millisecond at least. */
function toTimeouts(count: number, timeoutMs: CellsSubmission['cellTimeoutMs']) {
  if (timeoutMs === null) return null;
  const each =
    typeof timeoutMs === 'number' ? Array.from({ length: count }, () => timeoutMs) : timeoutMs;
  return each.map((ms) => Math.max(1, ms) / 1000);
}

/** Loads the driver outside the namespace that the cells are to have; what JSON escapes in a string, Python reads alike. */
function mainOf(driver: string): string {
  return [
    `assay = {'__name__': 'assay_cells'}`,
    `exec(compile(${JSON.stringify(driver)}, '<assay cells>', 'exec'), assay)`,
    `assay['main'](globals())`,
    '',
  ].join('\n');
}

const StartRecord = z.strictObject({ cell: z.int() });
const EndRecord = z.strictObject({
  end: z.int(),
  displays: z
    .array(z.strictObject({ result: z.boolean(), data: z.record(z.string(), z.string()) }))
    .default([]),
  error: z
    .strictObject({ name: z.string(), value: z.string(), traceback: z.array(z.string()) })
    .nullable()
    .default(null),
});

/** The cells of a run, and its report with only what is no cell's in its outcome. Pure. */
export function readCells(report: RunReport, mark: string): CellsReport {
  const { outcome } = report;
  if (outcome === null || report.compile?.ok === false) return { run: report, cells: [] };
  const stdout = splitStream(outcome.stdout, mark);
  const stderr = splitStream(outcome.stderr, mark);
  const cells = stdout.parts.map(({ output, end }, index): CellReport => {
    const displays = (end?.displays ?? []).map(({ result, data }) => ({ isResult: result, data }));
    return {
      stdout: output,
      stderr: stderr.parts[index]?.output ?? new Uint8Array(0),
      displays,
      error: end?.error ?? null,
      isComplete: end !== null,
    };
  });
  const rest = {
    ...outcome,
    stdout: stdout.before,
    stderr: stderr.before,
    stdoutBytes: stdout.before.byteLength,
    stderrBytes: stderr.before.byteLength,
  };
  return { run: { ...report, outcome: rest }, cells };
}

interface StreamPart {
  readonly output: Uint8Array;
  /** Null for a cell that did not end. */
  readonly end: z.infer<typeof EndRecord> | null;
}

/** One stream by cells. A record that is not the next one to come is left out, like what is written after an end. */
function splitStream(
  stream: Uint8Array,
  mark: string,
): { readonly before: Uint8Array; readonly parts: readonly StreamPart[] } {
  const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
  const parts: { output: Buffer[]; end: StreamPart['end'] }[] = [];
  const segments = segmentsOf(bytes, mark);
  for (const { record, output } of segments) {
    const current = parts.at(-1);
    const isOpen = current !== undefined && current.end === null;
    const start = StartRecord.safeParse(record);
    if (!isOpen && start.success && start.data.cell === parts.length) {
      parts.push({ output: [output], end: null });
      continue;
    }
    if (!isOpen) continue;
    const end = EndRecord.safeParse(record);
    if (end.success && end.data.end === parts.length - 1) current.end = end.data;
    else current.output.push(output);
  }
  const first = bytes.indexOf(mark);
  return {
    before: first === -1 ? stream : bytes.subarray(0, first),
    parts: parts.map(({ output, end }) => ({ output: Buffer.concat(output), end })),
  };
}

interface Segment {
  /** What stands behind the mark, null where it is no JSON. */
  readonly record: unknown;
  /** What follows its line, to the next mark. */
  readonly output: Buffer;
}

function segmentsOf(bytes: Buffer, mark: string): readonly Segment[] {
  const segments: Segment[] = [];
  let at = bytes.indexOf(mark);
  while (at !== -1) {
    const next = bytes.indexOf(mark, at + mark.length);
    const segment = bytes.subarray(at + mark.length, next === -1 ? bytes.length : next);
    const line = segment.indexOf('\n');
    const text = segment.subarray(0, line === -1 ? segment.length : line);
    segments.push({
      record: parsed(text),
      output: segment.subarray(line === -1 ? segment.length : line + 1),
    });
    at = next;
  }
  return segments;
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    // Cut by the end of the process, or written by a cell.
    return null;
  }
}
