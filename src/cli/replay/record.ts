/** A judgement as a file: what was asked and what was answered, so that it can be asked again. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { z } from 'zod';

import { UsageError } from '../exit-codes.ts';

const Case = z.looseObject({
  id: z.string(),
  verdict: z.string(),
  exit_code: z.int().nullable().optional(),
  signal: z.int().nullable().optional(),
  limit: z.string().nullable().optional(),
});

/** What a replay compares; everything else of a report differs from run to run (times, jails) or names the place. */
export const ReplayedReport = z.looseObject({
  verdict: z.string(),
  reward: z.number().nullable(),
  cases: z.array(Case).default([]),
  environment: z.looseObject({ id: z.string(), fingerprint: z.string() }).optional(),
  wall: z.string().optional(),
  provenance: z.looseObject({ service: z.string().optional() }).optional(),
});
export type ReplayedReport = z.infer<typeof ReplayedReport>;

const Record = z.looseObject({
  request: z.looseObject({}),
  report: ReplayedReport,
});
export type Record = z.infer<typeof Record>;

/** Writes what `assay replay` reads. */
export async function writeRecord(
  file: string,
  record: { readonly request: unknown; readonly report: unknown },
): Promise<void> {
  await writeFile(file, `${JSON.stringify(record)}\n`).catch((cause: unknown) => {
    throw new UsageError(`${file} cannot be written`, { cause });
  });
}

const RECORDS_MAX = 100_000;

/**
 * The records of a file (one JSON object, or one a line), or of the files `*.json` and `*.jsonl` of a folder, by their
 * names. Throws UsageError that names the line.
 */
export async function readRecords(place: string): Promise<readonly Record[]> {
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return await readFileOfRecords(place);
  const names = (await readdir(place)).filter((name) => /\.jsonl?$/.test(name)).toSorted();
  if (names.length === 0) throw new UsageError(`${place} holds no *.json and no *.jsonl`);
  const records: Record[] = [];
  for (const name of names) {
    records.push(...(await readFileOfRecords(path.join(place, name))));
    if (records.length > RECORDS_MAX)
      throw new UsageError(`${place} holds more than ${RECORDS_MAX} records`);
  }
  return records;
}

async function readFileOfRecords(file: string): Promise<readonly Record[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`${file} cannot be read`, { cause });
  });
  const whole = parseJSON(text);
  const values =
    whole === undefined
      ? text
          .split('\n')
          .flatMap((line, index) =>
            line.trim() === '' ? [] : [{ place: `${file}:${index + 1}`, value: parseJSON(line) }],
          )
      : [{ place: file, value: whole }];
  if (values.length === 0) throw new UsageError(`${file} holds no record`);
  return values.map(({ place, value }) => {
    const parsed = Record.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new UsageError(
      `${place} is no record of \`assay judge --record\`: it has to hold "request" and "report"`,
    );
  });
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
