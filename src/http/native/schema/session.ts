/** The wire of sessions and snapshots. */
import { z } from '@hono/zod-openapi';

import { LOG_BOUNDS } from '../../../sessions/step-log.ts';
import { WORKSPACE_BOUNDS, TREE_PROBLEMS } from '../../../domain/workspace.ts';
import { orNull } from '../../schema-words.ts';
import { strictRecord } from '../validation.ts';
import { LimitsInForce, ProblemWire, RunResponse } from './report.ts';
import { File, submissionShape } from './submission.ts';

const { language, environment, wall, env, seed, labels, limits, files } = submissionShape;

export const SESSION_DEFAULTS = { idleS: 600, lifeS: 3600, entries: 1024 } as const;
/** Forks of one request. */
const FORKS_MAX = 32;

export const SessionRequest = strictRecord({
  language: language.optional().describe('As for `/v1/run`; may be left out with `snapshot_id`.'),
  environment,
  wall,
  snapshot_id: z.string().optional().describe('The work folder to begin with; else it is empty.'),
  files: files.describe('Put into the work folder before anything else.'),
  env,
  seed,
  limits: limits
    .optional()
    .describe(
      `Of each exec that does not say otherwise; \`disk_mb\` is what the work folder may take, at most ${WORKSPACE_BOUNDS.diskBytes / 1024 ** 2}.`,
    ),
  files_max: z
    .int()
    .min(1)
    .max(WORKSPACE_BOUNDS.entries)
    .optional()
    .describe(`Files, folders and links of the work folder. Default ${SESSION_DEFAULTS.entries}.`),
  idle_timeout_s: z
    .int()
    .min(1)
    .optional()
    .describe(
      `Ends when it was not used for so long, s. Default ${SESSION_DEFAULTS.idleS}, or the operator's maximum.`,
    ),
  ttl_s: z
    .int()
    .min(1)
    .optional()
    .describe(
      `Ends after so long whatever is done with it, s. Default ${SESSION_DEFAULTS.lifeS}, or the operator's maximum.`,
    ),
  labels,
}).openapi('SessionRequest');
export type SessionRequest = z.infer<typeof SessionRequest>;

export const ExecRequest = strictRecord({
  command: z.string().min(1).optional().describe('A line for `/bin/sh -c`.'),
  argv: z
    .array(z.string())
    .min(1)
    .max(256)
    .optional()
    .describe('A program and its arguments; a name without `/` is looked for as a shell does.'),
  code: z
    .string()
    .optional()
    .describe("A program in the session's language: written to its source file, compiled, run."),
  stdin: File.default('').describe('Standard input. Default: empty.'),
  args: submissionShape.args.describe('Added to the command of `code`.'),
  env,
  seed,
  limits: limits.describe("In place of the session's, each by its name."),
  deadline_ms: submissionShape.deadline_ms,
  priority: submissionShape.priority,
})
  .refine(
    ({ command, argv, code }) =>
      [command, argv, code].filter((each) => each !== undefined).length === 1,
    { error: 'give exactly one of "command", "argv" and "code"' },
  )
  .openapi('ExecRequest');
export type ExecRequest = z.infer<typeof ExecRequest>;

const digest = z
  .string()
  .describe(
    '`sha256:…` over the sorted entries of the work folder: names, modes, contents, links.',
  );
const time = (text: string) => z.string().describe(`${text}, RFC 3339.`);

export const SessionWire = z
  .strictObject({
    id: z.string(),
    state: z.enum(['ready', 'running']).describe('running: something is under way in it.'),
    language: z.string(),
    environment: z.string().nullable(),
    wall: z.string().nullable(),
    labels: z.record(z.string(), z.string()),
    limits: LimitsInForce,
    files_max: z.number(),
    files: z.number().describe('Entries of the work folder.'),
    disk_bytes: z.number().describe('What they take, in whole pages.'),
    tree: digest,
    snapshot: z.string().nullable().describe('The snapshot that it comes from, or made last.'),
    seq: z.number().describe('Steps so far: execs, changes of files, restores.'),
    execs: z.number(),
    cpu_ms: z.number().describe('Of all execs, ms.'),
    created: time('When it was made'),
    expires: time('When it ends if it is not used'),
    idle_timeout_s: z.number(),
    ttl_s: z.number(),
  })
  .openapi('Session');
export type SessionWire = z.infer<typeof SessionWire>;

export const SessionList = z
  .strictObject({ sessions: z.array(SessionWire) })
  .openapi('SessionList');
export const SessionsDestroyed = z
  .strictObject({ destroyed: z.number() })
  .openapi('SessionsDestroyed');

