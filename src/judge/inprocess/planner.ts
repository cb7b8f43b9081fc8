/**
 * Finds what can be altered in tests: asks a planner in a jail where no candidate ever runs, and remembers its answers,
 * for the same tests come with many programs. Holds the secret that makes the choice of canaries unknowable to programs.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';

import type { z } from 'zod';

import { planHarness, planRun } from '../../catalog/plan.ts';
import { Fault, Rejection } from '../../domain/errors.ts';
import { DEFAULT_LIMITS, DEFAULT_MAXIMA } from '../../domain/limits.ts';
import type { CodeTests } from '../../domain/submission.ts';
import type { JudgePlace } from '../place.ts';
import { NO_CPU } from '../place.ts';
import type { Program } from '../program.ts';
import { runLimits } from '../run-spec.ts';
import type { Bundles } from '../split/bundle.ts';
import { alteredTexts } from './literals.ts';
import { AlterableTests, HarnessPlan, Planned, type Site, type Splice, type Unit } from './plan.ts';

/** Of all answers that are remembered, as the planner wrote them. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
/** Of one answer. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const HEAD_BYTES = 4;

/** What is known of tests before any run. */
export interface TestPlan {
  readonly units: readonly Unit[];
  /** Of a harness: what every run's tests have in them, and its arguments. */
  readonly splices?: readonly Splice[];
  readonly args?: readonly string[];
}

type Answer = TestPlan | Exclude<Planned, { readonly units: unknown }>;

interface Kept {
  readonly planned: Answer;
  readonly bytes: number;
}

export class Planner {
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;
  readonly #secret: Uint8Array = randomBytes(32);

  /**
   * The tests with the places in them, and what a harness puts into all of them. Throws Rejection `invalid` where they cannot be judged beside the program, Fault
   * `tests_broken` where they are no code of the language.
   */
  async plan(place: JudgePlace, tests: CodeTests, bundles: Bundles): Promise<TestPlan> {
    const { id, fingerprint } = place.environment;
    const key = createHash('sha256').update(`${fingerprint} ${id} ${tests.document}`).digest('hex');
    const planned = this.#kept.get(key)?.planned ?? (await this.#plan(place, tests, bundles, key));
    if ('units' in planned) return planned;
    if ('broken' in planned) throw new Fault('tests_broken', planned.broken);
    throw notAlterable(planned.problem);
  }

  /** The seed of a submission's canaries: the same for the same program and tests, as long as the service lives. */
  seed({ entry, files }: Program, { document }: CodeTests): Uint8Array {
    const hash = createHmac('sha256', this.#secret);
    for (const part of [
      document,
      entry,
      ...files.flatMap(({ path, content }) => [path, content]),
    ]) {
      hash.update(`${Buffer.byteLength(part)}:`).update(part);
    }
    return hash.digest();
  }

  async #plan(place: JudgePlace, tests: CodeTests, bundles: Bundles, key: string): Promise<Answer> {
    const { environment } = place;
    const { session } = await place.companions.open(environment);
    const { sourceFile } = environment.language;
    const { harness } = environment.language;
    if (harness === null)
      await session.stage(
        await bundles.files({ environment, side: 'planner', session, isForked: false }),
      );
    const limits = { ...DEFAULT_MAXIMA, ...DEFAULT_LIMITS, outputBytes: ANSWER_BYTES_MAX };
    const main = { path: sourceFile, content: new Uint8Array(0) };
    const raw = await session.run(
      {
        ...(harness === null
          ? planRun(environment, { entry: sourceFile, files: [main] })
          : planHarness(environment, harness.planner)),
        limits: runLimits(limits, environment.language, session.hello.cgroup),
        stdin: framed(tests.document),
        files: [],
        cpu: place.cpu ?? NO_CPU,
        warm: session.hello.features.warm,
        collect: [],
      },
      { signal: place.signal },
    );
    place.signal.throwIfAborted();
    if (raw.cause !== 'exited' || raw.exitCode !== 0) {
      const said = Buffer.from(raw.stderr).toString('utf8').slice(-500);
      throw new Fault('tests_broken', `they cannot be read: ${raw.cause} ${said}`);
    }
    const planned = harness === null ? read(Planned, raw.stdout) : parseHarness(raw.stdout, tests);
    this.#keep(key, { planned, bytes: raw.stdout.byteLength });
    return planned;
  }

  #keep(key: string, kept: Kept): void {
    // Submissions of the same tests at once each plan them.
    if (this.#kept.has(key)) return;
    this.#kept.set(key, kept);
    this.#keptBytes += kept.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES_MAX) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes;
    }
  }
}

/** Text behind its length, as the runners read it. */
export function framed(text: string): Uint8Array {
  const body = Buffer.from(text);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length, 0);
  return Buffer.concat([head, body]);
}

function read<Schema extends z.ZodType>(schema: Schema, stdout: Uint8Array): z.infer<Schema> {
  try {
    const text = Buffer.from(stdout).toString('utf8', HEAD_BYTES);
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Fault('test_runner_failed', 'the planner answers out of form', { cause: error });
  }
}

/** As above, of a harness: what literals become is made here. */
function parseHarness(stdout: Uint8Array, tests: CodeTests): Answer {
  const answer = read(HarnessPlan, stdout);
  if (!('units' in answer)) return answer;
  const { files = {} } = AlterableTests.parse(JSON.parse(tests.document));
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  const units = answer.units.map((unit): Unit => {
    const text = bytes.get(unit.piece.slice('files/'.length)) ?? Buffer.alloc(0);
    const sites = unit.sites.flatMap(({ literal, near, avoided, ...site }): Site[] => {
      const old = text.toString('utf8', site.start, site.end);
      const all = literal === '' ? site.texts : alteredTexts(old, literal, near);
      const texts = all.filter((text) => !avoided.includes(text));
      return texts.length === 0 ? [] : [{ ...site, texts }];
    });
    return { ...unit, sites };
  });
  const bare = units.find(({ sites }) => sites.every(({ kind }) => kind === 'truth'));
  if (bare !== undefined)
    return { problem: `test ${bare.id} has no expected literal that could be altered` };
  return { ...answer, units };
}

function notAlterable(problem: string): Rejection {
  const message = `cannot be judged in one process with the program: ${problem}`;
  return new Rejection('invalid', {
    detail: `tests: ${message}`,
    errors: [{ path: 'tests', message }],
  });
}
