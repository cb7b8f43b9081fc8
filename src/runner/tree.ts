/**
 * Work folders as a whole on the wire (runners/protocol.md, "Work folders"): ENTRY to the supervisor, TREE from it. What
 * comes back is a program's: names, sizes and targets are checked, and nothing here opens a path.
 */
import { Buffer, isUtf8 } from 'node:buffer';

import {
  DROPPED_MAX,
  WORKSPACE_BOUNDS,
  type CapturedTree,
  type TreeProblem,
  type WorkEntry,
  type WorkFile,
} from '../domain/workspace.ts';
import { BinaryError, ByteWriter, type ByteReader } from '../lib/binary.ts';
import { ByteList } from '../lib/byte-list.ts';
import { TREE_CONTINUED, TREE_MORE, protocolFault, type Frame } from './frame.ts';
import { parsePayload, pick } from './payload.ts';
import { toWorkPath } from './work-path.ts';

const KINDS = ['end', 'file', 'folder', 'link', 'special'] as const;
/** What an end says, by its number. */
const ENDS: readonly (TreeProblem | null)[] = [null, 'too_many', 'too_large', 'too_deep'];
const MODE_MAX = 0o777;

/** Payload of ENTRY; of a file the content goes before it, in FILE frames. Throws RangeError beyond the bounds. */
export function encodeEntry(entry: WorkEntry): Buffer {
  const path = Buffer.from(toWorkPath(entry.path), 'utf8');
  const target = Buffer.from(entry.kind === 'link' ? entry.target : '', 'utf8');
  const mode = entry.kind === 'link' ? MODE_MAX : entry.mode;
  if (mode < 0 || mode > MODE_MAX) throw new RangeError('a mode is 0 … 0o777');
  if (target.length > WORKSPACE_BOUNDS.targetBytes || target.includes(0))
    throw new RangeError('the target of a link is not allowed');
  return new ByteWriter(16 + path.length + target.length)
    .u8(KINDS.indexOf(entry.kind))
    .u16(mode)
    .u64(entry.mtimeUs)
    .u16(path.length)
    .bytes(path)
    .bytes(target)
    .finish();
}

interface Part {
  readonly kind: (typeof KINDS)[number];
  readonly mode: number;
  readonly mtimeUs: number;
  readonly path: Uint8Array;
  readonly rest: Uint8Array;
}

function parsePart(payload: Uint8Array): Part {
  return parsePayload('TREE', payload, (reader: ByteReader) => ({
    kind: pick(KINDS, reader.u8()),
    mode: reader.u16(),
    mtimeUs: reader.u64(),
    path: reader.bytes(reader.u16()),
    rest: reader.rest(),
  }));
}

interface Bounds {
  readonly bytesMax: number;
  readonly entriesMax: number;
}

/** Takes the TREE frames of one run. Throws `Fault('protocol_error')` on what a supervisor would not send. */
export class TreeCapture {
  readonly #bounds: Bounds;
  readonly #entries: WorkEntry[] = [];
  readonly #dropped: string[] = [];
  #droppedCount = 0;
  #entryCount = 0;
  #bytes = 0;
  #open: { readonly file: Omit<WorkFile, 'content'> | null; readonly content: ByteList } | null =
    null;
  #problem: TreeProblem | null = null;
  #isWhole = false;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  take({ payload, flags }: Frame): void {
    if (this.#isWhole) throw protocolFault('TREE after its end');
    const isContinued = (flags & TREE_CONTINUED) !== 0;
    if (isContinued !== (this.#open !== null)) throw protocolFault('TREE: pieces are mixed');
    if (isContinued) this.#content(payload, flags);
    else this.#part(parsePart(payload), flags);
  }

  /** Null where the run was answered without one. */
  finish(): CapturedTree | null {
    if (!this.#isWhole) {
      if (this.#entryCount > 0) throw protocolFault('TREE without its end');
      return null;
    }
    return {
      problem: this.#problem,
      entries: this.#entries,
      dropped: this.#dropped,
      droppedCount: this.#droppedCount,
    };
  }

  #part({ kind, mode, mtimeUs, path: name, rest }: Part, flags: number): void {
    if (kind === 'end') {
      if (name.length + rest.length > 0) throw protocolFault('TREE: an end with a name');
      this.#problem ??= toEnd(mode);
      this.#isWhole = true;
      return;
    }
    if (mode > MODE_MAX) throw protocolFault('TREE: mode out of range');
    if (kind !== 'file' && flags !== 0) throw protocolFault('TREE: more of nothing');
    this.#entryCount += 1;
    if (this.#entryCount > this.#bounds.entriesMax) throw protocolFault('TREE: too many entries');
    const path = toPath(name);
    if (path === null) this.#problem ??= 'bad_name';
    if (kind === 'file') {
      const file = path === null ? null : { kind, path, mode, mtimeUs };
      this.#open = { file, content: new ByteList() };
      return this.#content(rest, flags);
    }
    if (path === null) return;
    if (kind === 'special') return this.#drop(path);
    if (kind === 'folder') return void this.#entries.push({ kind, path, mode, mtimeUs });
    if (rest.length === 0 || rest.includes(0)) throw protocolFault('TREE: a link to nothing');
    if (isUtf8(rest))
      this.#entries.push({ kind, path, mtimeUs, target: Buffer.from(rest).toString('utf8') });
    else this.#problem ??= 'bad_name';
  }

  #content(piece: Uint8Array, flags: number): void {
    const open = this.#open;
    if (open === null) throw protocolFault('TREE: no file is open');
    this.#bytes += piece.length;
    if (this.#bytes > this.#bounds.bytesMax) throw protocolFault('TREE: more than the cap');
    open.content.append(piece);
    if ((flags & TREE_MORE) !== 0) return;
    this.#open = null;
    if (open.file !== null) this.#entries.push({ ...open.file, content: open.content.join() });
  }

  #drop(path: string): void {
    this.#droppedCount += 1;
    if (this.#dropped.length < DROPPED_MAX) this.#dropped.push(path);
  }
}

function toEnd(status: number): TreeProblem | null {
  const end = ENDS[status];
  if (end === undefined) throw protocolFault(`TREE: an end of kind ${status}`);
  return end;
}

/** A name that is not UTF-8 is the program's doing, null; any other that is not allowed is not. */
function toPath(name: Uint8Array): string | null {
  if (!isUtf8(name)) return null;
  try {
    return toWorkPath(Buffer.from(name).toString('utf8'));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw protocolFault('TREE: path is not allowed', new BinaryError(error.message));
  }
}
