/**
 * Test sets on disk, by content: a problem's file and a version's manifest are named by their digests and never change;
 * only the list of a set's versions does. Everything is written aside and renamed, so that a crash leaves what was there
 * before. Bounded by bytes and by versions of a set.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { canonicalJson } from '../../lib/canonical-json.ts';
import { keepExactNumbers } from '../../lib/exact-numbers.ts';

const StoredProblem = z.record(z.string(), z.unknown());
/** A problem as it is judged: fields of a judge request, as its registrant gave them. */
export type StoredProblem = z.infer<typeof StoredProblem>;

const ProblemEntry = z.object({
  id: z.string(),
  digest: z.string(),
  bytes: z.number(),
  calibration: z.object({
    mode: z.string().nullable(),
    references: z.number(),
    runs: z.number(),
    controls: z.number(),
    cpuMsMax: z.number(),
  }),
});
/** What is known of a problem without its tests: hex SHA-256 of what is stored, and what its registration found. */
export type ProblemEntry = z.infer<typeof ProblemEntry>;

const Manifest = z.object({
  id: z.string(),
  hidden: z.boolean(),
  problems: z.array(ProblemEntry),
});
/** A version of a test set; `hidden`: its tests may not be shown to callers. */
export type Manifest = z.infer<typeof Manifest>;

/** `digest`: hex SHA-256 over the problems and `hidden`; `registered`: RFC 3339. */
const Version = z.object({ digest: z.string(), registered: z.string() });
export type Version = z.infer<typeof Version>;

const VersionList = z.object({ versions: z.array(Version) });

export interface TestsetStoreOptions {
  readonly folder: string;
  /** Of all problems together. */
  readonly bytesMax: number;
  /** Wall-clock time, ms since 1970. */
  readonly now: () => number;
}

/** The store has no room, or the disk failed. */
export class TestsetStoreError extends Error {
  override readonly name = 'TestsetStoreError';
}

const VERSIONS_MAX = 16;
const SETS_MAX = 1000;
/** A file takes far less to be written. */
const DRAFT_AGE_MS = 3_600_000;
const PARTS = ['sets', 'manifests', 'problems'] as const;
type Part = (typeof PARTS)[number];

export class TestsetStore {
  readonly #options: TestsetStoreOptions;
  readonly #versions = new Map<string, readonly Version[]>();
  #bytes = 0;

  private constructor(options: TestsetStoreOptions) {
    this.#options = options;
  }

  /** A store in a folder that nothing is in yet. */
  static empty(options: TestsetStoreOptions): TestsetStore {
    return new TestsetStore(options);
  }

