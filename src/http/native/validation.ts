/**
 * The rules that all native schemas share: unknown names are refused with the nearest known one, names that are
 * promised for later are refused as such, and zod's issues become errors with a path and without an echo.
 */
import { z } from '@hono/zod-openapi';

import { Rejection, type FieldError } from '../../domain/errors.ts';
import { formatPath } from '../middleware/body/field-path.ts';
import { tooBroad } from './breadth.ts';
import { nearestName } from './nearest-name.ts';

/** Errors told at once; the rest are counted. */
const ERRORS_MAX = 20;
const SEPARATOR = '\n';

interface RecordOptions {
  /** Names of the contract that this version cannot serve yet → what to say about them. */
  readonly later?: Readonly<Record<string, string>>;
}

/** Of an object that is wanted in the place of something else, its fields are named if they are no more. */
const NAMES_MAX = 8;

/** `z.strictObject` whose refusal of an unknown name says which known name is nearest. */
export function strictRecord<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  { later = {} }: RecordOptions = {},
) {
  const known = [...Object.keys(shape), ...Object.keys(later)];
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') {
        return shownKeys(issue.keys)
          .map((key) => unknownName(key, known, later))
          .join(SEPARATOR);
      }
      const isOther = issue.code === 'invalid_type' && issue.input !== undefined;
      return isOther && known.length <= NAMES_MAX
        ? `expected object (${known.join(', ')})`
        : undefined;
    },
  });
}

/** Names that other services use → ours, by the first one (or the part before its dot) that is known at the place. */
const USUAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  source: ['code'],
  source_code: ['code'],
  program: ['code'],
  solution: ['code'],
  response: ['completion'],
  input: ['stdin'],
  output: ['expected_stdout'],
  expected: ['expected_stdout'],
  expected_output: ['expected_stdout'],
  answer: ['expected_stdout'],
  test_cases: ['tests', 'cases'],
  timeout: ['wall_ms', 'limits.wall_ms'],
  timeout_ms: ['wall_ms', 'limits.wall_ms'],
  time_limit: ['cpu_ms', 'limits.cpu_ms'],
  time_limit_ms: ['cpu_ms', 'limits.cpu_ms'],
  memory_limit: ['memory_mb', 'limits.memory_mb'],
  memory_limit_mb: ['memory_mb', 'limits.memory_mb'],
  cpu_ms: ['limits.cpu_ms'],
  wall_ms: ['limits.wall_ms'],
  memory_mb: ['limits.memory_mb'],
  output_kb: ['limits.output_kb'],
  processes: ['limits.processes'],
  disk_mb: ['limits.disk_mb'],
  compile_cpu_ms: ['limits.compile_cpu_ms'],
};

/** To find the nearest name takes time, so it is done for the names that are told. */
function shownKeys(keys: readonly string[]): readonly string[] {
  return keys.slice(0, ERRORS_MAX);
}

function unknownName(
  key: string,
  known: readonly string[],
  later: Readonly<Record<string, string>>,
): string {
  const promised = Object.hasOwn(later, key) ? later[key] : undefined;
  if (promised !== undefined) return promised;
  const usual = Object.hasOwn(USUAL_NAMES, key) ? USUAL_NAMES[key] : undefined;
  const meant = usual?.find((name) => known.includes(name.split('.', 1)[0] ?? name));
  if (meant !== undefined) return `unknown field; did you mean "${meant}"?`;
  const nearest = nearestName(key, known);
  return nearest === null
    ? `unknown field; known here: ${known.join(', ')}`
    : `unknown field; did you mean "${nearest}"?`;
}

/** Where a part of a list lies in what the caller sent. */
interface PartOfList {
  readonly path: readonly PropertyKey[];
  /** Index of the part's first item in the whole list. */
  readonly from: number;
}

/** Validates; throws Rejection `invalid` with every error's path (at most 20), which `part` completes. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  part: PartOfList | null = null,
): z.output<Schema> {
  const broad = part === null ? tooBroad(body) : null;
  if (broad !== null) throw invalid([broad]);
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const { issues } = result.error;
  throw invalid(toFieldErrors(part === null ? issues : issues.map((each) => inList(each, part))));
}

function inList(issue: Issue, { path, from }: PartOfList): Issue {
  const [index, ...rest] = issue.path;
  return { ...issue, path: [...path, from + Number(index), ...rest] };
}

/** The rejection for a list of errors, in the order found. Preconditions: at least one. */
export function invalid(errors: readonly FieldError[]): Rejection {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const place = first === undefined || first.path === '' ? 'the body' : first.path;
  return new Rejection('invalid', {
    detail: `${place}: ${first?.message ?? 'is not valid'}${more}`,
    errors: errors.slice(0, ERRORS_MAX),
  });
}

type Issue = z.core.$ZodIssue;

/** Pure: zod's issues as field errors. */
function toFieldErrors(issues: readonly Issue[], above: readonly PropertyKey[] = []): FieldError[] {
  const errors = issues.flatMap((issue) => ofIssue(issue, [...above, ...issue.path]));
  // A kind of tests that is not served has fields of its own: what is wrong is the kind.
  const kind = errors.find((error) => error.path === 'tests.kind');
  return kind === undefined
    ? errors
    : errors.filter((error) => error === kind || !error.path.startsWith('tests.'));
}

function ofIssue(issue: Issue, path: readonly PropertyKey[]): FieldError[] {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const messages = issue.message.split(SEPARATOR);
      return shownKeys(issue.keys).map((key, i) => ({
        path: formatPath([...path, key]),
        message: messages[i] ?? 'unknown field',
      }));
    }
    case 'invalid_union':
      return ofUnion(issue, path);
    case 'invalid_type':
      return [{ path: formatPath(path), message: typeMessage(issue.message) }];
    default:
      return [{ path: formatPath(path), message: plain(issue.message) }];
  }
}

/** The branch whose outer type fits tells best what is wrong; if none fits, all types are named. */
function ofUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: readonly PropertyKey[],
): FieldError[] {
  // No branch was tried: what the schema says of its discriminator stands on its own.
  if (issue.errors.length === 0)
    return [{ path: formatPath(path), message: typeMessage(issue.message) }];
  const fitting = issue.errors.find((branch) => !branch.some((each) => isRootType(each)));
  if (fitting !== undefined) return toFieldErrors(fitting, path);
  const messages = issue.errors.flatMap((branch) =>
    branch.filter(isRootType).map((each) => plain(each.message)),
  );
  return [
    { path: formatPath(path), message: [...new Set(messages.map(typeMessage))].join('; or ') },
  ];
}

function isRootType(issue: Issue): boolean {
  return (
    issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
  );
}

function typeMessage(message: string): string {
  return message.endsWith('received undefined') ? 'is required' : plain(message);
}

function plain(message: string): string {
  return message.replace(/^Invalid (?:input|option): /, '');
}
