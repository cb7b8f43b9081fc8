/**
 * Remembers the probes' answers between starts, in one JSON file. An answer holds as long as every host path that the
 * probe named, the probe's own program and its environment are what they were. Only found toolchains are kept: one that
 * was missing is looked for at each start. A cache that cannot be read or written is no error.
 */
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { z } from 'zod';

import { ProbeOutput } from '../domain/language.ts';

/** Signature of a host path; null when there is nothing. */
const Signatures = z.record(z.string(), z.string().nullable());

const Entry = z.strictObject({
  /** Of the question: program, arguments, environment. */
  key: z.string(),
  output: ProbeOutput,
  signatures: Signatures,
});
type Entry = z.infer<typeof Entry>;

const CacheFile = z.strictObject({ version: z.literal(1), entries: z.record(z.string(), Entry) });

export interface ProbeCache {
  /** The remembered answer for a language, if it still holds. */
  get(language: string, key: string): Promise<ProbeOutput | null>;
  /** Remembers an answer; `alsoWatch` are host paths besides those that the answer names. */
  set(
    language: string,
    answer: {
      readonly key: string;
      readonly output: ProbeOutput;
      readonly alsoWatch: readonly string[];
    },
  ): Promise<void>;
  /** Writes the file if anything changed. */
  save(): Promise<void>;
}

/** Opens the cache; `file` null remembers nothing. */
export async function openProbeCache(file: string | null): Promise<ProbeCache> {
  const entries = new Map(Object.entries(file === null ? {} : await readEntries(file)));
  let isChanged = false;
  return {
    async get(language, key) {
      const entry = entries.get(language);
      if (entry === undefined || entry.key !== key) return null;
      const now = await signaturesOf(Object.keys(entry.signatures));
      const holds = Object.entries(entry.signatures).every(([path, was]) => now[path] === was);
      return holds ? entry.output : null;
    },
    async set(language, { key, output, alsoWatch }) {
      const signatures = await signaturesOf([...output.watch, ...alsoWatch]);
      entries.set(language, { key, output, signatures });
      isChanged = true;
    },
    async save() {
      if (file !== null && isChanged) await writeEntries(file, Object.fromEntries(entries));
    },
  };
}

async function readEntries(file: string): Promise<Record<string, Entry>> {
  try {
    const parsed = CacheFile.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data.entries : {};
  } catch {
    // Not there, or not JSON: the probes run again.
    return {};
  }
}

async function writeEntries(file: string, entries: Record<string, Entry>): Promise<void> {
  const draft = `${file}.new`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, `${JSON.stringify({ version: 1, entries })}\n`);
    await rename(draft, file);
  } catch {
    // A read-only installation: the next start probes again.
  }
}

async function signaturesOf(paths: readonly string[]): Promise<Record<string, string | null>> {
  const pairs = [...new Set(paths)].map(async (path): Promise<[string, string | null]> => {
    try {
      // Follows links, so a link that points elsewhere has another inode.
      const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
      return [path, [dev, ino, size, mtimeNs].join(':')];
    } catch {
      return [path, null];
    }
  });
  return Object.fromEntries(await Promise.all(pairs));
}
