/** What the host's two sides say to each other: the dialogue on the main thread, and the isolates on theirs. */
import type { Sources } from './guest-source.ts';

/** What isolates are made from; made once, by the main thread. */
export interface Guest {
  readonly sources: Sources;
  /** One per tier. */
  readonly snapshots: readonly ArrayBuffer[];
}

/** A program as it can be run in an isolate, or why it cannot. Made once, for all its runs. */
export type Prepared =
  /** `code` is the text of a function with the parameters of a CommonJS module, or with those of module-text.ts. */
  | {
      readonly kind: 'script';
      readonly entry: string;
      readonly code: string;
      /** Characters before the program's own first one. */
      readonly offset: number;
      readonly tier: number;
      readonly isModule: boolean;
      /** Nothing in it can make a microtask, so that the end of its code ends a turn. */
      readonly isSynchronous: boolean;
    }
  /** It does not compile; `message` is what Node says. */
  | { readonly kind: 'broken'; readonly entry: string; readonly message: string }
  | { readonly kind: 'unsupported'; readonly reason: string };

interface PrepareTask {
  readonly kind: 'prepare';
  readonly entry: string;
  readonly source: Uint8Array;
}

export interface RunTask {
  readonly kind: 'run';
  readonly program: Prepared;
  /** As `process.argv` has it. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly memoryBytes: number;
  readonly outputBytes: number;
  /** One number in shared memory; the run ends once it is not 0. */
  readonly cancel: Int32Array;
}

export type Task = PrepareTask | RunTask;

/** How a run in an isolate ended. */
export type RunAnswer =
  | {
      readonly kind: 'ended';
      readonly cause: 'exited' | 'cpu' | 'wall' | 'output' | 'cancelled';
      /** Null unless the program exited by itself. */
      readonly exitCode: number | null;
      readonly cpuUs: number;
      readonly wallUs: number;
      /** The isolate's heap and buffers at the end, bytes; 0 where it could not be asked. */
      readonly memoryBytes: number;
      readonly stdout: Uint8Array;
      readonly stderr: Uint8Array;
      /** The least tier with all modules that this program loaded. */
      readonly tier: number;
    }
  /** Nothing is known of the program; a Node process is to judge it. `isTainted`: do not use this host again. */
  | { readonly kind: 'unsupported'; readonly reason: string; readonly isTainted: boolean };