  /** Reads the lists of versions; the folder is made when the first set is registered. */
  static async open(options: TestsetStoreOptions): Promise<TestsetStore> {
    const store = new TestsetStore(options);
    for (const name of await namesIn(store.#path('sets', ''))) {
      if (!name.endsWith('.json')) continue;
      const text = await readFile(store.#path('sets', name), 'utf8');
      store.#versions.set(
        name.slice(0, -'.json'.length),
        VersionList.parse(JSON.parse(text)).versions,
      );
    }
    for (const part of PARTS) await store.#sweep(part);
    await store.#weigh();
    return store;
  }

  /**
   * Counts the problems, and removes those that no set names: a crash left them between the writing of problems and of
   * their manifest. Another service may be about to name what is younger. Nothing is removed where a manifest is damaged:
   * what it named is not known.
   */
  async #weigh(): Promise<void> {
    const named = await this.#named();
    for (const name of await namesIn(this.#path('problems', ''))) {
      if (!name.endsWith('.json')) continue;
      const path = this.#path('problems', name);
      const { size, mtimeMs } = await stat(path);
      const isLost = named !== null && !named.has(name.slice(0, -'.json'.length));
      if (isLost && this.#options.now() - mtimeMs > DRAFT_AGE_MS) await rm(path, { force: true });
      else this.#bytes += size;
    }
  }

  /** Digests of all problems that a set names; null where a manifest cannot be read. */
  async #named(): Promise<ReadonlySet<string> | null> {
    const named = new Set<string>();
    for (const { digest } of [...this.#versions.values()].flat()) {
      const manifest = await this.manifest(digest).catch(() => null);
      if (manifest === null) return null;
      for (const problem of manifest.problems) named.add(problem.digest);
    }
    return named;
  }

  ids(): readonly string[] {
    return [...this.#versions.keys()].toSorted();
  }

  /** Newest last; empty for a set that there is not. */
  versions(id: string): readonly Version[] {
    return this.#versions.get(id) ?? [];
  }

  /** Null where it has been removed. Throws TestsetStoreError for a version whose file is not what was written. */
  async manifest(digest: string): Promise<Manifest | null> {
    const bytes = await contentOf(this.#path('manifests', `${digest}.json`));
    if (bytes === null) return null;
    const text = bytes.toString('utf8');
    const manifest = Manifest.parse(JSON.parse(text));
    if (digestOf(manifest) !== digest)
      throw new TestsetStoreError(`the manifest ${digest.slice(0, 12)} is damaged`);
    return manifest;
  }

  /** Null where it has been removed. Throws TestsetStoreError for a problem whose file is not what was written. */
  async problem(digest: string): Promise<StoredProblem | null> {
    const text = await contentOf(this.#path('problems', `${digest}.json`));
    if (text === null) return null;
    if (sha256(text) !== digest)
      throw new TestsetStoreError(`the problem ${digest.slice(0, 12)} is damaged`);
    const json = text.toString('utf8');
    return StoredProblem.parse(keepExactNumbers(JSON.parse(json), json));
  }

  /** Keeps a problem's tests, which a manifest then names. */
  async putProblem(problem: StoredProblem): Promise<{ digest: string; bytes: number }> {
    const text = Buffer.from(canonicalJson(problem));
    const digest = sha256(text);
    const path = this.#path('problems', `${digest}.json`);
    if (await exists(path)) return { digest, bytes: text.length };
    if (this.#bytes + text.length > this.#options.bytesMax)
      throw new TestsetStoreError(`there is no room for more tests (testset_mb)`);
    await this.#write('problems', `${digest}.json`, text);
    this.#bytes += text.length;
    return { digest, bytes: text.length };
  }

  /** Makes a manifest the set's newest version. The same content again is the version it was. */
  async putManifest(manifest: Manifest, registered: string): Promise<Version> {
    const digest = digestOf(manifest);
    const known = this.versions(manifest.id);
    if (known.length === 0 && this.#versions.size >= SETS_MAX)
      throw new TestsetStoreError(`there are ${SETS_MAX} test sets already`);
    const version = known.find((each) => each.digest === digest) ?? { digest, registered };
    const others = known.filter((each) => each.digest !== digest);
    if (others.length >= VERSIONS_MAX) {
      throw new TestsetStoreError(
        `${manifest.id} has ${VERSIONS_MAX} versions already; delete it, or take another id`,
      );
    }
    await this.#write('manifests', `${digest}.json`, Buffer.from(JSON.stringify(manifest)));
    await this.#writeVersions(manifest.id, [...others, version]);
    return version;
  }

  /** Forgets a set with all versions; false if there is none. Problems that no set names any more go too. */
  async remove(id: string): Promise<boolean> {
    if (!this.#versions.has(id)) return false;
    const gone = this.versions(id);
    this.#versions.delete(id);
    await rm(this.#path('sets', `${id}.json`), { force: true });
    for (const { digest } of gone) {
      const { problems } = (await this.manifest(digest)) ?? { problems: [] };
      await this.dropUnnamed(problems);
      await rm(this.#path('manifests', `${digest}.json`), { force: true });
    }
    return true;
  }

  /** Forgets those of the problems that no set names. */
  async dropUnnamed(problems: readonly Pick<ProblemEntry, 'digest' | 'bytes'>[]): Promise<void> {
    const done = new Set<string>();
    for (const versions of this.#versions.values())
      for (const { digest } of versions)
        for (const problem of (await this.manifest(digest))?.problems ?? [])
          done.add(problem.digest);
    for (const { digest, bytes } of problems) {
      const path = this.#path('problems', `${digest}.json`);
      if (done.has(digest) || !(await exists(path))) continue;
      done.add(digest);
      await rm(path, { force: true });
      this.#bytes -= bytes;
    }
  }

  async #writeVersions(id: string, versions: readonly Version[]): Promise<void> {
    await this.#write('sets', `${id}.json`, Buffer.from(JSON.stringify({ versions })));
    this.#versions.set(id, versions);
  }

  async #write(part: Part, name: string, content: Uint8Array): Promise<void> {
    const draft = this.#path(part, `.${randomUUID()}.draft`);
    try {
      for (const each of PARTS) await mkdir(this.#path(each, ''), { recursive: true, mode: 0o700 });
      await using file = await open(draft, 'wx', 0o600);
      await file.writeFile(content);
      await file.sync();
      await rename(draft, this.#path(part, name));
    } catch (cause) {
      await rm(draft, { force: true });
      throw new TestsetStoreError('the tests could not be written to disk', { cause });
    }
  }

  /** Removes what a crash left half-written; another service may be writing what is younger. */
  async #sweep(part: Part): Promise<void> {
    for (const name of await namesIn(this.#path(part, ''))) {
      if (!name.endsWith('.draft')) continue;
      const path = this.#path(part, name);
      // Null: it has been renamed meanwhile.
      const found = await stat(path).catch(() => null);
      if (found !== null && this.#options.now() - found.mtimeMs > DRAFT_AGE_MS)
        await rm(path, { force: true });
    }
  }

  #path(part: Part, name: string): string {
    return join(this.#options.folder, part, name);
  }
}

/** What a version is: its problems, by their digests, and whether they are hidden. Not what calibration measured. */
function digestOf({ id, hidden, problems }: Manifest): string {
  const content = problems.map((problem) => [problem.id, problem.digest]);
  return sha256(Buffer.from(canonicalJson({ id, hidden, problems: content })));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Null where there is no such file. */
async function contentOf(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
