/** A work folder as a whole, before and after a run: what lies in it, in what order never mattering. */

/** Permission bits, 0 … 0o777. */
type Mode = number;

interface EntryBase {
  /** Relative to the work folder, by the rules of runners/protocol.md. */
  readonly path: string;
  /** Time of the last change, µs since 1970. */
  readonly mtimeUs: number;
}

export interface WorkFile extends EntryBase {
  readonly kind: 'file';
  readonly mode: Mode;
  readonly content: Uint8Array;
}

interface WorkFolder extends EntryBase {
  readonly kind: 'folder';
  readonly mode: Mode;
}

/** A symbolic link. Nothing outside a jail ever follows it. */
interface WorkLink extends EntryBase {
  readonly kind: 'link';
  /** 1 … 4095 bytes, whatever it names. */
  readonly target: string;
}

export type WorkEntry = WorkFile | WorkFolder | WorkLink;

/** Why a work folder is not kept as a whole. */
export const TREE_PROBLEMS = ['too_many', 'too_large', 'too_deep', 'bad_name'] as const;
export type TreeProblem = (typeof TREE_PROBLEMS)[number];

/** What a run has left in its work folder. */
export interface CapturedTree {
  /** Null where it is whole; else the entries are not all. */
  readonly problem: TreeProblem | null;
  /** A file with several names is several files. */
  readonly entries: readonly WorkEntry[];
  /** Paths of what is neither file, folder nor link, at most `DROPPED_MAX`; and how many there were. */
  readonly dropped: readonly string[];
  readonly droppedCount: number;
}

/** Paths that are named of what is not kept. */
export const DROPPED_MAX = 16;

/** A run on a work folder that others have left. */
export interface Workspace {
  readonly entries: readonly WorkEntry[];
  /** Files, folders and links at most. */
  readonly entriesMax: number;
  /** What is run: a command, or the language's own for its source file, which is among the entries. */
  readonly what:
    | { readonly kind: 'argv'; readonly argv: readonly string[] }
    | { readonly kind: 'code' };
}

/** Bounds of a work folder that outlives a run; a jail stages 128 MiB and 16,384 inodes for one. */
export const WORKSPACE_BOUNDS = {
  diskBytes: 96 * 1024 * 1024,
  entries: 4096,
  targetBytes: 4095,
} as const;
