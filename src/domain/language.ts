/**
 * Languages and environments as data: the schema of `languages/<id>/language.json` and what the catalog makes of
 * it on this host. Nothing outside `languages/` branches on a language's id.
 */
import { z } from 'zod';

/**
 * Strings in `compile.command`, `run.command` and `env` may contain `{entry}` (path of the main file),
 * `{stem}` (the same without extension) and `{tools.NAME}` (the in-jail path of a probed tool). Other braces stand for
 * themselves.
 */
const Command = z.array(z.string()).min(1);

export const ExpectedSelfTest = z.enum([
  'accepted',
  'compile_error',
  'runtime_error',
  'time_limit',
  'memory_limit',
  'output_limit',
]);
export type ExpectedSelfTest = z.infer<typeof ExpectedSelfTest>;

/** A program that shows what the language does here; only `ok` has an input and an expected output. */
const SelfTestDefinition = z
  .strictObject({
    /** Relative to the language's folder, in `selftest/`. */
    file: z.string().startsWith('selftest/'),
    expect: ExpectedSelfTest,
    stdin: z.string().default('17 25\n'),
    /** What an accepted program prints, compared by tokens. */
    stdout: z.string().default(''),
  })
  .refine(({ expect, stdout }) => expect !== 'accepted' || stdout.trim() !== '', {
    message: 'an accepted self-test must print something, or an empty program would pass it',
  });

export const LanguageDefinition = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_+]*$/),
  title: z.string(),
  /** Other names callers use, lower case. */
  aliases: z.array(z.string()),
  /** Tags of fenced blocks that mean this language (besides id and aliases). */
  fenceTags: z.array(z.string()).default([]),
  /** Where a single `code` string is written. */
  sourceFile: z.string(),
  /**
   * The toolchain probe: a Node program, its path relative to the language's folder, run once at start on the host with
   * an environment from an allow-list. It prints one JSON object (`ProbeOutput`) or exits non-zero with a one-line
   * reason on stderr.
   */
  probe: z.strictObject({ program: z.string(), args: z.array(z.string()).default([]) }),
  /** Null: no compile step; a syntax error is then a runtime error. */
  compile: z
    .strictObject({
      command: Command,
      /** Files of the work folder that the compile step leaves for the runs. */
      artefacts: z.array(z.string()).min(1),
      processes: z.int().positive().default(64),
      memoryMb: z.int().positive().default(1024),
    })
    .nullable(),
  run: z.strictObject({
    command: Command,
    /** Whether the source files are needed at run time, or only the artefacts and data files. */
    needsSource: z.boolean(),
  }),
  /** Whether programs are first tried in an isolate of a warm host, where the probe finds one. */
  isolate: z.boolean().default(false),
  /** The fixed environment of compile and run. */
  env: z.record(z.string(), z.string()).default({}),
  /** Environment variable that carries the deterministic hash seed, where the language has one. */
  seedVariable: z.string().nullable().default(null),
  /** Added to the CPU limit to pay for the runtime's own start, ms. */
  startGraceMs: z.int().min(0).default(0),
  /** Added to the process limit for threads the runtime itself starts. */
  extraProcesses: z.int().min(0).default(0),
  /** Added to the memory limit for the runtime itself, MiB. */
  extraMemoryMb: z.int().min(0).default(0),
  selfTests: z.record(z.string(), SelfTestDefinition),
});
export type LanguageDefinition = z.infer<typeof LanguageDefinition>;

const Mount = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('bind'), source: z.string(), target: z.string() }),
  z.strictObject({ kind: z.literal('symlink'), source: z.string(), target: z.string() }),
  /** An empty read-only folder, to hide what lies under a bind. */
  z.strictObject({ kind: z.literal('empty'), target: z.string() }),
]);

/** A warm host that runs programs in isolates: the first process of a jail of its own, with a root of its own. */
const IsolateHost = z.strictObject({
  /** Path in that jail, and arguments. */
  command: z.array(z.string()).min(1),
  mounts: z.array(Mount),
});

/** What a probe prints. Mount sources are host paths, targets are absolute paths in a run's root. */
export const ToolchainProbe = z.strictObject({
  version: z.string(),
  tools: z.record(z.string(), z.string()),
  mounts: z.array(Mount),
  packages: z.record(z.string(), z.string()),
  /** Left out where there is none. */
  isolateHost: IsolateHost.optional(),
});
export type ToolchainProbe = z.infer<typeof ToolchainProbe>;

/** The probe's whole answer: the toolchain, and the host paths (existing or not) whose change makes it stale. */
export const ProbeOutput = ToolchainProbe.extend({ watch: z.array(z.string()) });
export type ProbeOutput = z.infer<typeof ProbeOutput>;
export type ToolchainMount = ToolchainProbe['mounts'][number];

/** A language at a version, ready for jails. One jail belongs to one environment. */
export interface Environment {
  readonly id: string;
  readonly language: LanguageDefinition;
  readonly toolchain: ToolchainProbe;
  /** `sha256:…` */
  readonly fingerprint: string;
}

/** A language as the service offers it: with an environment, or with the reason why not. */
export interface CatalogEntry {
  readonly definition: LanguageDefinition;
  readonly environment: Environment | null;
  /** Null when available. */
  readonly reason: string | null;
}
