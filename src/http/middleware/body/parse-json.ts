/**
 * From bytes to a JSON value that is safe to validate: strict UTF-8, errors with a position and without an echo,
 * no lone surrogates, no key `__proto__`.
 */
import { isUtf8 } from 'node:buffer';

import type { FieldError } from '../../../domain/errors.ts';
import { Rejection } from '../../../domain/errors.ts';
import { keepExactNumbers } from '../../../lib/exact-numbers.ts';
import { findJSONError } from './json-error.ts';
import { formatPath, type PathPart } from './field-path.ts';
import { placesAt, type Places } from './places.ts';
import { DEPTH_MAX, structureProblem, VALUES_MAX } from './structure.ts';

/** A lone surrogate can only come from an escape, the key from its letters or an escaped underscore. */
const SUSPICIOUS = /\\u[dD][89a-fA-F]|__proto__|\\u005[fF]/;
const ERRORS_MAX = 20;

/** Throws 415 unless the media type is `application/json` or ends in `+json`, in UTF-8. */
export function checkJSONMediaType(
  contentType: string | undefined,
  expected = JSON_MEDIA_TYPE,
): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';');
  const charset = parameters
    .map((each) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(each)?.[1])
    .find(Boolean);
  const isUTF8 = charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
  if (expected.pattern.test(type.trim()) && isUTF8) return;
  throw new Rejection('wrong_media_type', {
    detail: `send Content-Type: ${expected.name} in UTF-8`,
  });
}

const JSON_MEDIA_TYPE = {
  name: 'application/json',
  pattern: /^application\/(?:[\w.-]+\+)?json$/i,
};
export const NDJSON_MEDIA_TYPE = {
  name: 'application/x-ndjson',
  pattern: /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)$/i,
};

const NOWHERE = placesAt();

/**
 * Throws Rejection `malformed_json` (400) with the position, `too_large` (413) for more values than a body may hold, or
 * `invalid` (422) with the paths of bad strings. At the places `spared` a string may hold lone surrogates: what a model
 * wrote is judged as what it is, and a row is refused by whoever reads rows, alone.
 */
export function parseJSON(bytes: Uint8Array, spared: Places = NOWHERE): unknown {
  if (!isUtf8(bytes))
    throw new Rejection('malformed_json', { detail: 'the body is not valid UTF-8' });
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkStructure(buffer);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = buffer.toString('utf8', hasMark ? 3 : 0);
  const value = keepExactNumbers(parseText(text), text);
  if (SUSPICIOUS.test(text)) {
    const errors = findBadStrings(value, spared);
    if (errors.length > 0) {
      throw new Rejection('invalid', {
        detail: 'the body holds text that cannot be taken as it is',
        errors,
      });
    }
  }
  return value;
}

function checkStructure(buffer: Buffer): void {
  const problem = structureProblem(buffer);
  if (problem === 'values') {
    const detail = `the body holds more than ${VALUES_MAX} values (list items and fields)`;
    throw new Rejection('too_large', { detail });
  }
  if (problem === 'depth') {
    const detail = `lists and objects lie more than ${DEPTH_MAX} deep in each other`;
    throw new Rejection('too_large', { detail });
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    // The engine's message quotes the input, so it is not passed on.
    const { position, line, column, reason } = findJSONError(text);
    const detail = `${reason} at position ${position} (line ${line}, column ${column})`;
    throw new Rejection('malformed_json', { detail }, { cause });
  }
}

/** Walks without recursion: a body may nest as deep as it is long. */
function findBadStrings(root: unknown, spared: Places): FieldError[] {
  const errors: FieldError[] = [];
  const stack: { readonly value: unknown; readonly path: Link | null }[] = [
    { value: root, path: null },
  ];
  for (
    let item = stack.pop();
    item !== undefined && errors.length < ERRORS_MAX;
    item = stack.pop()
  ) {
    const { value, path } = item;
    if (typeof value === 'string' && !value.isWellFormed()) {
      const parts = partsOf(path);
      if (spared(parts)) continue;
      errors.push({
        path: formatPath(parts),
        message: 'holds a lone surrogate, which is not Unicode text',
      });
    } else if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--)
        stack.push({ value: value[i], path: { part: i, up: path } });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value).toReversed()) {
        const link = { part: key, up: path };
        const message = badKey(key);
        if (message === null) stack.push({ value: inner, path: link });
        else errors.push({ path: formatPath(partsOf(link)), message });
      }
    }
  }
  return errors;
}

interface Link {
  readonly part: PathPart;
  readonly up: Link | null;
}

function partsOf(link: Link | null): PathPart[] {
  const parts: PathPart[] = [];
  for (let each = link; each !== null; each = each.up) parts.push(each.part);
  return parts.toReversed();
}

function badKey(key: string): string | null {
  if (key === '__proto__') return 'the name __proto__ is not accepted';
  return key.isWellFormed() ? null : 'the name holds a lone surrogate, which is not Unicode text';
}
