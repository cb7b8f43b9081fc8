/** From the wire of sessions to the domain: what a session is, and a run in it. Throws Rejection. */
import { type Limits, resolveLimits, SUBMISSION_BOUNDS } from '../../../domain/limits.ts';
import type { RunSubmission } from '../../../domain/submission.ts';
import { WORKSPACE_BOUNDS, type Workspace } from '../../../domain/workspace.ts';
import type { Service } from '../../../judge/door.ts';
import type { Session, SessionBounds, SessionSpec, Snapshot } from '../../../sessions/session.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import {
  checkArgs,
  checkEnv,
  checkLabels,
  COMMAND_RESERVE_BYTES,
  createErrors,
  stringBytes,
  toBytes,
  type Errors,
} from '../checks.ts';
import { type ExecRequest, SESSION_DEFAULTS, type SessionRequest } from '../schema/session.ts';
import { checkCommand, toLimitsRequest } from '../to-submission.ts';
import { invalid } from '../validation.ts';

const S = 1000;
const SHELL = '/bin/sh';

interface SpecParts {
  readonly service: Service;
  readonly bounds: SessionBounds;
  /** Where the request has none. */
  readonly base: Snapshot | null;
}

/** Throws Rejection `invalid`, and what `Service.check` throws: what an exec would be refused for, there is no session for. */
export function toSessionSpec(wire: SessionRequest, parts: SpecParts): SessionSpec {
  const { service, bounds, base } = parts;
  const errors = createErrors();
  const env = { ...base?.spec.env, ...wire.env };
  checkEnv(env, errors);
  checkCommand(stringBytes(pairsOf(env)), ['env'], errors);
  checkLabels(wire.labels, errors);
  const language = wire.language ?? base?.spec.language;
  if (language === undefined)
    errors.add(['language'], 'is required where there is no `snapshot_id`');
  const idleMs = within(wire.idle_timeout_s, SESSION_DEFAULTS.idleS, {
    mostMs: bounds.idleMs,
    at: 'idle_timeout_s',
    errors,
  });
  const lifeMs = within(wire.ttl_s, SESSION_DEFAULTS.lifeS, {
    mostMs: bounds.lifeMs,
    at: 'ttl_s',
    errors,
  });
  if (errors.list.length > 0 || language === undefined) throw invalid(errors.list);
  const isSame = wire.language === undefined;
  const limits =
    wire.limits === undefined ? (base?.spec.limits ?? {}) : toLimitsRequest(wire.limits);
  const spec: SessionSpec = {
    language,
    environment: wire.environment ?? (isSame ? (base?.spec.environment ?? null) : null),
    wall: wire.wall ?? base?.spec.wall ?? null,
    env,
    seed: wire.seed ?? base?.spec.seed ?? null,
    labels: wire.labels,
    limits,
    diskBytes: limitsOf(limits, service.maxima).diskBytes,
    entriesMax: wire.files_max ?? base?.spec.entriesMax ?? SESSION_DEFAULTS.entries,
    idleMs,
    lifeMs,
  };
  service.check(spec);
  return spec;
}

/** Limits of an exec that says nothing else. */
export function limitsOf(limits: SessionSpec['limits'], maxima: Limits): Limits {
  return resolveLimits(limits, withDisk(maxima)).limits;
}

function withDisk(maxima: Limits): Limits {
  return { ...maxima, diskBytes: Math.min(maxima.diskBytes, WORKSPACE_BOUNDS.diskBytes) };
}

function within(
  seconds: number | undefined,
  otherwiseS: number,
  { mostMs, at, errors }: { readonly mostMs: number; readonly at: string; readonly errors: Errors },
): number {
  if (seconds === undefined) return Math.min(otherwiseS * S, mostMs);
  if (seconds * S > mostMs) errors.add([at], `at most ${mostMs / S}, the operator's maximum`);
  return seconds * S;
}

/** An exec as a submission; `entries` are the folder with what `code` puts there. Throws Rejection `invalid`. */
export function toExecSubmission(
  wire: ExecRequest,
  { spec }: Pick<Session, 'spec'>,
  { maxima, entries }: { readonly maxima: Limits; readonly entries: Workspace['entries'] },
): RunSubmission {
  const errors = createErrors();
  const env = { ...spec.env, ...wire.env };
  checkEnv(env, errors);
  const argv = argvOf(wire);
  checkArgs(wire.argv ?? wire.args, [wire.argv === undefined ? 'args' : 'argv'], errors);
  if (wire.command?.includes('\0') === true) errors.add(['command'], 'must not hold NUL');
  if (wire.args.length > 0 && argv !== null) errors.add(['args'], 'only `code` has arguments here');
  if (wire.limits.disk_mb !== undefined)
    errors.add(['limits', 'disk_mb'], "is the session's, said when it is made");
  const strings = [...(argv ?? wire.args), ...pairsOf(env)];
  const most = SUBMISSION_BOUNDS.commandBytes - COMMAND_RESERVE_BYTES;
  if (stringBytes(strings) > most)
    errors.add([], `command, arguments and env are more than ${most} bytes; put a file and run it`);
  const stdin = toBytes(wire.stdin, ['stdin'], errors);
  if (errors.list.length > 0) throw invalid(errors.list);
  const { language, environment, wall, diskBytes, entriesMax } = spec;
  const resolved = resolveLimits(toLimitsRequest(wire.limits), withDisk(maxima), {
    ...spec.limits,
    diskBytes,
  });
  return {
    ...{ id: createId('run'), language, environment, wall, env, stdin, ...resolved },
    program: { kind: 'files', entry: '', files: [] },
    args: wire.args,
    seed: wire.seed ?? spec.seed,
    clock: null,
    warm: false,
    labels: {},
    collect: [],
    workspace: {
      entries,
      entriesMax,
      what: argv === null ? { kind: 'code' } : { kind: 'argv', argv },
    },
  };
}

function pairsOf(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}

/** Null for `code`. */
function argvOf({ command, argv }: ExecRequest): readonly string[] | null {
  if (command !== undefined) return [SHELL, '-c', command];
  if (argv === undefined) return null;
  return argv[0]?.includes('/') === true ? argv : [SHELL, '-c', 'exec "$@"', 'sh', ...argv];
}