export const ExecResponse = RunResponse.omit({ files: true, uncollected: true })
  .extend({
    session: z.string(),
    seq: z.number().nullable().describe('Of this step; null where nothing was done, for a fault.'),
    tree: digest,
    kept: z.boolean().describe('Whether the work folder is as this exec left it; else as before.'),
    not_kept: z
      .enum([...TREE_PROBLEMS, 'store_full', 'not_started', 'jail_ended', 'fault'])
      .nullable()
      .describe(
        'Why it is not. too_many, too_large, too_deep: beyond the bounds of a work folder. bad_name: a name or target is not UTF-8. jail_ended: it took its whole jail along by its memory.',
      ),
    dropped: z
      .array(z.string())
      .describe('What is neither file, folder nor link is not kept: paths, the first 16.'),
    dropped_count: z.number(),
  })
  .openapi('ExecResponse');
export type ExecResponse = z.infer<typeof ExecResponse>;

const Mode = z.string().describe('Permission bits, octal.');

export const FileChange = z
  .strictObject({ path: z.string(), bytes: z.number(), mode: Mode, tree: digest, seq: z.number() })
  .openapi('FileChange');

export const TreeWire = z
  .strictObject({
    tree: digest,
    entries: z.array(
      z.strictObject({
        path: z.string(),
        kind: z.enum(['file', 'folder', 'link']),
        mode: Mode.nullable(),
        bytes: z.number().nullable(),
        digest: z.string().nullable().describe('`sha256:…` of the content.'),
        target: z.string().nullable().describe('Of a link; it is never followed here.'),
      }),
    ),
  })
  .openapi('Tree');

export const SnapshotRequest = strictRecord({ labels }).openapi('SnapshotRequest');

export const SnapshotWire = z
  .strictObject({
    id: z.string(),
    parent: z
      .string()
      .nullable()
      .describe('The snapshot that its session came from, or made last.'),
    tree: digest,
    files: z.number(),
    disk_bytes: z.number(),
    new_bytes: z.number().describe('Contents that the parent does not have.'),
    diff: z
      .strictObject({
        added: z.array(z.string()),
        changed: z.array(z.string()),
        removed: z.array(z.string()),
      })
      .describe('Against the parent, or the empty folder.'),
    labels: z.record(z.string(), z.string()),
    created: time('When it was made'),
    process_state: z
      .literal('not_captured')
      .describe('A snapshot is of files; no process outlives its exec.'),
  })
  .openapi('Snapshot');
export type SnapshotWire = z.infer<typeof SnapshotWire>;

export const SnapshotList = z
  .strictObject({
    snapshots: z.array(SnapshotWire.omit({ diff: true })).describe('Each without its `diff`.'),
  })
  .openapi('SnapshotList');

export const RestoreRequest = strictRecord({ snapshot_id: z.string() }).openapi('RestoreRequest');

export const ForkRequest = strictRecord({
  count: z.int().min(1).max(FORKS_MAX).default(1),
  seeds: z
    .array(
      z
        .int()
        .min(0)
        .max(2 ** 32 - 1),
    )
    .max(FORKS_MAX)
    .optional()
    .describe(
      "One for each fork. Default: those that follow the snapshot's (or 0), so that no two share one.",
    ),
  labels: labels.optional().describe("In place of the snapshot's session's."),
}).openapi('ForkRequest');

export const ForkResponse = z
  .strictObject({
    forks: z
      .array(z.strictObject({ session: orNull(SessionWire), error: orNull(ProblemWire) }))
      .describe('As many as were asked for, in order.'),
  })
  .openapi('ForkResponse');

const stepShape = {
  seq: z.number(),
  kind: z.enum(['exec', 'put', 'delete', 'restore']),
  tree: digest,
};

export const SessionLog = z
  .strictObject({
    complete: z
      .boolean()
      .describe(
        `False for more than ${LOG_BOUNDS.steps} steps, ${LOG_BOUNDS.requestBytes / 1024 ** 2} MiB of requests, or more than there is room for: nothing is kept then.`,
      ),
    origin: digest,
    steps: z.array(
      z.strictObject({
        ...stepShape,
        path: z.string().nullable(),
        snapshot: z.string().nullable(),
        request: z.unknown().describe('Of an exec, as it was taken; else null.'),
      }),
    ),
  })
  .openapi('SessionLog');

export const ReplayResponse = z
  .strictObject({
    same: z.boolean().describe('Whether every step led to the same work folder.'),
    fault: RunResponse.shape.fault,
    steps: z.array(z.strictObject({ ...stepShape, replayed: digest, same: z.boolean() })),
    session: SessionWire.describe('A session of its own, at the end of what was replayed.'),
  })
  .openapi('ReplayResponse');
