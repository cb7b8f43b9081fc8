/** `assay run FILE`: one run in a jail; output passes through, and the exit code is the program's. */
import { fstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

import { defineCommand } from 'citty';
import { z } from 'zod';

import { systemClock } from '../../lib/clock.ts';
import { expectSuccess, openApi } from '../api.ts';
import { splitRest } from '../check-words.ts';
import { configArgs } from '../config-args.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { limitArgs, wireLimits } from '../limit-args.ts';
import { readProgram, STANDARD_INPUT } from '../program-file.ts';

const RunAnswer = z.looseObject({
  outcome: z
    .looseObject({
      kind: z.string(),
      exit_code: z.int().nullable(),
      signal: z.int().nullable(),
      limit: z.string().nullable(),
      cpu_ms: z.number(),
      wall_ms: z.number(),
      stdout: z.string(),
      stderr: z.string(),
      stdout_base64: z.string().optional(),
      stderr_base64: z.string().optional(),
    })
    .nullable(),
  fault: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
});

export const runCommand = defineCommand({
  meta: { name: 'run', description: 'Run a program in a jail; what follows -- are its arguments.' },
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'The program; - for standard input, which needs --language.',
    },
    language: { type: 'string', description: 'Its language; by default from the extension.' },
    stdin: {
      type: 'string',
      description:
        'File to give as standard input. Default: this one, where it is a pipe or a file.',
    },
    ...limitArgs,
    url: { type: 'string', description: 'A running service; by default one is started.' },
    json: { type: 'boolean', description: 'Print the whole answer.' },
    ...configArgs,
  },
  async run({ args, rawArgs }) {
    const limits = wireLimits(args);
    await using api = await openApi(args);
    const program = await readProgram(api, args.file, args.language);
    const answer = expectSuccess(
      await api.post('/v1/run', {
        ...program,
        stdin: await inputOf(args),
        args: splitRest(rawArgs).rest ?? [],
        limits,
      }),
    );
    if (args.json) console.log(JSON.stringify(answer, null, 2));
    process.exitCode = show(RunAnswer.parse(answer), args.json === true);
  },
});

/** Said where standard input is a pipe that nobody closes. */
const PATIENCE_MS = 3000;

async function inputOf({ stdin, file }: { readonly stdin?: string | undefined; file: string }) {
  if (stdin !== undefined && stdin !== STANDARD_INPUT) return await inputFile(stdin);
  if (file === STANDARD_INPUT) {
    if (stdin === undefined) return '';
    throw new UsageError('standard input holds the program; name a file with --stdin');
  }
  if (stdin === undefined && !isGiven()) return '';
  const note = systemClock.after(PATIENCE_MS, () => {
    console.error('assay: waiting for the end of standard input; --stdin /dev/null for none');
  });
  try {
    // Not /dev/stdin, which cannot be opened where stdin is a socket (unix(7), ENXIO).
    return { base64: (await buffer(process.stdin)).toString('base64') };
  } finally {
    note.cancel();
  }
}

/** Whether standard input is more than a terminal or nothing: a pipe, a file or a socket. */
function isGiven(): boolean {
  try {
    const facts = fstatSync(0);
    return facts.isFIFO() || facts.isFile() || facts.isSocket();
  } catch {
    // It is closed.
    return false;
  }
}

async function inputFile(name: string): Promise<{ base64: string }> {
  const bytes = await readFile(name).catch((cause: unknown) => {
    throw new UsageError(`${name} cannot be read`, { cause });
  });
  return { base64: bytes.toString('base64') };
}

function show(answer: z.infer<typeof RunAnswer>, isQuiet: boolean): number {
  const { outcome, fault } = answer;
  if (outcome === null) {
    console.error(`assay: fault: ${fault?.message ?? 'unknown'}`);
    return EXIT.fault;
  }
  if (!isQuiet) {
    const text = (plain: string, base64: string | undefined): Uint8Array =>
      base64 === undefined ? Buffer.from(plain) : Buffer.from(base64, 'base64');
    // Of a compile error, the outcome is the compiler's, with all that it said.
    process.stdout.write(text(outcome.stdout, outcome.stdout_base64));
    process.stderr.write(text(outcome.stderr, outcome.stderr_base64));
    const end = outcome.limit ?? outcome.signal ?? outcome.exit_code;
    console.error(
      `assay: ${outcome.kind} (${end}), ${outcome.cpu_ms} ms CPU, ${outcome.wall_ms} ms wall`,
    );
  }
  return outcome.kind === 'exited' ? (outcome.exit_code ?? 1) : EXIT.notAccepted;
}
