/**
 * The test sets of this service: finds what a reference means, keeps what was read lately, takes new versions. Knows
 * nothing of how problems are judged.
 */
import { Rejection, type FieldError } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { TestsetReference } from './reference.ts';
import {
  TestsetStoreError,
  type Manifest,
  type ProblemEntry,
  type StoredProblem,
  type TestsetStore,
  type Version,
} from './store.ts';

/** A problem as a reference found it. */
export interface FoundProblem {
  readonly testset: string;
  readonly problem: string;
  /** `sha256:…` of the version. */
  readonly digest: string;
  readonly hidden: boolean;
  /** Fields of a judge request. */
  readonly judge: Readonly<Record<string, unknown>>;
}

/** A version to be. */
export interface NewVersion {
  readonly id: string;
  readonly hidden: boolean;
  readonly problems: readonly (Pick<ProblemEntry, 'id' | 'calibration'> & {
    readonly judge: StoredProblem;
  })[];
}

export interface TestsetSummary {
  readonly id: string;
  readonly hidden: boolean;
  readonly versions: readonly Version[];
  /** Of the newest version. */
  readonly problems: readonly ProblemEntry[];
}

/** Problems as they were parsed, kept up to so many bytes of their files. */
const CACHE_BYTES = 64 * 1024 * 1024;
const NAMED_AT_MOST = 5;

export class TestsetLibrary {
  readonly #store: TestsetStore;
  readonly #clock: Clock;
  /** Least recently used first. */
  readonly #problems = new Map<
    string,
    { readonly problem: StoredProblem; readonly bytes: number }
  >();
  readonly #manifests = new Map<string, Manifest>();
  #cached = 0;
  #changes: Promise<unknown> = Promise.resolve();

  constructor(store: TestsetStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Throws Rejection `no_such_testset` or, where the problem is not named, `invalid`. */
  async find(reference: TestsetReference): Promise<FoundProblem> {
    const { digest, manifest } = await this.#version(reference);
    const entry = problemOf(manifest, reference);
    const judge = await this.#problem(entry);
    if (judge === null) throw gone(reference.id);
    return {
      testset: manifest.id,
      problem: entry.id,
      digest: `sha256:${digest}`,
      hidden: manifest.hidden,
      judge,
    };
  }

  /** Throws Rejection `no_such_testset`. */
  async summary(id: string): Promise<TestsetSummary> {
    const { manifest } = await this.#version({ id, problem: null, digest: null });
    return {
      id,
      hidden: manifest.hidden,
      versions: this.#store.versions(id),
      problems: manifest.problems,
    };
  }

  async summaries(): Promise<readonly TestsetSummary[]> {
    const found: TestsetSummary[] = [];
    for (const id of this.#store.ids()) {
      // One that goes meanwhile is not there.
      const summary = await this.summary(id).catch(unlessGone);
      if (summary !== null) found.push(summary);
    }
    return found;
  }

  /** Keeps the problems and makes them the newest version of their set. Throws Rejection `testset_store_full`. */
  async publish({ id, hidden, problems }: NewVersion): Promise<Version> {
    return await this.#alone(async () => {
      const entries: ProblemEntry[] = [];
      try {
        for (const { judge, ...known } of problems)
          entries.push({ ...known, ...(await stored(this.#store.putProblem(judge))) });
        const manifest: Manifest = { id, hidden, problems: entries };
        return await stored(this.#store.putManifest(manifest, this.#clock.date().toISOString()));
      } catch (error) {
        await this.#store.dropUnnamed(entries);
        throw error;
      }
    });
  }

  /** Throws Rejection `no_such_testset`. */
  async remove(id: string): Promise<void> {
    const isRemoved = await this.#alone(async () => await this.#store.remove(id));
    if (!isRemoved) throw noSuch(`there is no test set ${id}`);
    this.#manifests.clear();
  }

  /** Changes come one after the other: a set that goes takes problems along that another is just about to name. */
  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#changes.then(work);
    this.#changes = done.catch(() => undefined);
    return await done;
  }

  async #version({
    id,
    digest: prefix,
  }: TestsetReference): Promise<{ digest: string; manifest: Manifest }> {
    const versions = this.#store.versions(id);
    if (versions.length === 0) throw noSuch(`there is no test set ${id}`);
    const version =
      prefix === null ? versions.at(-1) : versions.find((each) => each.digest.startsWith(prefix));
    if (version === undefined) throw noSuch(`the test set ${id} has no version ${prefix ?? ''}`);
    const { digest } = version;
    let manifest = this.#manifests.get(digest);
    if (manifest === undefined) {
      manifest = (await this.#store.manifest(digest)) ?? undefined;
      if (manifest === undefined) throw gone(id);
      // It has gone while its file was read.
      if (this.#store.versions(id).length === 0) throw gone(id);
      // Bounded by the versions of the sets that there may be; entries hold no tests.
      this.#manifests.set(digest, manifest);
    }
    return { digest, manifest };
  }

  async #problem({ digest, bytes }: ProblemEntry): Promise<StoredProblem | null> {
    const known = this.#problems.get(digest);
    if (known !== undefined) {
      this.#problems.delete(digest);
      this.#problems.set(digest, known);
      return known.problem;
    }
    const problem = await this.#store.problem(digest);
    // Another request may have read it meanwhile, or removed it.
    if (problem === null || this.#problems.has(digest)) return problem;
    this.#problems.set(digest, { problem, bytes });
    this.#cached += bytes;
    for (const [key, each] of this.#problems) {
      if (this.#cached <= CACHE_BYTES || key === digest) break;
      this.#problems.delete(key);
      this.#cached -= each.bytes;
    }
    return problem;
  }
}

function problemOf(manifest: Manifest, { problem }: TestsetReference): ProblemEntry {
  const { problems } = manifest;
  const [first] = problems;
  if (problem === null && problems.length === 1 && first !== undefined) return first;
  if (problem === null) {
    const some = problems.slice(0, NAMED_AT_MOST).map((each) => `${manifest.id}/${each.id}`);
    throw invalid({
      path: 'testset',
      message: `${manifest.id} has ${problems.length} problems; name one, as in ${some.join(', ')}`,
    });
  }
  const entry = problems.find((each) => each.id === problem);
  if (entry === undefined) throw noSuch(`the test set ${manifest.id} has no problem ${problem}`);
  return entry;
}

function invalid(error: FieldError): Rejection {
  const { path, message } = error;
  return new Rejection('invalid', { detail: `${path}: ${message}`, errors: [error] });
}

function unlessGone(error: unknown): null {
  if (error instanceof Rejection && error.code === 'no_such_testset') return null;
  throw error;
}

/** Removed between the look at its versions and at its files. */
function gone(id: string): Rejection {
  return noSuch(`there is no test set ${id}`);
}

function noSuch(detail: string): Rejection {
  return new Rejection('no_such_testset', { detail });
}

async function stored<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof TestsetStoreError)) throw error;
    throw new Rejection('testset_store_full', { detail: error.message }, { cause: error });
  }
}
