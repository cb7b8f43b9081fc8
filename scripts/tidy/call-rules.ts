/**
 * Calls that are banned because they break a promise: code made from text, commands made from text, and time,
 * chance, the environment and the console outside the few files that own them.
 */
import { PROCESS_USERS } from './import-table.ts';
import {
  asNode,
  identifierName,
  isProduct,
  literalText,
  type Source,
  type SyntaxNode,
} from './source.ts';

interface BannedCall {
  /** What a reader sees in the finding. */
  readonly name: string;
  /** Path prefixes of the files that own it; every file when empty means nobody may. */
  readonly owners: readonly string[];
  /** Whether it is banned in tests, scripts and benches as well. */
  readonly everywhere: boolean;
  readonly matches: (node: SyntaxNode) => boolean;
}

const CLOCK = ['src/lib/clock.ts'];

const BANNED: readonly BannedCall[] = [
  { name: 'eval', owners: [], everywhere: true, matches: (node) => callee(node) === 'eval' },
  {
    name: 'new Function',
    owners: [],
    everywhere: true,
    matches: (node) => callee(node) === 'Function',
  },
  { name: 'a shell', owners: [], everywhere: true, matches: startsShell },
  { name: 'Date.now', owners: CLOCK, everywhere: false, matches: member('Date', 'now') },
  { name: 'new Date()', owners: CLOCK, everywhere: false, matches: isCurrentDate },
  {
    name: 'performance.now',
    owners: CLOCK,
    everywhere: false,
    matches: member('performance', 'now'),
  },
  { name: 'setTimeout', owners: CLOCK, everywhere: false, matches: called('setTimeout') },
  { name: 'setInterval', owners: CLOCK, everywhere: false, matches: called('setInterval') },
  {
    name: 'AbortSignal.timeout',
    owners: CLOCK,
    everywhere: false,
    matches: member('AbortSignal', 'timeout'),
  },
  {
    name: 'Math.random',
    owners: ['src/lib/random.ts'],
    everywhere: false,
    matches: member('Math', 'random'),
  },
  {
    name: 'process.env',
    owners: ['src/config/'],
    everywhere: false,
    matches: member('process', 'env'),
  },
  {
    name: 'process',
    owners: Object.keys(PROCESS_USERS),
    everywhere: false,
    matches: (node) =>
      node.type === 'MemberExpression' && identifierName(node['object']) === 'process',
  },
  {
    name: 'console',
    owners: ['src/cli/', 'src/main.ts'],
    everywhere: false,
    matches: (node) =>
      node.type === 'MemberExpression' && identifierName(node['object']) === 'console',
  },
];

/** What the file calls and may not, one line each. */
export function checkCalls(source: Source): string[] {
  const product = isProduct(source.path);
  const rules = BANNED.filter(
    (rule) =>
      (product || rule.everywhere) && !rule.owners.some((owner) => source.path.startsWith(owner)),
  );
  return rules.flatMap((rule) =>
    source.nodes
      .filter((node) => rule.matches(node))
      .map((node) => `${source.path}:${source.lineAt(node.start)} uses ${rule.name}`),
  );
}

function callee(node: SyntaxNode): string | null {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return null;
  return identifierName(node['callee']);
}

function called(name: string): (node: SyntaxNode) => boolean {
  return (node) => callee(node) === name;
}

function member(object: string, property: string): (node: SyntaxNode) => boolean {
  return (node) =>
    node.type === 'MemberExpression' &&
    identifierName(node['object']) === object &&
    (identifierName(node['property']) ?? literalText(node['property'])) === property;
}

function isCurrentDate(node: SyntaxNode): boolean {
  return callee(node) === 'Date' && argumentsOf(node).length === 0;
}

/** `shell: …` other than false in an options object, or a shell as the program that is started. */
function startsShell(node: SyntaxNode): boolean {
  if (node.type === 'Property' && identifierName(node['key']) === 'shell') {
    return asNode(node['value'])?.['value'] !== false;
  }
  const name = callee(node) ?? identifierName(asNode(node['callee'])?.['property']);
  if (name === null || !/^(?:spawn|execFile)(?:Sync)?$/.test(name)) return false;
  const [program, args] = argumentsOf(node);
  const list = asNode(args)?.['elements'];
  return (
    /(?:^|\/)(?:ba|da|z|k)?sh$/.test(literalText(program) ?? '') &&
    Array.isArray(list) &&
    list.some((item) => literalText(item) === '-c')
  );
}

function argumentsOf(node: SyntaxNode): readonly unknown[] {
  return Array.isArray(node['arguments']) ? node['arguments'] : [];
}
