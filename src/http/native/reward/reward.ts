/** `POST /v1/reward`: rows and completions in, rewards in order out, at once or a line as each is finished. */
import { DEFAULT_EXTRACT, type ExtractOptions } from '../../../domain/submission.ts';
import { Rejection } from '../../../domain/errors.ts';
import { REWARD_BOUNDS } from '../../../domain/limits.ts';
import type { AppContext, HTTPDeps } from '../../app-env.ts';
import {
  checkJSONMediaType,
  NDJSON_MEDIA_TYPE,
  parseJSON,
} from '../../middleware/body/parse-json.ts';
import { placesAt } from '../../middleware/body/places.ts';
import { readBody } from '../../middleware/body/read-body.ts';
import { logUnknown } from '../../middleware/errors/errors.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { sendJSON } from '../../send-json.ts';
import { streamLines, wantsLines, type LineStreamContext } from '../line-stream.ts';
import { runPaced } from '../paced.ts';
import type { RewardEnvelope, RewardItem, RewardResponse, RewardResult } from '../schema/reward.ts';
import { judgeToWire } from '../to-wire.ts';
import { judgeCompletion } from './judge-completion.ts';
import { parseRewardRequest, type RewardRequest } from './parse-reward.ts';
import { RowRefusal, toRewardError } from './refusal.ts';
import { RewardRows } from './rows.ts';

/** What is wrong there is its item's alone, of thousands. */
const OF_AN_ITEM = placesAt('items.*.completion', 'items.*.completions.*', 'items.*.row.**');

/** One completion and where it belongs. */
interface Job {
  readonly item: number;
  /** Null for an item's only one. */
  readonly completion: number | null;
  readonly id: string;
  readonly text: string;
  /** The row as JSON: one text for all completions of an item. */
  readonly row: string;
}

export async function postReward(c: AppContext, deps: HTTPDeps): Promise<Response> {
  checkJSONMediaType(c.req.header('content-type'));
  await using held = new AsyncDisposableStack();
  const body = held.use(await readBody(c, deps));
  const request = parseRewardRequest(parseJSON(body.take(), OF_AN_ITEM));
  const { language } = request.wire;
  if (language !== undefined && deps.service.language(language) === null)
    throw new Rejection('unknown_language', {
      detail: 'no such language; see /v1/languages',
      errors: [{ path: 'language', message: 'is not known' }],
    });
  c.get('logFields')['items'] = request.items.length;
  const work = new RewardWork(c, deps, request);
  if (!wantsLines(c)) return await answerWhole(c, work, request.items);
  // The rows are held for as long as lines are made of them.
  const lasting = held.move();
  c.header('Content-Type', NDJSON_MEDIA_TYPE.name);
  const lines = async function* (context: LineStreamContext): AsyncGenerator<string> {
    await using _ = lasting;
    yield* work.run(context, lineOf);
  };
  return c.body(streamLines(c, work.summary, lines));
}

async function answerWhole(
  c: AppContext,
  work: RewardWork,
  items: readonly RewardItem[],
): Promise<Response> {
  const { signal } = c.req.raw;
  const places: RewardResult[][] = items.map(() => []);
  const fill = ({ item, completion }: Job, result: RewardResult): string => {
    const list = places[item];
    if (list !== undefined) list[completion ?? 0] = result;
    return '';
  };
  // Nothing waits for a reader, so nothing stalls.
  for await (const _ of work.run({ signal, onStall: () => {} }, fill));
  if (signal.aborted)
    throw new Rejection('caller_gone', { detail: 'the caller left before the rewards were there' });
  const { summary } = work;
  Object.assign(c.get('logFields'), summary);
  const results: RewardResponse['results'] = items.map(({ completions }, index) => {
    const [only, ...others] = places[index] ?? [];
    if (completions !== undefined) return only === undefined ? [] : [only, ...others];
    if (only === undefined) throw new Error('a completion was not answered');
    return only;
  });
  const rewards = results.map((each) =>
    Array.isArray(each) ? each.map(({ reward }) => reward) : each.reward,
  );
  return sendJSON(c, { rewards, results, summary } satisfies RewardResponse);
}

