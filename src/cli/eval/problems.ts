/** The problems that samples are for: rows of a file, a test set of the service, or a test set with a file for its prompts. */
import { z } from 'zod';

import { toProgram } from '../../datasets/build.ts';
import { parseExactJSON } from '../../datasets/decode/exact-json.ts';
import { readRow, type ReadProblem } from '../../datasets/row-reading.ts';
import { entryFor } from '../../datasets/to-wire.ts';
import { idOf } from '../../datasets/fields.ts';
import { isObject } from '../../datasets/decode/value.ts';
import { PROFILE_NAMES } from '../../domain/profiles.ts';
import { withoutFixed, type RowBody } from '../../http/native/to-profile.ts';
import type { Api } from '../api.ts';
import { expectSuccess } from '../api.ts';
import { UsageError } from '../exit-codes.ts';
import { sha256 } from './digest.ts';
import { readLines } from './lines.ts';

export const ProfileName = z.enum(PROFILE_NAMES);

/** What holds for all samples, whatever their problems say. */
export interface EvalSettings {
  readonly language: string | null;
  readonly profile: z.infer<typeof ProfileName>;
  /** In the wire's words; win over the problem's. */
  readonly limits: Readonly<Record<string, number>>;
  /** Never look for a code block: completions are code. */
  readonly isRaw: boolean;
}

export interface EvalProblem {
  readonly id: string;
  /** Of all that decides about its verdicts. */
  readonly digest: string;
  /** Null where any will do: then the sample or the command says which. */
  readonly language: string | null;
  /** Whether an answer may begin where the problem's prompt ends. Null where nobody here knows the prompt. */
  readonly isContinued: boolean | null;
  /** The whole program that the code of an answer is. */
  toProgram(code: string): string;
  /** Fields of the judge requests that are the problem's, as JSON objects: one, or one for each kind of its tests. */
  requestsFor(code: string): readonly string[];
}

export interface EvalProblems {
  /** Null for none of that name. */
  find(taskId: string): EvalProblem | null;
  /** How many there are. */
  readonly count: number;
  /** Rows that are no problem, a line each. */
  readonly refused: readonly string[];
}

interface FileOptions {
  /** A name of a data set, or `auto`. */
  readonly dataset: string;
  readonly settings: EvalSettings;
}

/** Rows that are no problem, told of at most. */
const REFUSED_MAX = 100;
/** What a file of problems may hold, since it is kept in memory, bytes. */
const PROBLEM_BYTES_MAX = 1024 * 1024 * 1024;

/** Problems of a JSON-lines file, as `POST /v1/reward` takes its rows. Throws UsageError where there are none, or two of a name. */
export async function readProblems(name: string, options: FileOptions): Promise<EvalProblems> {
  const found = new Map<string, EvalProblem>();
  const others = new Map<string, EvalProblem>();
  const refused: string[] = [];
  let bytes = 0;
  for await (const line of readLines(name)) {
    using _ = { [Symbol.dispose]: line.release };
    bytes += line.bytes?.byteLength ?? 0;
    if (line.bytes === null || bytes > PROBLEM_BYTES_MAX)
      throw new UsageError(`${name}, line ${line.number}: too large`);
    const text = Buffer.from(line.bytes)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    const read = readRow({ text, schema: options.dataset });
    if (read.kind === 'rejection') {
      const at = read.path === '' ? '' : `${read.path}: `;
      if (refused.length < REFUSED_MAX)
        refused.push(`${name}, row ${line.number}: ${at}${read.message}`);
      continue;
    }
    const id = idIn(text) ?? String(line.number);
    if (found.has(id)) throw new UsageError(`${name}: two problems are named ${id}`);
    const problem = ofRow(read, { id, text, settings: options.settings });
    found.set(id, problem);
    for (const other of otherNames(read.schema, id)) others.set(other, problem);
  }
  if (found.size === 0)
    throw new UsageError([`${name} holds no problems`, ...refused.slice(0, 10)].join('\n  '));
  return {
    find: (taskId) => found.get(taskId) ?? others.get(taskId) ?? null,
    count: found.size,
    refused,
  };
}

function idIn(text: string): string | null {
  const row = parseExactJSON(text);
  return isObject(row) ? idOf(row) : null;
}

/** evalplus calls the rows of MBPP `Mbpp/2`, the original has the number alone. */
function otherNames(schema: string, id: string): readonly string[] {
  return schema === 'mbpp' && /^\d+$/.test(id) ? [`Mbpp/${id}`, `MBPP/${id}`] : [];
}

interface RowFacts {
  readonly id: string;
  readonly text: string;
  readonly settings: EvalSettings;
}

function ofRow(read: ReadProblem, { id, text, settings }: RowFacts): EvalProblem {
  const requests = new Map<string, readonly string[]>();
  for (const [entry, parts] of Object.entries(read.parts))
    requests.set(
      entry,
      parts.map(({ body }) => requestOf(body, settings)),
    );
  const { choice } = read;
  return {
    id,
    digest: sha256('row', text),
    language: read.language,
    isContinued: read.build.kind === 'prompt',
    toProgram: (code) => toProgram(read, code),
    requestsFor: (code) => requests.get(choice === null ? '' : entryFor(choice, code)) ?? [],
  };
}

/** Numbers stay as the row writes them. */
function requestOf(body: string, { profile, limits }: EvalSettings): string {
  // Written by `toWire`, which says what it is.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const own = parseExactJSON(body) as unknown as RowBody;
  const { limits: given, ...rest } = withoutFixed(own, profile);
  return JSON.stringify({ ...rest, profile, limits: { ...given, ...limits } });
}

const Testset = z.looseObject({
  digest: z.string(),
  results: z.array(z.looseObject({ id: z.string() })),
});

/**
 * Problems of a test set, in the version that the service has now. `prompts` are the rows it was made of, where answers
 * go on with them. Throws UsageError where the service has no such set.
 */
export async function testsetProblems(
  api: Api,
  id: string,
  options: { readonly prompts: EvalProblems | null; readonly settings: EvalSettings },
): Promise<EvalProblems> {
  const [name = '', version] = id.split('@');
  const path = `/v1/testsets/${encodeURIComponent(name)}`;
  const { digest, results } = Testset.parse(expectSuccess(await api.get(path)));
  const { settings, prompts } = options;
  const ids = new Set(results.map((each) => each.id));
  const only = ids.size === 1 ? [...ids][0] : undefined;
  const known = new Map<string, EvalProblem>();
  const make = (problem: string): EvalProblem => {
    const row = prompts?.find(problem) ?? null;
    const testset = `${name}/${problem}@${version ?? digest}`;
    const { limits } = settings;
    const request = JSON.stringify({
      testset,
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
    });
    return {
      id: problem,
      digest: sha256('testset', testset, row?.digest ?? ''),
      language: row?.language ?? null,
      isContinued: row === null ? null : row.isContinued,
      toProgram: (code) => row?.toProgram(code) ?? code,
      requestsFor: () => [request],
    };
  };
  return {
    find(taskId) {
      const wanted = taskId.replaceAll('@', '_');
      const problem = ids.has(wanted) ? wanted : wanted === name ? only : undefined;
      if (problem === undefined) return null;
      const made = known.get(problem) ?? make(problem);
      known.set(problem, made);
      return made;
    },
    count: ids.size,
    refused: [],
  };
}

/** No problems at all: every sample brings its own tests. */
export const NO_PROBLEMS: EvalProblems = { find: () => null, count: 0, refused: [] };
