/**
 * One run on its way: what was asked, what came back so far, and the checks that the supervisor keeps to both.
 * Throws `Fault('protocol_error')` on any answer that does not fit.
 */
import { strict as assert } from 'node:assert';
import { constants } from 'node:os';

import type { CollectedFile, RawExit } from '../domain/outcome.ts';
import type { WorkEntry } from '../domain/workspace.ts';
import { ByteList } from '../lib/byte-list.ts';
import { COLLECTED_MORE, MAX_CHUNK, OUTPUT_STDOUT, protocolFault } from './frame.ts';
import type { Frame } from './frame.ts';
import type { StagedFile } from './frame-writer.ts';
import { encodeRun, parseCollected } from './protocol.ts';
import type { LiveStream } from './live-stream.ts';
import { TreeCapture } from './tree.ts';
import type { CollectedPayload, RunLimits } from './protocol.ts';
import { toWorkPath } from './work-path.ts';
import { NO_RESULT, type RunResult } from './result.ts';

/** What one run executes, with what input and limits. */
export interface RunSpec {
  /** `argv[0]` is an absolute path in the run's root, or one with a `/` relative to the work folder. */
  readonly argv: readonly string[];
  /** The whole environment; nothing is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  /** Files of this run only, written over the program's. */
  readonly files: readonly StagedFile[];
  readonly limits: RunLimits;
  /** Core to pin to, −1 for none. */
  readonly cpu: number;
  /** May be forked from the jail's warm runtime. */
  readonly warm: boolean;
  /** Then the runtime with fewer modules is enough; default false. */
  readonly light?: boolean;
  /** The whole work folder, in the place of `files`; it comes back as the run leaves it, within `collectBytes`. */
  readonly tree?: readonly WorkEntry[];
  /** Paths in the work folder whose content is wanted; the answer has one entry each, in this order. */
  readonly collect: readonly string[];
}

/** The supervisor stops sending at the cap, give or take the frame in its hands. */
const CAP_SLACK_BYTES = MAX_CHUNK;

export class PendingRun {
  readonly spec: RunSpec;
  /** The encoded RUN payload. */
  readonly request: Buffer;
  /** Resolves with the raw exit, rejects with a fault. */
  readonly answer: Promise<RawExit>;
  readonly resolve: (exit: RawExit) => void;
  readonly reject: (error: Error) => void;
  /** The run's number on the wire, 0 until it is sent. */
  id = 0;
  /** Whether the RUN frame is sent, and whether all its input is. */
  isRequested = false;
  isSent = false;
  isCancelled = false;
  /** The run's streams where they are not kept but handed on. */
  readonly live: LiveStream | null;
  readonly #tree: TreeCapture | null;
  readonly #received = { stdout: 0, stderr: 0 };
  readonly #stdout = new ByteList();
  readonly #stderr = new ByteList();
  readonly #collected: (CollectedFile | undefined)[];
  #collectedBytes = 0;
  #open: { readonly index: number; readonly content: ByteList } | null = null;
  #lastIndex = -1;
  #isOver = false;

  /** Throws RangeError for a spec that does not fit the protocol. */
  constructor(spec: RunSpec, live: LiveStream | null = null) {
    for (const file of spec.files) toWorkPath(file.path);
    this.spec = spec;
    this.live = live;
    this.request = encodeRun({
      argv: spec.argv,
      env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
      collect: spec.collect,
      warm: spec.warm,
      light: spec.light ?? false,
      live: live !== null,
      tree: spec.tree !== undefined,
      limits: spec.limits,
      stdinBytes: spec.stdin.length,
      cpu: spec.cpu,
    });
    this.#collected = spec.collect.map(() => undefined);
    const { collectBytes: bytesMax, inodes: entriesMax } = spec.limits;
    this.#tree = spec.tree === undefined ? null : new TreeCapture({ bytesMax, entriesMax });
    const { promise, resolve, reject } = Promise.withResolvers<RawExit>();
    this.answer = promise;
    this.resolve = resolve;
    this.reject = reject;
  }

