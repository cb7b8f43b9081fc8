/**
 * One compile result as the bytes of a file: magic, SHA-256 of all that follows, header, contents. What does not have its
 * digest, or is no entry for its key, is no entry. Knows no folder.
 */
import { z } from 'zod';

import type { Outcome } from '../../domain/outcome.ts';
import type { SourceFile } from '../../domain/submission.ts';

/** What a compile step came to, whoever ran it. */
export interface Build {
  /** False for a compile error. */
  readonly ok: boolean;
  /** Its `collected` is empty: the files are in `artefacts`. */
  readonly outcome: Outcome;
  /** Empty unless `ok`. */
  readonly artefacts: readonly SourceFile[];
}

const Header = z.strictObject({
  key: z.string(),
  ok: z.boolean(),
  outcome: z.strictObject({
    exitCode: z.int(),
    cpuMs: z.number(),
    wallMs: z.number(),
    memoryBytes: z.number().nullable(),
    memorySource: z.enum(['unknown', 'cgroup_peak', 'max_rss', 'polled']),
  }),
  stdoutBytes: z.int().min(0),
  stderrBytes: z.int().min(0),
  artefacts: z.array(z.strictObject({ path: z.string(), bytes: z.int().min(0) })).max(64),
});

const MAGIC = Buffer.from('ASSAYBD1');
const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
const BODY_AT = MAGIC.length + DIGEST_BYTES;

/** Whether an entry can say all of it: a step that ended by itself, and whose output is whole. */
export function isStorable({ outcome }: Build): boolean {
  const isWhole = !outcome.stdoutTruncated && !outcome.stderrTruncated;
  return outcome.kind === 'exited' && outcome.exitCode !== null && isWhole;
}

/** The file's bytes. Precondition: `isStorable`. */
export async function encodeEntry(key: string, build: Build): Promise<Buffer<ArrayBuffer>> {
  const { ok, outcome, artefacts } = build;
  const { exitCode, cpuMs, wallMs, memoryBytes, memorySource, stdout, stderr } = outcome;
  const facts = {
    ...{ key, ok, outcome: { exitCode, cpuMs, wallMs, memoryBytes, memorySource } },
    ...{ stdoutBytes: stdout.length, stderrBytes: stderr.length },
    artefacts: artefacts.map(({ path, content }) => ({ path, bytes: content.length })),
  };
  const header = Buffer.from(JSON.stringify(facts));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(header.length);
  const contents = artefacts.map(({ content }) => content);
  const space = Buffer.alloc(BODY_AT);
  const bytes = Buffer.concat([space, length, header, stdout, stderr, ...contents]);
  MAGIC.copy(bytes);
  (await digest(bytes.subarray(BODY_AT))).copy(bytes, MAGIC.length);
  return bytes;
}

/** The build in a file's bytes, or null for anything that was not written so for this key. Shares the bytes' memory. */
export async function decodeEntry(key: string, bytes: Buffer<ArrayBuffer>): Promise<Build | null> {
  const body = bytes.subarray(BODY_AT);
  if (body.length < LENGTH_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (!(await digest(body)).equals(bytes.subarray(MAGIC.length, BODY_AT))) return null;
  const headerEnd = LENGTH_BYTES + body.readUInt32LE(0);
  const header = parseHeader(body.subarray(LENGTH_BYTES, headerEnd));
  if (header?.key !== key) return null;
  let at = headerEnd;
  const take = (length: number): Buffer => body.subarray(at, (at += length));
  const stdout = take(header.stdoutBytes);
  const stderr = take(header.stderrBytes);
  const artefacts = header.artefacts.map(({ path, bytes: size }) => ({
    path,
    content: take(size),
  }));
  if (at !== body.length) return null;
  const output = {
    ...{ stdout, stdoutBytes: stdout.length, stdoutTruncated: false },
    ...{ stderr, stderrBytes: stderr.length, stderrTruncated: false },
  };
  const ending = { kind: 'exited', signal: null, limit: null } as const;
  const outcome: Outcome = {
    ...ending,
    ...header.outcome,
    ...output,
    forked: false,
    collected: [],
  };
  return { ok: header.ok, outcome, artefacts };
}

function parseHeader(bytes: Buffer): z.infer<typeof Header> | null {
  try {
    const parsed = Header.safeParse(JSON.parse(bytes.toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    // Not JSON: not an entry.
    return null;
  }
}

/** Off the main thread: an artefact may have tens of megabytes. */
async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes));
}
