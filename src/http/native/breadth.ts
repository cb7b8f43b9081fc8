/**
 * Refuses lists and objects that are longer than any of a submission can be, before the schema looks at them: it would
 * make an error of every item. Pure.
 */
import type { FieldError } from '../../domain/errors.ts';
import { SUBMISSION_BOUNDS } from '../../domain/limits.ts';
import { formatPath, type PathPart } from '../middleware/body/field-path.ts';

/** Twice the longest one that is right, so that the bounds with names of their own are told by name. */
export const ENTRIES_MAX = 2 * SUBMISSION_BOUNDS.files;

interface Place {
  readonly value: object;
  readonly part: PathPart | null;
  readonly up: Place | null;
}

/** Lists with bounds of their own, by the end of their path. */
const BOUNDED_ELSEWHERE = /^problems$|(?:^|\.)tests\.cases$/;
/** Of a case of the kind `function`: the caller's data, at which no schema looks. */
const VALUES: ReadonlySet<PathPart> = new Set(['args', 'kwargs', 'expected']);

/** The first list or object with too many entries, null if there is none. */
export function tooBroad(body: unknown): FieldError | null {
  const open: Place[] = [];
  const visit = (value: unknown, part: PathPart | null, up: Place | null): void => {
    if (typeof value === 'object' && value !== null) open.push({ value, part, up });
  };
  visit(body, null, null);
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value } = place;
    const isList = Array.isArray(value);
    const list: readonly unknown[] = isList ? value : [];
    const count = isList ? list.length : Object.keys(value).length;
    if (count > ENTRIES_MAX) {
      const path = formatPath(pathOf(place));
      const message = `holds ${count} entries; nothing here takes more than ${ENTRIES_MAX}`;
      if (!isList || !BOUNDED_ELSEWHERE.test(path)) return { path, message };
    }
    if (isList) list.forEach((inner, i) => visit(inner, i, place));
    else if (isFunctionCase(place)) {
      for (const [key, inner] of Object.entries(value))
        if (!VALUES.has(key)) visit(inner, key, place);
    } else for (const [key, inner] of Object.entries(value)) visit(inner, key, place);
  }
  return null;
}

function isFunctionCase({ up: cases }: Place): boolean {
  const tests = cases?.up?.value;
  return (
    cases?.part === 'cases' && tests !== undefined && 'kind' in tests && tests.kind === 'function'
  );
}

function pathOf(place: Place): PathPart[] {
  const parts: PathPart[] = [];
  for (let at: Place | null = place; at?.part !== null && at !== null; at = at.up)
    parts.push(at.part);
  return parts.toReversed();
}
