/** `POST /v1/judge/batch`: lines of judge requests in, lines of reports out as they finish. */
import { Rejection } from '../../domain/errors.ts';
import type { AppContext, HTTPDeps } from '../app-env.ts';
import { parseJSON } from '../middleware/body/parse-json.ts';
import { bodiesFull, readChunks } from '../middleware/body/read-body.ts';
import { logUnknown, toProblem } from '../middleware/errors/errors.ts';
import { createId } from '../middleware/request-id/request-id.ts';
import { expandTestset } from './expand-testset.ts';
import { streamLines } from './line-stream.ts';
import { createLineReader, type Line } from './ndjson.ts';
import { runPaced } from './paced.ts';
import { MODEL_TEXT, parseJudgeRequest, toJudgeSubmission } from './to-judge-submission.ts';
import { judgeToWire } from './to-wire.ts';

const ID_SHOWN_MAX = 256;

interface Summary {
  lines: number;
  judged: number;
  rejected: number;
  faults: number;
}

/** The answer's body: reports and problems a line, then the summary. Cancelled when its reader leaves. */
export function streamBatch(c: AppContext, deps: HTTPDeps): ReadableStream<Uint8Array> {
  const summary: Summary = { lines: 0, judged: 0, rejected: 0, faults: 0 };
  return streamLines(c, summary, (context) => judgeLines(c, deps, { ...context, summary }));
}

interface BatchContext {
  readonly signal: AbortSignal;
  readonly summary: Summary;
  readonly onStall: () => void;
}

/** The answers to the lines of a body, as they finish. */
function judgeLines(
  c: AppContext,
  deps: HTTPDeps,
  { signal, summary, onStall }: BatchContext,
): AsyncGenerator<string> {
  let inFlight = 0;
  const { config, clock } = deps;
  const chunks = readChunks(c, {
    maxBytes: null,
    arrival: {
      ...config.arrival,
      // A caller may think between lines, and is not waited for while lines are judged.
      isExempt: () => inFlight > 0 || !reader.isInLine(),
    },
    clock,
  });
  const reader = createLineReader(chunks, {
    maxBytes: config.bodyMaxBytes,
    budget: c.get('bodyBudget'),
  });
  const work = async (line: Line): Promise<string> => {
    inFlight += 1;
    try {
      return await answerLine(c, deps, { line, signal, summary });
    } finally {
      inFlight -= 1;
      line.release();
    }
  };
  return runPaced(reader.lines, {
    config: config.batch,
    clock,
    sizeOf: (line) => line.bytes?.byteLength ?? 0,
    work,
    signal,
    onStall,
  });
}

interface LineContext {
  readonly line: Line;
  readonly signal: AbortSignal;
  readonly summary: Summary;
}

async function answerLine(
  c: AppContext,
  deps: HTTPDeps,
  { line, signal, summary }: LineContext,
): Promise<string> {
  summary.lines += 1;
  let id: string | null = null;
  try {
    const sent = parseLine(line, deps.config.bodyMaxBytes);
    id = idOf(sent);
    const { service, testsets } = deps;
    const { body, testset } = await expandTestset(sent, testsets);
    const wire = parseJudgeRequest(body);
    const resolution = { maxima: service.maxima, id: createId('jdg') };
    const submission = toJudgeSubmission(wire, resolution, testset);
    const report = await service.judge(submission, {
      signal,
      deadlineMs: wire.deadline_ms ?? null,
      priority: wire.priority,
      reuse: wire.cache,
    });
    summary.judged += 1;
    if (report.verdict === 'fault') summary.faults += 1;
    return `${JSON.stringify({ line: line.number, ...judgeToWire(report, submission.detail) })}\n`;
  } catch (error) {
    summary.rejected += 1;
    logUnknown(c, error, deps);
    if (error instanceof Rejection) deps.service.rejected(error.code);
    return `${JSON.stringify({ line: line.number, id, error: toProblem(error) })}\n`;
  }
}

function parseLine(line: Line, maxBytes: number): unknown {
  if (line.dropped === 'no_memory') throw bodiesFull();
  if (line.bytes === null) {
    throw new Rejection('too_large', {
      detail: `line ${line.number} is longer than ${maxBytes} bytes`,
    });
  }
  return parseJSON(line.bytes, MODEL_TEXT);
}

function idOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null;
  return typeof body.id === 'string' && body.id.length <= ID_SHOWN_MAX ? body.id : null;
}
