/**
 * What is done with a session: each function is one step, refused while another is under way, and leaves the work folder as
 * it was unless it says otherwise. The folder's files are a program's: bytes and names, never paths of this host.
 */
import { Rejection } from '../../../domain/errors.ts';
import type { RunReport } from '../../../domain/report.ts';
import type { WorkEntry } from '../../../domain/workspace.ts';
import type { CallContext } from '../../../judge/door.ts';
import type { Contents } from '../../../sessions/blob-store.ts';
import { type Session, storeFull } from '../../../sessions/session.ts';
import { type Given, type Grown, grow, toTree } from '../../../sessions/to-tree.ts';
import { type FileNode, TreeConflict } from '../../../sessions/work-tree.ts';
import { reportFields } from '../../../observe/submission-log.ts';
import type { HTTPDeps } from '../../app-env.ts';
import { formatPath } from '../../middleware/body/field-path.ts';
import type { ExecRequest, ExecResponse } from '../schema/session.ts';
import { runToWire } from '../to-wire.ts';
import { invalid } from '../validation.ts';
import { toExecSubmission } from './to-spec.ts';

type Deps = Pick<HTTPDeps, 'service' | 'sessions' | 'clock'>;

const NOTHING: Contents = new Map();

/** Runs something in the work folder. Throws like `Service.run`, and `session_busy`; a fault of ours is in the answer. */
export async function exec(
  session: Session,
  wire: ExecRequest,
  { deps, context }: { readonly deps: Deps; readonly context: CallContext },
): Promise<{ readonly answer: ExecResponse; readonly logged: object }> {
  const { service, sessions, clock } = deps;
  return await sessions.use(session, async () => {
    const given = wire.code === undefined ? null : sourceOf(session, wire.code, deps);
    const before =
      given === null
        ? { tree: session.tree, contents: NOTHING }
        : await withFiles(session, [given], { clock, at: () => ['code'] });
    const entries = entriesOf(session, before);
    const submission = toExecSubmission(wire, session, { maxima: service.maxima, entries });
    const signal = AbortSignal.any([context.signal, session.end.signal]);
    const report = await service.run(submission, {
      ...context,
      signal,
      reuse: false,
      isTold: true,
    });
    const { files: _, uncollected: __, ...common } = runToWire(report);
    session.execs += report.fault === null ? 1 : 0;
    session.cpuMs += report.outcome?.cpuMs ?? 0;
    const kept = await keep(session, report, sessions);
    // What a fault has ended was not done, and can be tried again.
    const seq =
      report.fault === null ? sessions.note(session, { kind: 'exec', request: wire }) : null;
    const answer = { ...common, session: session.id, seq, tree: session.tree.digest, ...kept };
    return { answer, logged: reportFields(report) };
  });
}

type Kept = Pick<ExecResponse, 'kept' | 'not_kept' | 'dropped' | 'dropped_count'>;

async function keep(
  session: Session,
  report: RunReport,
  sessions: Deps['sessions'],
): Promise<Kept> {
  const { tree: captured } = report;
  const not = (reason: NonNullable<Kept['not_kept']>): Kept => ({
    kept: false,
    not_kept: reason,
    dropped: [],
    dropped_count: 0,
  });
  if (captured === undefined) return not(withoutTree(report));
  if (captured.problem !== null) return not(captured.problem);
  const { tree, contents } = await toTree(captured.entries);
  if (tree.diskBytes > session.spec.diskBytes) return not('too_large');
  if (tree.size > session.spec.entriesMax) return not('too_many');
  if (!sessions.commit(session, tree, contents)) return not('store_full');
  const { dropped, droppedCount } = captured;
  return { kept: true, not_kept: null, dropped: [...dropped], dropped_count: droppedCount };
}

/** Why nothing came back of a run. A jail that met its cap took the folder along. */
function withoutTree({ fault, compile, outcome }: RunReport): NonNullable<Kept['not_kept']> {
  if (fault !== null) return 'fault';
  // Of a compilation that failed, the run's outcome is that it did.
  const last = compile?.ok === false ? compile.outcome : outcome;
  return last?.kind === 'memory_limit' ? 'jail_ended' : 'not_started';
}

function sourceOf({ spec }: Session, code: string, { service }: Deps): Given {
  return { path: service.check(spec).sourceFile, content: Buffer.from(code) };
}

interface Placing {
  readonly clock: Deps['clock'];
  /** Where in the request a path is; default: `path`. */
  readonly at?: (path: string) => readonly string[];
}

/** A session's folder with files put into it, nothing of it kept yet. Throws Rejection `invalid`, `too_large`. */
export async function withFiles(
  session: Pick<Session, 'tree' | 'spec'>,
  files: readonly Given[],
  { clock, at = () => ['path'] }: Placing,
): Promise<Grown> {
  const { tree, contents } = await grow(session.tree, files, clock.date().getTime() * 1000).catch(
    (error: unknown) => {
      if (!(error instanceof TreeConflict)) throw error;
      throw invalid([{ path: formatPath(at(error.path)), message: error.message }]);
    },
  );
  const { diskBytes, entriesMax } = session.spec;
  if (tree.diskBytes > diskBytes)
    throw new Rejection('too_large', {
      detail: `the work folder would take ${tree.diskBytes} bytes of ${diskBytes}`,
    });
  if (tree.size > entriesMax)
    throw new Rejection('too_large', {
      detail: `the work folder would have ${tree.size} entries of ${entriesMax}`,
    });
  return { tree, contents };
}

/** Puts a file, its folders with it. Throws `invalid`, `too_large`, `session_store_full`, `session_busy`. */
export async function putFile(
  session: Session,
  given: Given,
  { sessions, clock }: Deps,
): Promise<{ readonly seq: number; readonly file: FileNode }> {
  return await sessions.use(session, async () => {
    const { tree, contents } = await withFiles(session, [given], { clock });
    if (!sessions.commit(session, tree, contents)) throw storeFull();
    const file = fileAt(session, given.path);
    return { file, seq: sessions.note(session, { kind: 'put', path: given.path, file }) };
  });
}

/** Takes a path away, and what lies below it. Throws `no_such_file`, `session_busy`. */
export async function deletePath(
  session: Session,
  path: string,
  { sessions }: Deps,
): Promise<void> {
  await sessions.use(session, async () => {
    const tree = session.tree.without(path);
    if (tree === session.tree) throw noSuchFile();
    if (!sessions.commit(session, tree, NOTHING)) throw storeFull();
    sessions.note(session, { kind: 'delete', path });
  });
}

/** The file at a path; what is no file is refused, and links are not followed. */
export function fileAt({ tree }: Session, path: string): FileNode {
  const node = tree.nodes.get(path);
  if (node === undefined) throw noSuchFile();
  if (node.kind === 'file') return node;
  throw invalid([{ path: 'path', message: `is a ${node.kind}, not a file` }]);
}

function noSuchFile(): Rejection {
  return new Rejection('no_such_file', { detail: 'the work folder has nothing at this path' });
}

/** The folder as a run gets it. */
function entriesOf(
  { store, tree: kept }: Session,
  { tree, contents }: Grown,
): readonly WorkEntry[] {
  return [...tree.nodes].map(([path, node]): WorkEntry => {
    if (node.kind !== 'file') return { path, ...node };
    const { kind, mode, mtimeUs, digest } = node;
    const isNew = kept.nodes.get(path) !== node;
    const content = (isNew ? contents.get(digest) : undefined) ?? store.content(digest);
    return { path, kind, mode, mtimeUs, content };
  });
}
