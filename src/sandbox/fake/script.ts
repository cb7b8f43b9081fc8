/**
 * The tiny programs of the fake wall: a staged file holds one JSON object that says what a run does. Everything is
 * optional; `{}` exits with 0 and says nothing.
 */
import { z } from 'zod';

/** How the fake supervisor itself fails during the run. */
export const FakeFault = z.enum([
  /** The channel ends before RESULT. */
  'die',
  /** Nothing more is answered, not even CANCEL. */
  'hang',
  /** Bytes that are no frame. */
  'garbage',
  /** An ERROR frame with code 2. */
  'error',
  /** A RESULT for a run nobody asked for. */
  'wrong_id',
]);
export type FakeFault = z.infer<typeof FakeFault>;

const Step = z.strictObject({
  stdout: z.string().default(''),
  stderr: z.string().default(''),
  /** Copies stdin to stdout, before `stdout`. */
  echo: z.boolean().default(false),
  /** As a live run: takes its input as it comes (with `echo`, says it at once) and ends at its end; else it reads nothing. */
  reads: z.boolean().default(true),
  /** `stdout` this many times over. */
  repeat: z.int().min(1).default(1),
  exitCode: z.int().min(0).max(255).default(0),
  signal: z.int().min(1).max(64).nullable().default(null),
  /** CPU time it takes; above the limit the run ends with cause `cpu`. */
  cpuMs: z.number().min(0).default(1),
  /** Time by the clock until it ends; above the limit the run ends with cause `wall`. */
  delayMs: z.number().min(0).default(0),
  /** Peak memory; above the limit the run ends with cause `memory`. */
  memoryBytes: z.int().min(0).default(1_048_576),
  /** Files it writes into the work folder, path → content. */
  files: z.record(z.string(), z.string()).default({}),
  /** Fields of the RESULT to report instead, e.g. `{"oomKills": 1}`. */
  result: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .default({}),
  fault: FakeFault.nullable().default(null),
  /** The fault happens on the first run of a jail with a number in this list; every jail when absent. */
  faultJails: z.array(z.int()).optional(),
});

/** A program: one step for every run, or others for named inputs and for the compile step. */
export const FakeScript = Step.extend({
  /** Exact stdin → what to do instead. */
  byStdin: z.record(z.string(), Step).default({}),
  /** What to do when it is a file of the run alone: a compile step. */
  compile: Step.optional(),
});
export type FakeScript = z.infer<typeof FakeScript>;
export type FakeStep = z.infer<typeof Step>;

/** The script in a staged file, or a failing step when the file holds none. */
export function parseScript(content: Uint8Array): FakeScript {
  try {
    return FakeScript.parse(JSON.parse(Buffer.from(content).toString('utf8')));
  } catch {
    // Anything else is a program the fake cannot execute, which is the program's failure and no fault.
    return FakeScript.parse({ stderr: 'not a script of the fake wall\n', exitCode: 1 });
  }
}