function lineOf({ item, completion }: Job, result: RewardResult): string {
  return `${JSON.stringify({ item, completion, reward: result.reward, result })}\n`;
}

/** All completions of a request, several at once; as many as a batch may have under way. */
class RewardWork {
  readonly summary = { completions: 0, judged: 0, rejected: 0, faults: 0 };
  readonly #c: AppContext;
  readonly #deps: HTTPDeps;
  readonly #items: readonly RewardItem[];
  readonly #wire: RewardEnvelope;
  readonly #rows: RewardRows;
  readonly #extract: ExtractOptions;
  readonly #deadlineAt: number | null;
  /** Of reports that were shown with their cases. */
  #reportChars = 0;

  constructor(c: AppContext, deps: HTTPDeps, { wire, items }: RewardRequest) {
    this.#c = c;
    this.#deps = deps;
    this.#items = items;
    this.#wire = wire;
    this.#rows = new RewardRows({ reader: deps.rows, wire, maxima: deps.service.maxima });
    this.#extract = toExtract(wire);
    this.#deadlineAt = wire.deadline_ms === undefined ? null : deps.clock.now() + wire.deadline_ms;
  }

  /** What `show` makes of each completion's result, as they finish. */
  run(
    { signal, onStall }: LineStreamContext,
    show: (job: Job, result: RewardResult) => string,
  ): AsyncGenerator<string> {
    const { config, clock } = this.#deps;
    return runPaced(this.#jobs(), {
      config: config.batch,
      clock,
      sizeOf: ({ text, row }) => text.length + row.length,
      work: async (job) => show(job, await this.#answer(job, signal)),
      signal,
      onStall,
    });
  }

  async *#jobs(): AsyncGenerator<Job> {
    for (const [item, { id, row, completion, completions }] of this.#items.entries()) {
      const text = JSON.stringify(row);
      const name = (): string => id ?? createId('rwd');
      if (completion !== undefined)
        yield { item, completion: null, id: name(), text: completion, row: text };
      for (const [index, each] of (completions ?? []).entries())
        yield { item, completion: index, id: name(), text: each, row: text };
    }
  }

  async #answer(job: Job, signal: AbortSignal): Promise<RewardResult> {
    const { summary } = this;
    summary.completions += 1;
    try {
      const result = await this.#judge(job, signal);
      summary.judged += 1;
      if (result.reward === null) summary.faults += 1;
      return result;
    } catch (error) {
      summary.rejected += 1;
      if (error instanceof Rejection) this.#deps.service.rejected(error.code);
      else if (!(error instanceof RowRefusal)) logUnknown(this.#c, error, this.#deps);
      return { id: job.id, reward: null, error: toRewardError(error) };
    }
  }

  async #judge({ id, text, row: rowText }: Job, signal: AbortSignal): Promise<RewardResult> {
    const { service, clock } = this.#deps;
    const row = await this.#rows.get(rowText);
    const context = {
      service,
      clock,
      signal,
      priority: this.#wire.priority,
      reuse: this.#wire.cache,
      extract: this.#extract,
      deadlineAt: this.#deadlineAt,
    };
    const report = await judgeCompletion({ id, text }, row, context);
    const { dataset, notes } = row;
    const detail = this.#reportChars > REWARD_BOUNDS.reportChars ? 'summary' : this.#wire.detail;
    const shown = judgeToWire(report, detail);
    if (detail !== 'summary') this.#reportChars += JSON.stringify(shown).length;
    const isLess = detail !== this.#wire.detail;
    return { ...shown, dataset, notes: [...notes], cases_left_out: isLess };
  }
}

function toExtract({ extract }: RewardEnvelope): ExtractOptions {
  if (extract === undefined) return DEFAULT_EXTRACT;
  const { pick, language_match: languageMatch, strip_thinking: stripThinking } = extract;
  return { pick, languageMatch, stripThinking };
}
