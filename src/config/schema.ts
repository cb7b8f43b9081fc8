/** The configuration: one schema, from which types, defaults, the table in the README and `assay config` follow. */
import { z } from 'zod';

import { DEFAULT_MAXIMA } from '../domain/limits.ts';
import { DEFAULT_SURFACES, SURFACES } from '../domain/surfaces.ts';
import { ENFORCED_PROPERTIES, REAL_WALLS } from '../domain/wall.ts';

const MIB = 1024 * 1024;

const REDIS_URL = /^rediss?:\/\/[^\s]+$/;

/** An integer that may arrive as text from the environment or a flag. */
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** `c=gvisor` */
const LANGUAGE_WALL = new RegExp(`^[\\w+#-]+=(?:${REAL_WALLS.join('|')})$`);

/** In place of a list of languages. */
export const ALL_LANGUAGES = 'all';

/** An empty variable means "not set", so the empty list has a word. */
const EMPTY_LIST = 'none';

function listOf(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  return text.trim() === EMPTY_LIST ? [] : names.filter((name) => name !== '');
}

export const Config = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  port: whole(0, 65_535).default(8080).describe('Port to listen on; 0 takes a free one.'),
  slots: whole(0, 1024)
    .default(0)
    .describe(
      'Submissions run at once; 0 means one per core. More than cores makes CPU times untrue.',
    ),
  pin: z
    .stringbool()
    .or(z.boolean())
    .default(true)
    .describe('Pin each slot to a core of its own where slots do not outnumber cores.'),
  queueLength: whole(0, 1_000_000).default(5120).describe('Submissions waiting at most.'),
  queueMb: whole(1, 65_536).default(1280).describe('What waiting submissions hold at most, MiB.'),
  queueTenantPercent: whole(1, 100)
    .default(80)
    .describe('Share of the queue, in places and in bytes, that one tenant may fill, %.'),
  bodyMb: whole(1, 2048).default(256).describe('Largest request body, MiB.'),
  bodyMinKbPerS: whole(0, 1_048_576)
    .default(16)
    .describe(
      'Least speed at which a request body must come after its first 10 s, KiB/s; 0 for none.',
    ),
  stateDir: z
    .string()
    .default('')
    .describe('Folder for sockets and caches; empty means `.assay` beside package.json.'),
  compileCacheMb: whole(0, 1_048_576)
    .default(512)
    .describe('Disk for compiled programs, which are compiled once, MiB; 0 keeps none.'),
  resultCache: z
    .enum(['off', 'asked', 'on'])
    .default('asked')
    .describe(
      'Whether equal submissions of a tenant may share one report, where it would come out the same: never, where a request has "cache": true, or unless it has "cache": false.',
    ),
  resultCacheMb: whole(0, 65_536)
    .default(64)
    .describe(
      'Memory for reports that may be reused, with redis_url in Redis for all replicas, MiB; 0 shares those under way alone.',
    ),
  idempotencyMb: whole(0, 65_536)
    .default(64)
    .describe(
      'Memory for answers that are given again under an Idempotency-Key, with redis_url in Redis for all replicas, MiB.',
    ),
  testsetMb: whole(0, 1_048_576)
    .default(4096)
    .describe('Disk for the tests that are kept at the server, MiB.'),
  jobsMb: whole(0, 1_048_576)
    .default(4096)
    .describe(
      'What jobs may take, their items and results, MiB of disk or of Redis; 0 takes no jobs.',
    ),
  jobHours: whole(1, 87_600)
    .default(168)
    .describe('How long the results of a job are kept after its end, hours.'),
  sessions: whole(0, 1_000_000).default(4096).describe('Sessions at most; 0 takes none.'),
  sessionsTenant: whole(1, 1_000_000)
    .default(2048)
    .describe('Sessions of one tenant at most, and its snapshots.'),
  sessionMb: whole(1, 1_048_576)
    .default(512)
    .describe(
      'Memory for the files of all sessions and snapshots, each content of a tenant once, MiB.',
    ),
  sessionTenantPercent: whole(1, 100)
    .default(80)
    .describe('Share of it that one tenant may fill, %.'),
  sessionIdleS: whole(1, 31_536_000)
    .default(3600)
    .describe('Longest that a session may ask to be kept without use, s.'),
  sessionLifeS: whole(1, 31_536_000)
    .default(86_400)
    .describe('Longest that a session may ask to be kept at all, and life of a snapshot, s.'),
  jailMemoryMb: whole(0, 16_777_216)
    .default(0)
    .describe(
      'What all jails together may take, MiB: what idle ones hold and the limits of running submissions, which wait where it is used up; 0 means 85 % of what this host or its control group has, on small ones less: what host_memory_percent and host_memory_free_mb leave, without 256 MiB.',
    ),
  hostDiskPercent: whole(1, 100)
    .default(80)
    .describe(
      'Share in use of the file system of the state folder, %, from which nothing new is accepted.',
    ),
  hostDiskFreeMb: whole(0, 16_777_216)
    .default(1024)
    .describe(
      'As long as so much of it is free, MiB, its share in use does not matter; 0: it never does.',
    ),
  hostMemoryPercent: whole(1, 100)
    .default(80)
    .describe(
      'Share in use of the memory of this host, or of the service’s control group, %, from which nothing new is accepted.',
    ),
  hostMemoryFreeMb: whole(0, 16_777_216)
    .default(512)
    .describe(
      'As long as so much of it is available, MiB, its share in use does not matter; 0: it never does.',
    ),
  nsjail: z
    .string()
    .default('')
    .describe(
      'Path of nsjail; empty means the one on PATH if new enough, else the one set-up unpacked.',
    ),
  runsc: z
    .string()
    .default('')
    .describe(
      'Path of runsc (gVisor); empty means the one on PATH if new enough, else the one that `npm run gvisor` has built.',
    ),
  walls: z
    .preprocess(
      (value) => (typeof value === 'string' ? listOf(value) : value),
      z
        .array(z.enum(REAL_WALLS))
        .min(1, 'names at least one wall')
        .refine((names) => new Set(names).size === names.length, { message: 'names a wall twice' }),
    )
    .default(['nsjail'])
    .describe(
      `Walls to offer, comma separated, of ${REAL_WALLS.join(', ')}; the first is that of whoever asks for none, the others are for requests that ask for one as strong.`,
    ),
  podSandbox: z
    .string()
    .regex(/^(?:[\w][\w .-]{0,63})?$/, { message: 'is the name of a runtime' })
    .default('')
    .describe(
      'For the wall pod: the runtime that gives this pod a kernel of its own, where that cannot be told from inside; you vouch for it. gVisor and Kata are found without.',
    ),
  languageWalls: z
    .preprocess(
      (value) => (typeof value === 'string' ? listOf(value) : value),
      z.array(
        z.string().regex(LANGUAGE_WALL, {
          message: `is LANGUAGE=WALL, with a wall of ${REAL_WALLS.join(', ')}`,
        }),
      ),
    )
    .default([])
    .describe(
      'Languages whose programs are held at least by that wall, whatever they ask for: `c=gvisor,cpp=gvisor`; the wall must be one that is offered.',
    ),
  cgroup: z
    .enum(['auto', 'v2', 'v1', 'none'])
    .default('auto')
    .describe('Cgroup back end; anything but auto refuses to start when it is not to be had.'),
  cgroupParent: z
    .string()
    .default('')
    .describe('Folder below which groups are made; empty means the service’s own group.'),
  require: z
    .preprocess(
      (value) => (typeof value === 'string' ? listOf(value) : value),
      z.array(z.enum(ENFORCED_PROPERTIES)),
    )
    .default(['network', 'pid_namespace', 'seccomp', 'disk'])
    .describe(
      'Properties without which the service refuses to start, comma separated; none for an empty list.',
    ),
  languages: z
    .preprocess(
      (value) => (typeof value === 'string' ? listOf(value) : value),
      z
        .array(z.string().min(1))
        .min(1, 'names at least one language')
        .refine((names) => names.length === 1 || !names.includes(ALL_LANGUAGES), {
          message: `${ALL_LANGUAGES} stands alone`,
        }),
    )
    .default([ALL_LANGUAGES])
    .describe('Languages to serve, comma separated; all serves those that this host has.'),
  python: z
    .string()
    .default('')
    .describe('Python interpreter to serve; empty means python3 on PATH.'),
  surfaces: z
    .preprocess(
      (value) => (typeof value === 'string' ? listOf(value) : value),
      z.array(z.enum(SURFACES)),
    )
    .default([...DEFAULT_SURFACES])
    .describe(
      `Wires of other services to serve, comma separated, of ${SURFACES.join(', ')}; none for the native API alone.`,
    ),
  openInstructWords: z
    .stringbool()
    .or(z.boolean())
    .default(true)
    .describe(
      'Whether /test_program fails programs that contain a word of open-instruct’s list (threading, import os …), as the original does.',
    ),
  tenants: z
    .string()
    .default('')
    .describe(
      'Where tenants and the digests of their keys are kept: a file, or redis; empty means `tenants.json` in the state folder.',
    ),
  anonymous: z
    .enum(['auto', 'any', 'none'])
    .default('auto')
    .describe(
      'Who may call without a key: everybody, nobody, or by auto everybody while no tenant has one, and then this machine alone if the service listens to nothing else.',
    ),
  redisUrl: z
    .string()
    .default('')
    .refine((url) => url === '' || REDIS_URL.test(url), {
      message: 'is like redis://HOST:6379 or rediss://USER:PASSWORD@HOST:6380/0',
    })
    .describe(
      'Redis through which replicas share jobs, limits of tenants, answers under an Idempotency-Key and reusable reports; empty keeps jobs in the state folder and the rest in memory. Its password is never printed.',
    ),
  redisTimeoutMs: whole(1, 60_000)
    .default(100)
    .describe(
      'Within which Redis must answer, ms; else each replica counts by itself until it does.',
    ),
  selfTest: z
    .enum(['ok', 'none'])
    .default('ok')
    .describe('Which self-test each language must pass at start before it is offered.'),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least level of log lines, which are JSON on stdout.'),
  leaveMs: whole(0, 600_000)
    .default(0)
    .describe(
      'At shutdown, how long it says at /readyz that it is not ready and takes requests all the same, ms: for balancers to notice. Then what waits is ended before the rest is refused, within drain_ms.',
    ),
  drainMs: whole(0, 600_000)
    .default(30_000)
    .describe('How long running submissions may take to end at shutdown, ms.'),
  maxCpuMs: whole(1, 86_400_000).default(DEFAULT_MAXIMA.cpuMs).describe('Largest CPU limit, ms.'),
  maxWallMs: whole(1, 86_400_000)
    .default(DEFAULT_MAXIMA.wallMs)
    .describe('Largest wall limit, ms.'),
  maxMemoryMb: whole(16, 1_048_576)
    .default(DEFAULT_MAXIMA.memoryBytes / MIB)
    .describe('Largest memory limit, MiB.'),
  maxOutputKb: whole(1, 4_194_304)
    .default(DEFAULT_MAXIMA.outputBytes / 1024)
    .describe('Largest output limit of a stream, KiB.'),
  maxProcesses: whole(1, 65_536)
    .default(DEFAULT_MAXIMA.processes)
    .describe('Largest limit of processes and threads.'),
  maxDiskMb: whole(1, 1_048_576)
    .default(DEFAULT_MAXIMA.diskBytes / MIB)
    .describe('Largest private file system, MiB.'),
  maxFiles: whole(8, 1_048_576)
    .default(DEFAULT_MAXIMA.openFiles)
    .describe('Largest limit of open files.'),
  maxCompileCpuMs: whole(1, 86_400_000)
    .default(DEFAULT_MAXIMA.compileCpuMs)
    .describe('Largest CPU limit of the compile step, ms.'),
});
export type Config = z.infer<typeof Config>;
/** Every key, in the order of the schema. */
export const CONFIG_KEYS = Config.keyof().options;

/** `queueLength` → `ASSAY_QUEUE_LENGTH`. */
export function environmentName(key: string): string {
  return `ASSAY_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** A setting as it may be shown: an address without what stands before the host, and without its query. */
export function shownValue<Key extends keyof Config>(
  config: Config,
  key: Key,
): Config[Key] | string {
  const value = config[key];
  if (key !== 'redisUrl') return value;
  return String(value)
    .replace(/^(rediss?:\/\/).*@/, '$1***@')
    .replace(/\?.*$/, '?***');
}

/** A value as its variable or flag takes it. */
export function environmentValue(value: Config[keyof Config]): string {
  if (Array.isArray(value)) return value.length === 0 ? EMPTY_LIST : value.join(',');
  return String(value);
}
