/**
 * From a program's text to what an isolate runs, or the reason why a Node process must: types are stripped as Node
 * strips them, and what is known beforehand to need more than the shims is found by looking at the text. Pure.
 */
import { stripTypeScriptTypes } from 'node:module';
import { compileFunction } from 'node:vm';

import { IMPORT_PARAMETER, moduleBody } from './module-text.ts';
import type { Prepared } from './task.ts';

/** Longer programs are generated ones. */
const SOURCE_BYTES_MAX = 512 * 1024;
/** The parameters of a CommonJS module, as Node passes them. */
const PARAMETERS: readonly string[] = ['exports', 'require', 'module', '__filename', '__dirname'];

/**
 * Words that a program in need of a whole Node has. A word in a comment or a string counts as well: that costs time,
 * never truth.
 */
const NEEDS_NODE = [
  /\bimport\s*\(/,
  /\bprepareStackTrace\b/,
  /\bgetCallSites\b/,
  /\bAtomics\b/,
  /\bSharedArrayBuffer\b/,
  /\bWebAssembly\b/,
  /\bFinalizationRegistry\b/,
  /\bWeakRef\b/,
  /\bchild_process\b/,
  /\bworker_threads\b/,
  /\bsourceMappingURL\b/,
] as const;
/** Marks of a program whose output or input goes through Node's streams. */
const USES_STREAMS = /\breadline\b|\bstdin\b(?!['"`])|\bstdout\b|\bstreams?\b|\bevents\b/;
/** Marks of one that shows objects, or reads bytes. */
const USES_INSPECT =
  /readFileSync\(\s*(?:0|['"`]\/dev\/stdin['"`])\s*\)|\bBuffer\b|\butil\b|console\.(?:table|dir)/;

/** Ways to a promise, spelled or made from text. */
const ASYNCHRONOUS =
  /Promise|async|await|Microtask|\bthen\b|\beval\b|Function|constructor|global|\bthis\b|import|Async|Reflect|\\u/;

/** Prepares one program. Never throws. */
export function prepare(entry: string, source: Uint8Array): Prepared {
  if (source.length > SOURCE_BYTES_MAX) return unsupported('a long program');
  const isTyped = entry.endsWith('.ts') || entry.endsWith('.cts');
  if (!isTyped && !entry.endsWith('.js') && !entry.endsWith('.cjs'))
    return unsupported('this kind of file');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(source);
  } catch {
    return unsupported('text that is not UTF-8');
  }
  if (text.startsWith('#!')) text = `//${text}`;
  const reason = NEEDS_NODE.find((pattern) => pattern.test(text));
  if (reason !== undefined) return unsupported(reason.source);
  if (isTyped) {
    const stripped = strip(text);
    if (stripped === null) return unsupported('types that cannot be stripped');
    text = stripped;
  }
  const message = compileError(text, PARAMETERS);
  if (message === null) return script(entry, { body: text, parameters: PARAMETERS });
  // These may make it a module; Node finds out by compiling it once more.
  if (!/\b(?:import|export|await)\b/.test(text)) return { kind: 'broken', entry, message };
  const body = moduleBody(text);
  // The way by which the full path starts TypeScript gives modules a `require`.
  const parameters = isTyped ? [IMPORT_PARAMETER, 'require'] : [IMPORT_PARAMETER];
  if (body === null || compileError(body, parameters) !== null) return unsupported('a module');
  return script(entry, { body, parameters });
}

function script(
  entry: string,
  { body, parameters }: { readonly body: string; readonly parameters: readonly string[] },
): Prepared {
  const head = `(function (${parameters.join(', ')}) {`;
  return {
    kind: 'script',
    entry,
    code: `${head}${body}\n})`,
    offset: head.length,
    isModule: parameters !== PARAMETERS,
    tier: tierOf(body),
    isSynchronous: parameters === PARAMETERS && !ASYNCHRONOUS.test(body),
  };
}

function strip(text: string): string | null {
  try {
    return stripTypeScriptTypes(text, { mode: 'transform' });
  } catch {
    return null;
  }
}

/** What the engine says of a text that is no body of such a function, or null. Compiles only; nothing runs. */
function compileError(text: string, parameters: readonly string[]): string | null {
  try {
    compileFunction(text, [...parameters]);
    return null;
  } catch (error) {
    return String(error);
  }
}

function tierOf(text: string): number {
  if (USES_STREAMS.test(text)) return 2;
  return USES_INSPECT.test(text) ? 1 : 0;
}

function unsupported(reason: string): Prepared {
  return { kind: 'unsupported', reason };
}
