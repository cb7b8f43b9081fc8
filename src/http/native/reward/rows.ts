/**
 * The rows of one request as submissions without a program: each is read once for all completions that share it, and
 * becomes a submission once for each entry that programs have.
 */
import { toProgram } from '../../../datasets/build.ts';
import type { RowReader } from '../../../datasets/row-pool.ts';
import type { ReadPart, ReadProblem } from '../../../datasets/row-reading.ts';
import { entryFor } from '../../../datasets/to-wire.ts';
import { REWARD_BOUNDS, type Limits } from '../../../domain/limits.ts';
import type { JudgeSubmission } from '../../../domain/submission.ts';
import { parseJSON } from '../../middleware/body/parse-json.ts';
import type { RewardEnvelope } from '../schema/reward.ts';
import { parseJudgeRequest, toJudgeSubmission } from '../to-judge-submission.ts';
import { withoutFixed, type RowBody } from '../to-profile.ts';
import { RowRefusal } from './refusal.ts';

/** One kind of a row's tests, ready but for the program. */
interface Part {
  readonly submission: JudgeSubmission;
  readonly positions: readonly number[] | null;
}

/** What one row is judged by. */
export class RewardRow {
  readonly #problem: ReadProblem;
  readonly #wire: RewardEnvelope;
  readonly #maxima: Limits;
  readonly #parts = new Map<string, readonly Part[]>();
  readonly language: string;

  /** Throws RowRefusal where nobody says which language it is in. */
  constructor(problem: ReadProblem, wire: RewardEnvelope, maxima: Limits) {
    const language = wire.language ?? problem.language;
    if (language === null) {
      const reason = 'the row names no language: say which in "language" of the request';
      throw new RowRefusal({ code: 'invalid', path: 'language', reason, retryable: false });
    }
    this.language = language;
    this.#problem = problem;
    this.#wire = wire;
    this.#maxima = maxima;
  }

  get dataset(): string {
    return this.#problem.schema;
  }

  get notes(): readonly string[] {
    return this.#problem.notes;
  }

  /** Whether a completion may begin where the row's prompt ends. */
  get isContinued(): boolean {
    return this.#problem.build.kind === 'prompt';
  }

  toProgram(code: string): string {
    return toProgram(this.#problem, code);
  }

  /** The submissions that judge a program with this code. Throws Rejection where the row's tests are refused. */
  partsFor(code: string): readonly Part[] {
    const { choice, parts } = this.#problem;
    const entry = choice === null ? '' : entryFor(choice, code);
    const known = this.#parts.get(entry);
    if (known !== undefined) return known;
    const made = (parts[entry] ?? []).map((part) => this.#toPart(part));
    this.#parts.set(entry, made);
    return made;
  }

  #toPart({ body, positions }: ReadPart): Part {
    const { environment, scoring, reward_range, stop, profile, detail, warm } = this.#wire;
    // Written by `toWire`; what is in it is validated like any request.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    const own = parseJSON(Buffer.from(body)) as RowBody;
    const { limits, ...rest } = withoutFixed(own, profile);
    const request = parseJudgeRequest({
      ...rest,
      ...(environment === undefined ? {} : { environment }),
      ...(scoring === undefined ? {} : { scoring }),
      ...(stop === undefined ? {} : { stop }),
      reward_range,
      profile,
      detail,
      warm,
      language: this.language,
      limits: { ...limits, ...this.#wire.limits },
      code: '',
    });
    const submission = toJudgeSubmission(request, { maxima: this.#maxima, id: '' });
    return { submission, positions };
  }
}

interface RowsOptions {
  readonly reader: RowReader;
  readonly wire: RewardEnvelope;
  readonly maxima: Limits;
}

/** The rows of a request by their text, the last few of them. */
export class RewardRows {
  readonly #options: RowsOptions;
  readonly #kept = new Map<string, Promise<RewardRow>>();

  constructor(options: RowsOptions) {
    this.#options = options;
  }

  /** Throws RowRefusal for what is no problem, Fault where it could not be read. */
  async get(text: string): Promise<RewardRow> {
    const known = this.#kept.get(text);
    if (known !== undefined) return await known;
    const read = this.#read(text);
    this.#kept.set(text, read);
    // A row that is no problem stays none; a reader that broke may do better for the next completion.
    read.catch((error: unknown) => {
      if (!(error instanceof RowRefusal)) this.#kept.delete(text);
    });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > REWARD_BOUNDS.rowsKept && oldest !== undefined) this.#kept.delete(oldest);
    return await read;
  }

  async #read(text: string): Promise<RewardRow> {
    const { reader, wire, maxima } = this.#options;
    const reading = await reader.read({ text, schema: wire.dataset });
    if (reading.kind === 'problem') return new RewardRow(reading, wire, maxima);
    const { code, path, message } = reading;
    const where = path === '' ? 'the row' : path;
    throw new RowRefusal({ code, path, reason: `${where}: ${message}`, retryable: false });
  }
}
