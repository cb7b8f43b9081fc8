/** `assay eval SAMPLES`: a file of samples judged, whatever its size; pass@k, why samples failed, and a page that shows it. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { defineCommand } from 'citty';
import { z } from 'zod';

import { schemaNames } from '../../datasets/to-problem.ts';
import { systemClock } from '../../lib/clock.ts';
import { expectSuccess, openApi, type Api } from '../api.ts';
import { configArgs } from '../config-args.ts';
import { countLines } from '../eval/lines.ts';
import {
  NO_PROBLEMS,
  ProfileName,
  readProblems,
  testsetProblems,
  type EvalProblems,
  type EvalSettings,
} from '../eval/problems.ts';
import { Progress } from '../eval/progress.ts';
import { renderReport } from '../eval/report.ts';
import { accumulate, evaluate } from '../eval/run.ts';
import type { Summary } from '../eval/summary.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { limitArgs, wireLimits } from '../limit-args.ts';
import { readLanguages } from '../program-file.ts';
import { SIGNAL_EXIT, watchStopSignals } from '../stop-signals.ts';

const K_MAX = 1_000_000;
const IN_FLIGHT_MAX = 1024;
/** Under way by default: what the slots hold, and as much again on its way. */
const IN_FLIGHT_PER_SLOT = 2;
const RETRIES_MAX = 100;
const REFUSED_SHOWN = 10;

const Capabilities = z.looseObject({ slots: z.int().min(1) });

export const evalCommand = defineCommand({
  meta: {
    name: 'eval',
    description:
      'Judge a file of samples (`task_id` with `completion` or `solution`, or judge requests, a line each) and say pass@k. Run it again to go on where it was interrupted.',
  },
  args: {
    samples: { type: 'positional', required: true, description: 'JSON lines; may be *.gz.' },
    problems: {
      type: 'string',
      description: 'JSON-lines file of the problems: rows of HumanEval, MBPP, LeetCode, stdin …',
    },
    testset: {
      type: 'string',
      description: 'A test set of the service; with --problems for their prompts.',
    },
    dataset: {
      type: 'string',
      description: 'Of --problems: their data set; by default by fields.',
    },
    out: { type: 'string', description: 'Folder of the results; by default SAMPLES.eval.' },
    k: { type: 'string', description: 'The k of pass@k, with commas; by default 1,10,100.' },
    language: {
      type: 'string',
      description: 'Of all samples; by default what they or problems say.',
    },
    profile: { type: 'string', description: 'Whose rules decide: strict (default), lcb, cms …' },
    raw: { type: 'boolean', description: 'Completions are code, whatever fences they hold.' },
    retries: { type: 'string', description: 'How often a fault is tried again; by default 2.' },
    concurrency: { type: 'string', description: 'Samples at once; by default by the slots.' },
    ...limitArgs,
    url: { type: 'string', description: 'A running service; by default one is started.' },
    json: { type: 'boolean', description: 'Print the summary as JSON.' },
    ...configArgs,
  },
  async run({ args }) {
    const ks = (args.k ?? '1,10,100')
      .split(',')
      .map((each) => wholeNumber('--k', each, [1, K_MAX]));
    const settings = settingsOf(args);
    const retries = wholeNumber('--retries', args.retries ?? '2', [0, RETRIES_MAX]);
    const dataset = args.dataset ?? 'auto';
    if (!['auto', ...schemaNames()].includes(dataset))
      throw new UsageError(`--dataset takes auto or one of ${schemaNames().join(', ')}`);
    const total = await countLines(args.samples);
    const rows =
      args.problems === undefined ? null : await readProblems(args.problems, { dataset, settings });
    for (const each of rows?.refused.slice(0, REFUSED_SHOWN) ?? [])
      console.error(`no problem: ${each}`);
    const folder = args.out ?? `${args.samples.replace(/(?:\.jsonl)?(?:\.gz)?$/, '')}.eval`;
    await mkdir(folder, { recursive: true });
    using interrupt = watchInterrupt(args.url !== undefined, folder);
    await using api = await openApi(args);
    const problems = await problemsOf(api, { id: args.testset, rows, settings });
    const clock = systemClock;
    const results = path.join(folder, 'results.jsonl');
    const startedAt = clock.date().toISOString();
    try {
      using progress = new Progress(process.stderr, { clock, total });
      const done = await evaluate({
        samples: args.samples,
        results,
        api,
        problems,
        languages: await readLanguages(api),
        settings,
        retries,
        inFlight: await inFlightOf(api, args.concurrency),
        clock,
        signal: interrupt.signal,
        onProgress: (counts) => progress.show(counts),
      });
      const all = await accumulate(results, done.table);
      const known = problems.count === 0 ? null : problems.count;
      const summary = all.summary({ ks, read: done.read, known });
      if (done.table.untaken > 0) throw new Error(`${done.table.untaken} samples have no result`);
      const about = aboutLines(args, { settings, startedAt, endedAt: clock.date().toISOString() });
      const facts = { title: `Assay: ${path.basename(args.samples)}`, about, summary };
      await writeWhole(path.join(folder, 'summary.json'), toJSON(summary, about));
      const page = path.join(folder, 'report.html');
      await writeWhole(page, renderReport({ ...facts, shown: all.shown, failed: all.failed }));
      console.log(args.json ? toJSON(summary, about) : describe(summary, page));
      process.exitCode = isWhole(summary) ? EXIT.ok : EXIT.fault;
    } catch (error) {
      if (!interrupt.signal.aborted) throw error;
      process.exitCode = interrupt.status();
    }
  },
});