  /** Whether what the run left behind has begun to come: nothing of it runs any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes an OUTPUT frame. */
  output(frame: Frame): void {
    const { payload, flags } = frame;
    const stream = flags === OUTPUT_STDOUT ? 'stdout' : 'stderr';
    this.#received[stream] += payload.length;
    if (this.#received[stream] > this.spec.limits.outputBytes + CAP_SLACK_BYTES) {
      throw protocolFault('OUTPUT: more than the cap');
    }
    if (this.live === null) (stream === 'stdout' ? this.#stdout : this.#stderr).append(payload);
    else this.live.output(frame);
  }

  /** Takes a COLLECTED frame: files come in the order asked for, the pieces of one without a gap. */
  collect(frame: Frame): void {
    this.#isOver = true;
    const part = parseCollected(frame.payload);
    const hasMore = (frame.flags & COLLECTED_MORE) !== 0;
    if (hasMore && part.status !== 'ok') throw protocolFault('COLLECTED: more of nothing');
    if (this.#open === null) this.#startFile(part);
    const open = this.#open;
    if (open === null) throw protocolFault('COLLECTED: no file is open');
    if (open.index !== part.index) throw protocolFault('COLLECTED: pieces are mixed');
    this.#collectedBytes += part.content.length;
    if (this.#collectedBytes > this.spec.limits.collectBytes + CAP_SLACK_BYTES) {
      throw protocolFault('COLLECTED: more than the cap');
    }
    open.content.append(part.content);
    if (hasMore) return;
    this.#open = null;
    this.#collected[part.index] = this.#file(part.index, {
      status: part.status,
      content: open.content.join(),
    });
  }

  /** Takes a TREE frame. */
  tree(frame: Frame): void {
    if (this.#tree === null) throw protocolFault('TREE: nobody asked for it');
    this.#isOver = true;
    this.#tree.take(frame);
  }

  /** Joins the figures and the captured bytes; the run is then done with. */
  finish(result: RunResult): RawExit {
    if (this.#open !== null) throw protocolFault('COLLECTED: a file without its end');
    const stdout = this.#stdout.join();
    const stderr = this.#stderr.join();
    checkSeen('stdout', this.#received.stdout, result.stdoutBytes, result.stdoutTruncated);
    checkSeen('stderr', this.#received.stderr, result.stderrBytes, result.stderrTruncated);
    const cap = this.spec.limits.outputBytes;
    const tree = this.#tree?.finish() ?? null;
    return {
      ...result,
      ...(tree === null ? {} : { tree }),
      stdout: stdout.subarray(0, cap),
      stderr: stderr.subarray(0, cap),
      collected: this.#collected.map(
        (file, index) =>
          file ?? this.#file(index, { status: 'missing', content: new Uint8Array(0) }),
      ),
    };
  }

  /**
   * The end of a run that passed its memory limit so fast that its whole jail was killed for it: what came of its output,
   * and no figures, which nobody can give any more. Precondition: it is not over.
   */
  endByMemory(): RawExit {
    assert(!this.#isOver, 'what is over takes no memory');
    const { stdout, stderr } = this.#received;
    const cap = this.spec.limits.outputBytes;
    return this.finish({
      ...NO_RESULT,
      ...{ cause: 'memory', signal: constants.signals.SIGKILL, limitHits: 1 },
      ...{ stdoutBytes: stdout, stdoutTruncated: stdout > cap },
      ...{ stderrBytes: stderr, stderrTruncated: stderr > cap },
    });
  }

  #startFile(part: CollectedPayload): void {
    if (part.index >= this.spec.collect.length)
      throw protocolFault('COLLECTED: nobody asked for it');
    if (part.index <= this.#lastIndex) throw protocolFault('COLLECTED: out of order');
    this.#lastIndex = part.index;
    this.#open = { index: part.index, content: new ByteList() };
  }

  #file(index: number, file: Pick<CollectedFile, 'status' | 'content'>): CollectedFile {
    return { path: this.spec.collect[index] ?? '', ...file };
  }
}

function checkSeen(stream: string, received: number, seen: number, isTruncated: boolean): void {
  if (received > seen) throw protocolFault(`RESULT: ${stream} sent more than it saw`);
  if (!isTruncated && received !== seen) throw protocolFault(`RESULT: ${stream} is incomplete`);
}

/** The answer of a run that was cancelled before it was sent. */
export function cancelledExit(spec: RunSpec): RawExit {
  return {
    ...NO_RESULT,
    cause: 'cancelled',
    stdinUnread: spec.stdin.length > 0,
    stdout: new Uint8Array(0),
    stderr: new Uint8Array(0),
    collected: spec.collect.map((path) => ({
      path,
      status: 'missing',
      content: new Uint8Array(0),
    })),
  };
}
