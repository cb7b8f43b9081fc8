/**
 * A TypeScript file as the tidy rules see it: path, text, comments, imports and syntax tree. It reads and parses;
 * it judges nothing. The parser is the one inside Vite, because TypeScript 7 offers none to programs.
 */
import { parseSync } from 'vite';

/** A node of the syntax tree (ESTree with TypeScript's additions). */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** One import, re-export or `import()` with a literal specifier. */
interface ImportOf {
  readonly specifier: string;
  readonly line: number;
  /** Imported names as the other module calls them; `*` for a namespace, `default` for a default import. */
  readonly names: readonly string[];
}

export interface Source {
  /** Path from the repository's root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly comments: readonly { readonly text: string; readonly line: number }[];
  readonly imports: readonly ImportOf[];
  /** All nodes of the syntax tree, parents before children. */
  readonly nodes: readonly SyntaxNode[];
  /** Line, from 1, of an offset in `text`. */
  lineAt(offset: number): number;
}

/** Parses one file; throws with its path when it is not TypeScript. */
export function parseSource(path: string, text: string): Source {
  const result = parseSync(path, text);
  const [error] = result.errors;
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`);
  const nodes: SyntaxNode[] = [];
  collectNodes(result.program, nodes);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  return {
    path,
    text,
    comments: result.comments.map((comment) => ({
      text: comment.value,
      line: lineAt(comment.start),
    })),
    imports: nodes.flatMap((node) => toImport(node, lineAt(node.start))),
    nodes,
    lineAt,
  };
}

/** Whether a file of src/ is part of the product, not a test or what only tests use. */
export function isProduct(path: string): boolean {
  return path.startsWith('src/') && !path.endsWith('.test.ts') && !path.includes('/test-support/');
}

/** The value as a node, or null when it is none. */
export function asNode(value: unknown): SyntaxNode | null {
  return isNode(value) ? value : null;
}

/** The text of a string literal, or null for any other node. */
export function literalText(value: unknown): string | null {
  const node = asNode(value);
  return node?.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : null;
}

/** The name of an identifier, or null for any other node. */
export function identifierName(value: unknown): string | null {
  const node = asNode(value);
  return node?.type === 'Identifier' && typeof node['name'] === 'string' ? node['name'] : null;
}

function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'start' in value &&
    typeof value.start === 'number'
  );
}

function collectNodes(value: unknown, into: SyntaxNode[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collectNodes(item, into);
  } else if (isNode(value)) {
    into.push(value);
    for (const field of Object.values(value)) collectNodes(field, into);
  }
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
]);

function toImport(node: SyntaxNode, line: number): ImportOf[] {
  if (!IMPORTING.has(node.type)) return [];
  const specifier = literalText(node['source']);
  if (specifier === null) return [];
  const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'] : null;
  const names = specifiers?.map((each) => nameOf(asNode(each))) ?? ['*'];
  return [{ specifier, line, names }];
}

function nameOf(specifier: SyntaxNode | null): string {
  if (specifier?.type === 'ImportNamespaceSpecifier') return '*';
  if (specifier?.type === 'ImportDefaultSpecifier') return 'default';
  return identifierName(specifier?.['imported']) ?? identifierName(specifier?.['local']) ?? '*';
}