type EvalArgs = Readonly<Record<string, unknown>>;

function settingsOf(args: EvalArgs): EvalSettings {
  const profile = ProfileName.safeParse(args['profile'] ?? 'strict');
  if (!profile.success)
    throw new UsageError(`--profile takes one of ${ProfileName.options.join(', ')}`);
  const language = args['language'];
  return {
    language: typeof language === 'string' ? language : null,
    profile: profile.data,
    limits: wireLimits(args),
    isRaw: args['raw'] === true,
  };
}

interface ProblemSource {
  readonly id: string | undefined;
  readonly rows: EvalProblems | null;
  readonly settings: EvalSettings;
}

async function problemsOf(api: Api, { id, rows, settings }: ProblemSource): Promise<EvalProblems> {
  if (id === undefined) return rows ?? NO_PROBLEMS;
  if (settings.profile !== 'strict')
    throw new UsageError('--profile is none of a test set, which is judged by its own rules');
  return await testsetProblems(api, id, { prompts: rows, settings });
}

async function inFlightOf(api: Api, given: string | undefined): Promise<number> {
  if (given !== undefined) return wholeNumber('--concurrency', given, [1, IN_FLIGHT_MAX]);
  const { slots } = Capabilities.parse(expectSuccess(await api.get('/v1/capabilities')));
  return Math.min(slots * IN_FLIGHT_PER_SLOT + 2, IN_FLIGHT_MAX);
}

interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
  /** 128 + the signal's number. */
  status(): number;
}

/** Stops in order at the first signal; a service of the command's own ends itself and then the process. */
function watchInterrupt(isRemote: boolean, folder: string): Interrupt {
  const signals = watchStopSignals();
  const stop = new AbortController();
  let status: number = SIGNAL_EXIT.SIGINT;
  void signals.first.then((signal) => {
    status = SIGNAL_EXIT[signal];
    console.error(`\nassay: stopped; what was judged is in ${folder}: run it again to go on`);
    stop.abort(new Error(`stopped by ${signal}`));
  });
  if (isRemote) void signals.second.then((signal) => process.exit(SIGNAL_EXIT[signal]));
  return {
    signal: stop.signal,
    status: () => status,
    [Symbol.dispose]: () => signals[Symbol.dispose](),
  };
}

function isWhole({ unjudged }: Summary): boolean {
  return unjudged.faults === 0 && unjudged.refused === 0;
}

/** Never half a file under its name. */
async function writeWhole(name: string, text: string): Promise<void> {
  await writeFile(`${name}.new`, text);
  await rename(`${name}.new`, name);
}

function aboutLines(
  args: EvalArgs,
  facts: {
    readonly settings: EvalSettings;
    readonly startedAt: string;
    readonly endedAt: string;
  },
): string[] {
  const { profile, limits, language } = facts.settings;
  const named = ['samples', 'problems', 'testset'].flatMap((name) =>
    typeof args[name] === 'string' ? [`${name}: ${args[name]}`] : [],
  );
  const extra = Object.entries(limits).map(([name, value]) => `${name} ${value}`);
  return [
    ...named,
    `profile ${profile}${language === null ? '' : `, language ${language}`}${extra.length === 0 ? '' : `, limits ${extra.join(', ')}`}`,
    `this run: ${facts.startedAt} to ${facts.endedAt}`,
  ];
}

function toJSON(summary: Summary, about: readonly string[]): string {
  return `${JSON.stringify({ ...summary, about }, null, 2)}\n`;
}

const KINDS_SHOWN = 10;

function describe(summary: Summary, page: string): string {
  const { samples, unjudged, pass_at_k: estimates, failure_kinds: kinds } = summary;
  const lines = [`${samples.judged} of ${samples.read} samples judged, ${samples.right} right`];
  for (const { k, value, problems, too_few: tooFew } of estimates) {
    const left = tooFew === 0 ? '' : `; ${tooFew} with fewer than ${k} judged samples left out`;
    lines.push(
      value === null
        ? `pass@${k}: no problem has ${k} judged samples`
        : `pass@${k} ${(value * 100).toFixed(2)} % over ${problems} problems${left}`,
    );
  }
  for (const { kind, count } of kinds.slice(0, KINDS_SHOWN)) lines.push(`  ${count}  ${kind}`);
  if (kinds.length > KINDS_SHOWN) lines.push(`  and ${kinds.length - KINDS_SHOWN} kinds more`);
  if (unjudged.faults > 0)
    lines.push(
      `${unjudged.faults} faults: no reward, in no figure; run it again to try them again`,
    );
  if (unjudged.refused > 0)
    lines.push(`${unjudged.refused} samples could not be judged: no reward, in no figure`);
  lines.push(page);
  return lines.join('\n');
}

function wholeNumber(flag: string, text: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${flag} takes whole numbers from ${least} to ${most}, not ${text}`);
}
