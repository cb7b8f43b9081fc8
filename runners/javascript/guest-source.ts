/**
 * The text from which the isolates' snapshot is made: Node's own modules as the running binary carries them, and the
 * guest files beside this one. With the same Node on both ways, `console.log` and friends are the same code, not a copy.
 */
import { readFileSync } from 'node:fs';
import { createRequire, builtinModules } from 'node:module';
import { constants } from 'node:os';

/** Node's modules that run in an isolate as they are. */
const NODE_MODULES = [
  'assert',
  'assert/strict',
  'buffer',
  'events',
  'path',
  'path/posix',
  'readline',
  'readline/promises',
  'stream',
  'stream/promises',
  'string_decoder',
  'util',
  'util/types',
] as const;
/** Their own needs: everything below `internal/` of these folders and names. */
const INTERNAL = [
  'internal/assert',
  'internal/buffer',
  'internal/cli_table',
  'internal/console/',
  'internal/constants',
  'internal/errors',
  'internal/events/',
  'internal/fixed_queue',
  'internal/linkedlist',
  'internal/priority_queue',
  'internal/readline/',
  'internal/streams/',
  'internal/util',
  'internal/validators',
] as const;
/** Ours in place of Node's. */
const REPLACED = new Set(['string_decoder']);
const GUEST = [
  'bindings',
  'bytes',
  'timers',
  'process',
  'clone',
  'console',
  'modules',
  'globals',
  'entry',
];
/**
 * What is loaded while a snapshot is made, in tiers: more in the snapshot makes each isolate dearer, less makes a
 * program that needs it pay for the loading. Any tier can run any program.
 */
const TIERS = [
  [],
  ['internal/util/inspect', 'buffer', 'internal/console/global', 'assay/clone'],
  [
    'internal/util/inspect',
    'buffer',
    'internal/console/global',
    'assay/clone',
    'events',
    'stream',
    'util',
    'readline',
  ],
] as const;
export const TIER_COUNT = TIERS.length;

/** Modules of which a program gets a part; the names of the rest answer `unsupported`. */
const PARTIAL = ['fs', 'os', 'perf_hooks', 'timers', 'worker_threads'] as const;

const MODULE_ARGUMENTS = 'exports, require, module, process, internalBinding, primordials, host';

/** Module id → function text. */
export type Sources = Readonly<Record<string, string>>;

/** All that a guest may load. Throws when this Node does not show its modules, or other ones than those known. */
export function readSources(): Sources {
  const natives = nodeSources();
  const wanted = Object.keys(natives).filter((id) => isWanted(id) && !REPLACED.has(id));
  const found: [string, string][] = wanted.map((id) => [id, adapted(id, natives[id] ?? '')]);
  for (const name of GUEST) found.push([`assay/${name}`, guestFile(name)]);
  found.push(['string_decoder', guestFile('string-decoder')]);
  const sources = found.map(([id, text]): [string, string] => [
    id,
    narrow(`(function (${MODULE_ARGUMENTS}) {${compact(text)}\n})`),
  ]);
  const primordials = natives['internal/per_context/primordials'];
  if (primordials === undefined) throw new Error('this Node does not show its primordials');
  const head = 'exports, primordials, privateSymbols, perIsolateSymbols';
  const all: Record<string, string> = Object.fromEntries(sources);
  return {
    ...all,
    [PRIMORDIALS]: `(function (${head}) {${compact(primordials)}\n})`,
  };
}

const PRIMORDIALS = 'primordials';

interface ScriptOptions {
  readonly tier: number;
  readonly ids: readonly string[];
  /** What the engine itself puts on a fresh global object. */
  readonly engineGlobals: readonly string[];
}

/**
 * The script for `Isolate.createSnapshot` of a tier, with the text of these modules in it; the guest asks for the text
 * of others. The script sets `__loaded` to the ids that the tier loads.
 */
