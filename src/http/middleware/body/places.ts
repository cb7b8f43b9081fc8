/** Sets of places in a request, written as a dotted path each. Pure. */
import type { PathPart } from './field-path.ts';

export type Places = (path: readonly PathPart[]) => boolean;

/** `items.*.completion`: `*` stands for any one part, `**` at the end for whatever lies beneath. */
export function placesAt(...patterns: readonly string[]): Places {
  const split = patterns.map((pattern) => pattern.split('.'));
  return (path) => split.some((pattern) => fits(pattern, path));
}

function fits(pattern: readonly string[], path: readonly PathPart[]): boolean {
  const isOpen = pattern.at(-1) === '**';
  const named = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? path.length <= named.length : path.length !== named.length) return false;
  return named.every((part, at) => part === '*' || part === String(path[at]));
}