export function createGuestScript(
  sources: Sources,
  { tier, ids, engineGlobals }: ScriptOptions,
): string {
  const texts = ids.map((id) => `${JSON.stringify(id)}: ${sources[id] ?? 'null'}`);
  return narrow(
    [
      '(function () {',
      `const facts = ${JSON.stringify({ ...facts(), engineGlobals })};`,
      `const preload = ${JSON.stringify(TIERS[tier] ?? [])};`,
      `const primordialsSource = ${sources[PRIMORDIALS] ?? 'null'};`,
      `const sources = { __proto__: null,\n${texts.join(',\n')} };`,
      compact(guestFile('loader')),
      '})();',
    ].join('\n'),
  );
}

/** V8 keeps a text that was cut out of wider ones at two bytes a character, and each isolate copies it. */
function narrow(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/**
 * Less text, because each isolate copies it: without the lines that are comments, and in ASCII, since one wider
 * character would double the size of all.
 */
function compact(source: string): string {
  return source
    .replace(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*$/gm, '')
    .replace(/^[ \t]*\/\/.*$/gm, '')
    .replace(/\n[ \t]*(?=\n)/g, '')
    .replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isWanted(id: string): boolean {
  if (NODE_MODULES.some((name) => name === id)) return true;
  return INTERNAL.some(
    (name) => id === name || id.startsWith(name.endsWith('/') ? name : `${name}/`),
  );
}

/**
 * Node makes some 250 error classes while it loads; here each is made when it is first looked at. Throws when the text
 * is not the one known, so that another Node is noticed.
 */
function adapted(id: string, source: string): string {
  if (id !== 'internal/errors') return source;
  const make = 'function E(sym, val, def, ...otherClasses) {';
  const table = 'const codes = {};';
  if (!source.includes(make) || !source.includes(table)) throw new Error('internal/errors is new');
  return source
    .replace(
      make,
      `function E(...args) { waiting[args[0]] = args; }\nfunction makeE(sym, val, def, ...otherClasses) {`,
    )
    .replace(
      table,
      `const waiting = { __proto__: null };
const codes = new primordials.Proxy({}, {
  __proto__: null,
  get(target, code) {
    const args = waiting[code];
    if (args !== undefined) {
      waiting[code] = undefined;
      makeE(...args);
    }
    return target[code];
  },
});`,
    );
}

function guestFile(name: string): string {
  return readFileSync(new URL(`guest/${name}.js`, import.meta.url), 'utf8');
}

/** Module id → source, as the binary carries them. Throws when it does not show them. */
function nodeSources(): Readonly<Record<string, string>> {
  // An old door that Node keeps open for tools and does not type (deprecated in documentation only, DEP0111).
  const binding: unknown = Reflect.get(process, 'binding');
  const natives: unknown =
    typeof binding === 'function' ? Reflect.apply(binding, process, ['natives']) : null;
  if (typeof natives !== 'object' || natives === null) {
    throw new Error('this Node does not show its modules');
  }
  const found = Object.entries(natives).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(found);
}

interface Member {
  readonly name: string;
  readonly isFunction: boolean;
}

/** What the guest must know of the Node that it plays. JSON. */
function facts(): Record<string, unknown> {
  const require = createRequire(import.meta.url);
  const membersOf = (id: string): Member[] => {
    const module: unknown = require(id);
    if (typeof module !== 'object' || module === null) return [];
    return Object.entries(Object.getOwnPropertyDescriptors(module)).map(([name, descriptor]) => ({
      name,
      isFunction: typeof descriptor.value === 'function',
    }));
  };
  return {
    version: process.version,
    versions: process.versions,
    arch: process.arch,
    platform: process.platform,
    release: process.release,
    execPath: process.execPath,
    signals: constants.signals,
    builtinModules,
    processMembers: memberNames(process),
    globals: Object.getOwnPropertyNames(globalThis),
    enumerableGlobals: Object.keys(globalThis),
    modules: Object.fromEntries(PARTIAL.map((id) => [id, membersOf(id)])),
  };
}

/** Own names and those of Node's own prototypes, up to the event emitter. */
function memberNames(object: object): string[] {
  return [...Object.getOwnPropertyNames(object), 'constructor'].filter(
    (name) => name !== 'constructor',
  );
}
